package scenario

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

func (l *loader) beachheads() {
	var seen [NumCorps]bool
	for i, b := range l.doc.GetBeachheads() {
		if i >= MaxUnits {
			l.Fault("beachheads", "%d beachheads, expected %d", len(l.doc.GetBeachheads()), NumCorps)
			break
		}
		path := fmt.Sprintf("beachheads[%d]", i)
		info := BeachheadInfo{Hex: NoHex}
		l.piece(path+".id", b.GetId())
		l.Fill(path, b, &info)
		corps := Formation(b.GetCorps() - 1)
		if b.GetCorps() < 1 || b.GetCorps() > NumCorps {
			l.Fault(path+".corps", "%s, expected one of the four US corps", b.GetCorps())
			continue
		}
		if seen[corps] {
			l.Fault(path+".corps", "%s has a beachhead already (DF 8.5)", corps)
			continue
		}
		seen[corps] = true
		l.beachhead(path, b, corps, &info)
		l.sc.Beachheads[corps] = info
	}
	for c, ok := range seen {
		if !ok {
			l.Fault("beachheads", "%s has no beachhead (DF 8.5)", Formation(c))
		}
	}
	l.sc.Chart.IXTurn = l.sc.Beachheads[CorpsIX].Turn
}

func (l *loader) beachhead(path string, b *downfallv1.Beachhead, corps Formation, info *BeachheadInfo) {
	if corps == CorpsIX {
		if b.GetHex() != "" {
			l.Fault(path+".hex", "the beachhead of IX Corps lands by plan and has no set-up hex (DF 8.6)")
		}
		info.Turn = l.Number(path+".turn", b.GetTurn(), 1, l.Bounds["last"])
		return
	}
	if b.GetTurn() != 0 {
		l.Fault(path+".turn", "%d, but only the beachhead of IX Corps lands later (DF 3.3-b)", b.GetTurn())
	}
	if b.GetHex() == "" {
		l.Fault(path+".hex", "beachhead %s has no set-up hex (DF 3.3-a)", b.GetId())
	} else if info.Hex = l.hex(path+".hex", b.GetHex()); info.Hex != NoHex && !l.sc.Is(info.Hex, Coastal) {
		l.Fault(path+".hex", "beachheads set up in coastal hexes, and %s is not one (DF 3.3-a)", b.GetHex())
	}
}

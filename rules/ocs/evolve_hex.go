package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

func hexMarkBits(f *folder, list []ocsv1.HexMark) (bits hexMarks) {
	for _, m := range list {
		if m < 1 || m > 15 {
			f.fail("no mark %d of hexes", m)
			continue
		}
		bits |= 1 << m
	}
	return bits
}

func (f *folder) hexChange(m *ocsv1.HexChange) {
	at := f.place(m.GetHex())
	if !at.onMap() {
		f.fail("%.60q is no hex or box", m.GetHex())
		return
	}
	c := f.p.cell(at)
	if m.Owner != nil {
		c.owner = f.seat(m.GetOwner())
	}
	if m.Trainbusting != nil {
		c.bust = f.seat(m.GetTrainbusting())
	}
	if m.LstPort != nil {
		c.lst = f.seat(m.GetLstPort())
	}
	for _, n := range []struct {
		given *uint32
		to    *uint8
		most  uint32
	}{{m.Hedgehog, &c.hedgehog, 4}, {m.AirBase, &c.base, airstrip}, {m.PortHits, &c.hits, 4}, {m.Gauge, &c.gauge, 32}} {
		if n.given != nil {
			*n.to = uint8(f.amount(*n.given, n.most, "a level"))
		}
	}
	if m.BlueT != nil {
		c.ground[Blue] = f.amount(m.GetBlueT(), 0xFFFF, "supply")
	}
	if m.RedT != nil {
		c.ground[Red] = f.amount(m.GetRedT(), 0xFFFF, "supply")
	}
	if m.Handled != nil {
		c.handled = uint8(f.amount(m.GetHandled(), 255, "air units"))
	}
	if m.FlownIn != nil {
		c.flown = f.amount(m.GetFlownIn(), 0xFFFF, "air cargo")
	}
	if m.PortHandled != nil {
		c.shipped = f.amount(m.GetPortHandled(), 0xFFFF, "cargo of a port")
	}
	c.marks &^= hexMarkBits(f, m.GetUnset())
	c.marks |= hexMarkBits(f, m.GetSet())
}

// taint keeps the list of carried supply sorted.
func (f *folder) taint(m *ocsv1.TaintChange) {
	at, seat, tokens := f.place(m.GetHex()), f.owner(m.GetSeat()), f.amount(m.GetTokens(), 0xFFFF, "supply")
	by := uint8(f.amount(uint32(m.GetCarriage()), uint32(ocsv1.Carriage_CARRIAGE_SEA), "carriage"))
	key := func(t taint) int { return int(t.at)<<16 | int(t.seat)<<8 | int(t.carriage) }
	i, found := slices.BinarySearchFunc(f.p.taint, taint{at: at, seat: seat, carriage: by},
		func(a, b taint) int { return key(a) - key(b) })
	switch {
	case found && tokens == 0:
		f.p.taint = slices.Delete(f.p.taint, i, i+1)
	case found:
		f.p.taint[i].tokens = tokens
	case tokens > 0:
		f.p.taint = slices.Insert(f.p.taint, i, taint{at, seat, by, tokens})
	}
}

package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Chapter 9: supply. States are set in III.B and hold until the next check (DF 9.2). Japanese units are always in supply (DF 9.1-b), and so are
// naval and air markers, whose support never changes the state of a unit (DF 9.9).

// Steps of phase III.B.
const (
	supplyTrace = iota
	supplyAir
	supplySettle
	supplyService
	supplyDone
)

func (p *Position) stepSupply(x *exec) {
	switch p.step {
	case supplyTrace:
		x.Emit(&event{Kind: &downfallv1.Event_SupplyTraced{SupplyTraced: &downfallv1.SupplyTraced{Line: p.ids(p.trace())}}})
	case supplyAir:
		p.playAirSupply(x, NoHex) // nothing to choose
	case supplySettle:
		coast, oos := p.unsuppliedUnits()
		x.Emit(&event{Kind: &downfallv1.Event_SupplySettled{SupplySettled: &downfallv1.SupplySettled{Coast: p.ids(coast), Oos: p.ids(oos)}}})
	default:
		p.checkService(x)
	}
}

// checkService removes a 6/ASCO without a path (DF 8.8-e, DF 9.5-c, DF 9.8), then goes on.
func (p *Position) checkService(x *exec) {
	if u := p.sc.Service; p.onMap&p.tab.asco != 0 && p.supply[u] != Line {
		before := p.vp
		p.loseService(x, "DF 8.8-e")
		p.checkDefeat(x, before)
		return
	}
	p.nextPhase(x)
}

// trace finds the units that have a supply path: each corps from its own beachhead (DF 9.3-a, DF 8.5-b), without one nobody (DF 9.3-c);
// reserves and 6/ASCO from any (DF 9.4, DF 9.8).
func (p *Position) trace() UnitSet {
	var room traceRoom
	open := newBits(&room.open, len(p.at))
	p.openHexes(open)
	var line UnitSet
	for f, place := range p.beachhead {
		source := place.Hex()
		if source == NoHex || !open.Has(source) {
			continue // DF 9.3-b, D-35: a beachhead alone in Japanese ZOC supplies no one
		}
		reached := newBits(&room.reached, len(p.at))
		reached.Clear()
		units := p.spread(source, open, reached, room.queue[:0])
		line |= units & (p.tab.formation[f] | p.tab.floaters)
	}
	return line
}

// traceRoom is memory for a supply trace, on the stack for maps of ordinary size.
type traceRoom struct {
	open, reached [8]uint64
	queue         [512]Hex
}

func newBits(room *[8]uint64, n int) hex.Set {
	if n <= 64*len(room) {
		return room[:(n+63)/64]
	}
	return hex.NewBits[Hex](n)
}

// openHexes are those that a path may enter: without Japanese units, and without Japanese ZOC unless a US ground unit is there, of any corps and in
// any state, 6/ASCO included (DF 9.3-b, DF 11.4, D-35).
func (p *Position) openHexes(open hex.Set) {
	for h := range Hex(len(p.at)) {
		if here := p.at[h]; here&p.tab.japan == 0 && (p.zoc[Japan][h] == 0 || here != 0) {
			open.Add(h)
		}
	}
}

// spread walks open hexes from a source, not across sea hexsides, whatever the terrain (DF 9.3-a, DF 9.3-b), and gives the US units met.
func (p *Position) spread(source Hex, open, reached hex.Set, queue []Hex) UnitSet {
	units := p.at[source]
	reached.Add(source)
	queue = append(queue, source)
	for i := 0; i < len(queue); i++ {
		for _, n := range p.sc.Ground[queue[i]] {
			if n != NoHex && open.Has(n) && !reached.Has(n) {
				reached.Add(n)
				units |= p.at[n]
				queue = append(queue, n)
			}
		}
	}
	return units
}

// unsuppliedUnits sorts the units without line or air supply: those in coastal hexes, Kagoshima Bay included, have coastal supply
// (DF 9.6-a), not 6/ASCO (DF 9.8); the rest is OOS. OOS never removes a division or brigade by itself (DF 9.1-a).
func (p *Position) unsuppliedUnits() (coast, oos UnitSet) {
	for u := range (p.onMap & p.tab.us).Each {
		switch {
		case p.supply[u] == Line || p.supply[u] == Air:
		case u != p.sc.Service && p.sc.Is(p.place[u].Hex(), Coastal):
			coast |= bit(u)
		default:
			oos |= bit(u)
		}
	}
	return coast, oos
}

// mayAirSupply reports whether air supply could be placed at all: a US unit is on the map and the CP of the turn allow it (DF 9.7-a).
func (p *Position) mayAirSupply() bool {
	return p.onMap&p.tab.us != 0 && int(p.usCP) >= p.sc.Chart.CP.AirSupply
}

func (p *Position) checkAirSupply(c Command) *rules.Refusal {
	if c.Hex != NoHex && p.groundOf(US, c.Hex) == 0 {
		return p.refuse("DF 9.7-a", "refuse.no-us", "hex", p.sc.HexID(c.Hex)).At(p.sc.HexID(c.Hex))
	}
	return nil
}

// playAirSupply supplies by air the units in the hex that lack a path, for 1 CP of the same turn (DF 9.7-a, D-41); not 6/ASCO (DF 9.8).
func (p *Position) playAirSupply(x *exec, h Hex) {
	e := &downfallv1.AirSupplyPlaced{Hex: p.num(h)}
	if h != NoHex {
		var units UnitSet
		for u := range (p.groundOf(US, h) &^ p.tab.asco).Each {
			if p.supply[u] != Line {
				units |= bit(u)
			}
		}
		e.Units, e.Cp = p.ids(units), uint32(p.sc.Chart.CP.AirSupply)
	}
	x.Emit(&event{Kind: &downfallv1.Event_AirSupplyPlaced{AirSupplyPlaced: e}})
}

func (p *Position) legalAirSupply(yield func(Command) bool) bool {
	for h := range Hex(len(p.at)) {
		if p.groundOf(US, h) != 0 && !yield(aiming(KindSupply, NoUnit, h)) {
			return false
		}
	}
	return yield(only(KindSupply))
}

// leaveCoast makes units in coastal supply OOS at once where they end in a hex that is not coastal (DF 9.6-b, D-40).
func (p *Position) leaveCoast(x *exec, units UnitSet) {
	for u := range (units & p.tab.us & p.onMap).Each {
		if p.supply[u] == Coast && !p.sc.Is(p.place[u].Hex(), Coastal) {
			x.Emit(p.eventSupply(u, OOS))
		}
	}
}

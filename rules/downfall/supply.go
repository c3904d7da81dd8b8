package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
)

// Chapter 9: supply. States are set in III.B, where air supply may be placed (DF 5.2-IIIB), and hold until the next
// check (DF 9.2). Japanese units are always in supply (DF 9.1-b), and so are naval and air markers, whose support
// never changes the state of a unit (DF 9.9).

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
		emit(x, &downfallv1.SupplyTraced{Line: p.ids(p.trace())})
	case supplyAir:
		p.playAirSupply(x, NoHex) // nothing to choose
	case supplySettle:
		coast, oos := p.unsuppliedUnits()
		emit(x, &downfallv1.SupplySettled{Coast: p.ids(coast), Oos: p.ids(oos)})
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

// trace finds the units that have a supply path: each corps from its own beachhead, which is its source (DF 9.3-a, DF
// 8.5-b, DF 8.5-S5), without one nobody (DF 9.3-c); reserves and 6/ASCO from any (DF 9.4, DF 9.8, DF 8.8-S5).
func (p *Position) trace() UnitSet {
	var room [2 * floodWords]uint64
	memory, n := room[:], p.tab.words
	if n > floodWords {
		memory = make([]uint64, 2*n)
	}
	open, reached := hex.Set(memory[:n]), hex.Set(memory[n:2*n])
	p.openHexes(open)
	var line UnitSet
	for f, place := range p.beachhead {
		source := place.Hex()
		if source == NoHex || !open.Has(source) {
			continue // DF 9.3-b, D-35: a beachhead alone in Japanese ZOC supplies no one
		}
		if !reached.Has(source) { // what is reached from one is reached from the other
			reached.Clear()
			reached.Add(source)
			p.spread(open, reached)
		}
		for u := range (p.onMap & (p.tab.formation[f] | p.tab.floaters)).Each {
			if reached.Has(p.place[u].Hex()) {
				line |= bit(u)
			}
		}
	}
	return line
}

// openHexes are those that a path may enter: without Japanese units, and without Japanese ZOC unless a US ground unit
// is there, of any corps and in any state, 6/ASCO included (DF 9.3-b, DF 11.4, D-35).
func (p *Position) openHexes(open hex.Set) {
	us, japan := &p.sides[US], &p.sides[Japan]
	for i := range open {
		open[i] = ^japan.held[i] & (^japan.zone[i] | us.held[i])
	}
	if u := p.sc.Service; p.onMap&p.tab.asco != 0 && !japan.held.Has(p.place[u].Hex()) {
		open.Add(p.place[u].Hex())
	}
}

// spread adds to a set all that can be reached from it by open hexes, not across sea hexsides, whatever the terrain (DF
// 9.3-a, DF 9.3-b). It goes over the map up and down until nothing is added; in a word, again while there is.
func (p *Position) spread(open, reached hex.Set) {
	var room [floodWords]uint64
	done := hex.Set(room[:])
	if len(open) > floodWords {
		done = make(hex.Set, len(open))
	}
	for changed := true; changed; {
		changed = false
		for i := range reached {
			for rest := reached[i] &^ done[i]; rest != 0; rest = reached[i] &^ done[i] {
				changed = true
				done[i] |= rest
				for ; rest != 0; rest &= rest - 1 {
					marks := p.tab.around.of(Hex(i<<6 + bits.TrailingZeros64(rest)))
					for j := range marks {
						w := &marks[j]
						reached[w.word] |= w.bits[0] & open[w.word]
						reached[w.word+1] |= w.bits[1] & open[w.word+1]
					}
				}
			}
		}
	}
}

// unsuppliedUnits sorts the units without line or air supply: those in coastal hexes, Kagoshima Bay included, have
// coastal supply (DF 9.6-a), not 6/ASCO (DF 9.8), which air supply does not serve either (DF 8.8-S6); the rest is OOS.
// OOS never removes a division or brigade by itself (DF 9.1-a).
func (p *Position) unsuppliedUnits() (coast, oos UnitSet) {
	for u := range (p.onMap & p.tab.us).Each {
		switch {
		case p.supply[u] == Line || p.supply[u] == Air:
		case u != p.sc.Service && p.sc.Is(p.place[u].Hex(), scenario.Coastal):
			coast |= bit(u)
		default:
			oos |= bit(u)
		}
	}
	return coast, oos
}

// mayAirSupply reports whether air supply could be placed at all: a US unit is on the map and the CP of the
// turn allow it (DF 9.7-a).
func (p *Position) mayAirSupply() bool {
	return p.onMap&p.tab.us != 0 && int(p.usCP) >= p.sc.Chart.CP.AirSupply
}

func (p *Position) checkAirSupply(c Command) *rules.Refusal {
	if c.Hex != NoHex && p.groundOf(US, c.Hex) == 0 {
		return p.refuseHex("DF 9.7-a", "refuse.no-us", c.Hex)
	}
	return nil
}

// playAirSupply supplies by air the units in the hex that lack a path, for 1 CP of the same turn (DF 9.7-a,
// D-41); not 6/ASCO (DF 9.8).
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
	emit(x, e)
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
		if p.supply[u] == Coast && !p.sc.Is(p.place[u].Hex(), scenario.Coastal) {
			emit(x, &downfallv1.SupplyChanged{Unit: p.id(u), Supply: downfallv1.Supply_SUPPLY_OOS})
		}
	}
}

package downfall

import (
	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// weapons folds the unconventional weapons segment, points and the supply check.
func (f *folder) weapons(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *downfallv1.FleetRolled:
		p.navalHere = 1<<min(e.Naval, maxNaval) - 1
		p.air, p.step = f.small(e.Air, "air markers"), 1
	case *downfallv1.NavalDeployed:
		f.navalDeployed(e.Zones)
	case *downfallv1.KamikazeRolled:
		f.kamikazeRolled(e)
	case *downfallv1.NavalRemoved:
		gone := f.markers(e.Markers)
		p.navalHere, p.navalReady = p.navalHere&^gone, p.navalReady&^gone
	case *downfallv1.AirRemoved:
		p.air -= min(p.air, f.small(e.Count, "air markers"))
	case *downfallv1.BombsDeclared:
		n := f.small(e.Count, "bombs")
		p.bombsDeclared = int8(n)
		p.bombsUsed += n
		p.bombsLeft -= min(p.bombsLeft, n)
	case *downfallv1.BombTargeted:
		if int(p.bombCount) >= maxBombs {
			f.fail("more than %d bombs", maxBombs)
			return true
		}
		p.bombTargets[p.bombCount] = f.bombTarget(e.Hex, e.Unit)
		p.bombCount++
		p.step++
	case *downfallv1.BombRolled:
		f.bombRolled(e)
	case *downfallv1.BombLosses:
		for _, l := range e.Losses {
			u := f.unit(l.Unit)
			if p.steps[u] -= min(p.steps[u], f.steps(l.Steps)); p.steps[u] == 0 {
				p.put(u, Eliminated)
			}
		}
		p.bombStage = bombSettled
	case *downfallv1.Exploded:
		if e.Hex != 0 {
			p.exploded.Add(f.hex(e.Hex))
		}
		p.bombed |= f.units(e.Pinned) | f.units(e.Shaken)
		p.bombStage, p.bombSteps, p.bombAt = bombNone, 0, Out
	case *downfallv1.ArmyRolled:
		f.armyRolled(e)
	case *downfallv1.PointsGiven:
		p.cp, p.step = int8(f.small(e.Points, "CP")), 1
	case *downfallv1.SupplyTraced:
		f.setSupply(p.onMap&p.tab.us, OOS)
		f.setSupply(f.units(e.Line), Line)
		p.airSupply, p.step = Out, 1
	case *downfallv1.AirSupplyPlaced:
		p.step = 2
		if e.Hex != 0 {
			p.airSupply, p.airPlaced = Place(f.hex(e.Hex)), true
			f.setSupply(f.units(e.Units), Air)
		}
	case *downfallv1.SupplySettled:
		f.setSupply(f.units(e.Coast), Coast)
		f.setSupply(f.units(e.Oos), OOS)
		p.step = 3
	case *downfallv1.SupplyChanged:
		f.setSupply(bit(f.unit(e.Unit)), Supply(f.upTo(int32(e.Supply), uint8(OOS), "supply")))
	default:
		return false
	}
	return true
}

func (f *folder) navalDeployed(zones []string) {
	p, n := f.p, 0
	for m := range p.navalZone {
		if p.navalHere&(1<<m) == 0 {
			continue
		}
		if n < len(zones) {
			p.navalZone[m] = f.zone(zones[n])
		} else {
			f.fail("naval marker %d has no zone", m+1)
		}
		n++
	}
	p.navalReady, p.step = p.navalHere, 1
}

func (f *folder) zone(id string) Zone {
	z := f.p.sc.ZoneByID(id)
	if z == NoZone {
		f.fail("no zone %q on the map", id)
	}
	return z
}

func (f *folder) markers(numbers []uint32) uint32 {
	var set uint32
	for _, n := range numbers {
		if n < 1 || n > maxNaval {
			f.fail("no naval marker %d", n)
			continue
		}
		set |= 1 << (n - 1)
	}
	return set
}

func (f *folder) kamikazeRolled(e *downfallv1.KamikazeRolled) {
	p := f.p
	p.kamikaze, p.ban = true, e.Ban
	p.usCP, p.jpMF, p.jpCP = f.small(e.UsCp, "CP"), f.small(e.JapanMf, "MF"), f.small(e.JapanCp, "CP")
	p.airCap, p.navalCap = scenario.NoCap, scenario.NoCap
	if e.AirCap != nil {
		p.airCap = f.small(*e.AirCap, "cap")
	}
	if e.NavalCap != nil {
		p.navalCap = f.small(*e.NavalCap, "cap")
	}
}

func (f *folder) bombTarget(number uint32, unit string) Place {
	if number != 0 {
		return Place(f.hex(number))
	}
	return bombUnit + Place(f.unit(unit))
}

func (f *folder) bombRolled(e *downfallv1.BombRolled) {
	p, at := f.p, f.bombTarget(e.Hex, e.Unit)
	for i := range p.bombTargets[:p.bombCount] {
		if p.bombTargets[i] == at {
			copy(p.bombTargets[i:], p.bombTargets[i+1:p.bombCount])
			p.bombCount--
			p.bombTargets[p.bombCount] = 0
			break
		}
	}
	if p.bombSteps = f.small(e.Steps, "steps"); p.bombSteps > 0 {
		p.bombAt, p.bombStage = at, bombRolled
	}
}

func (f *folder) armyRolled(e *downfallv1.ArmyRolled) {
	p := f.p
	p.step = 1
	if !e.Available {
		return
	}
	for _, u := range p.sc.Setup56 {
		if p.place[u] == NotAvailable {
			p.place[u] = Available
		}
	}
}

func (f *folder) setSupply(units UnitSet, s Supply) {
	for u := range units.Each {
		f.p.supply[u] = s
	}
}

// arrivals folds movement, reinforcements and replacements.
func (f *folder) arrivals(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *downfallv1.UnitMoved:
		f.unitMoved(e)
	case *downfallv1.UnitEntered:
		f.unitEntered(e)
	case *downfallv1.StepRecovered:
		u := f.restored(e.Unit, e.Steps, e.Cp)
		p.refitted |= bit(u)
	case *downfallv1.UnitRebuilt:
		u := f.restored(e.Unit, e.Steps, e.Cp)
		p.put(u, Holding)
		p.boxed, p.rebuilt = p.boxed|bit(u), p.rebuilt|bit(u)
	case *downfallv1.SteppedUp:
		u := f.restored(e.Unit, e.Steps, e.Cp)
		p.boxed |= bit(u)
	case *downfallv1.LandingBegan:
		f.landingBegan(e)
	case *downfallv1.CorpsLanded:
		h := f.hex(e.Hex)
		f.ashore(f.units(e.Units), Place(h))
		p.beachhead[f.corps(e.Beachhead)] = Place(h)
	case *downfallv1.LandingFailed:
		for u := range f.units(e.Units).Each {
			p.steps[u] = 0
			p.put(u, Eliminated)
		}
		p.beachhead[f.corps(e.Beachhead)] = Removed
	case *downfallv1.LandingCancelled:
		p.ixHex, p.ixTurn, p.replan = NoHex, 0, e.Replan
	case *downfallv1.DivisionDropped:
		f.dropped(e)
	default:
		return false
	}
	return true
}

func (f *folder) unitMoved(e *downfallv1.UnitMoved) {
	p, u := f.p, f.unit(e.Unit)
	p.put(u, f.end(e.Path))
	p.acted |= bit(u)
	p.followers &^= bit(u)
	if e.Cp > 0 {
		f.pay(e.Cp)
		p.followers, p.followMixed = f.units(e.Followers), e.Mixed
	}
}

func (f *folder) unitEntered(e *downfallv1.UnitEntered) {
	p, u := f.p, f.unit(e.Unit)
	f.pay(e.Cp)
	p.put(u, f.end(e.Path))
	p.followers, p.arrived = 0, p.arrived|bit(u)
	if p.tab.us.Has(u) {
		p.supply[u] = Line
	} else {
		p.acted |= bit(u)
	}
}

// restored gives a unit its steps and takes the price.
func (f *folder) restored(id string, steps, cp uint32) Unit {
	u := f.unit(id)
	f.pay(cp)
	f.p.steps[u], f.p.followers = f.steps(steps), 0
	return u
}

func (f *folder) landingBegan(e *downfallv1.LandingBegan) {
	p := f.p
	f.pay(e.Cp)
	p.followers, p.ixHex, p.ixTurn = 0, NoHex, 0
	f.ashore(f.units(e.Units), LandingForce)
}

// ashore puts arriving units where they land; they have arrived and can do no more this turn.
func (f *folder) ashore(units UnitSet, to Place) {
	p := f.p
	for u := range units.Each {
		p.put(u, to)
		p.supply[u] = Line
	}
	p.arrived, p.acted = p.arrived|units, p.acted|units
}

func (f *folder) dropped(e *downfallv1.DivisionDropped) {
	p, u, h := f.p, f.unit(e.Unit), f.hex(e.Hex)
	f.pay(e.Cp)
	p.put(f.unit(e.Replaces), Out)
	p.steps[u] = f.steps(e.Steps)
	f.ashore(bit(u), Place(h))
	p.supply[u] = Air
	if e.Steps == 0 {
		p.put(u, Removed)
	}
	p.airSupply, p.airPlaced, p.followers = Place(h), true, 0
	p.dropHex, p.dropTurn = NoHex, 0
}

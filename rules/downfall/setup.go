package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 3: set-up. Japan first, then the US (DF 3.1).

// begin is the position before the first event: no points but those of the bid.
func begin(sc *Scenario, opt OptionSet) *Position {
	p := newPosition(sc, opt)
	p.vp = int16(opt.bid())
	return p
}

// deployJapan puts Japanese units into their printed hexes (DF 3.2-a), the 56th Army into the NA Box (DF 3.2-c), and
// counts the bombs (DF 6.8-a).
func (p *Position) deployJapan(x *exec) {
	d := &downfallv1.Deployed{}
	for u := range p.tab.japan.Each {
		info := &p.sc.Units[u]
		unit := &downfallv1.DeployedUnit{Unit: info.ID, Hex: p.num(info.Hex), Steps: uint32(info.Steps)}
		switch info.Formation {
		case scenario.Army56:
			unit.Hex, unit.Box = 0, downfallv1.Box_BOX_NOT_AVAILABLE
		case scenario.Army36:
			unit.Hex, unit.Box = 0, downfallv1.Box_BOX_UNPLACED
		}
		d.Units = append(d.Units, unit)
	}
	if !p.on(NoAtomicBombs) {
		d.Bombs = uint32(p.sc.Chart.Markers.Bombs)
	}
	emit(x, d)
}

// deployUS puts US units into their printed hexes (DF 3.3-a) or the Holding Box (DF 3.3-b), all at full strength (DF
// 3.1) and in supply by line (D-34). Only one counter of the 11th Division is in the game: until it drops, that of
// the infantry (DF 3.4).
func (p *Position) deployUS(x *exec) {
	d := &downfallv1.Deployed{}
	for u := range p.tab.us.Each {
		info := &p.sc.Units[u]
		unit := &downfallv1.DeployedUnit{Unit: info.ID, Hex: p.num(info.Hex), Steps: uint32(info.Steps)}
		switch {
		case info.Replaces != NoUnit:
			unit.Hex, unit.Box, unit.Steps = 0, downfallv1.Box_BOX_OUT, 0
		case info.Hex == NoHex:
			unit.Box = downfallv1.Box_BOX_HOLDING
		}
		d.Units = append(d.Units, unit)
	}
	for i := range p.sc.Beachheads {
		b := &p.sc.Beachheads[i]
		d.Beachheads = append(d.Beachheads, &downfallv1.DeployedBeachhead{Beachhead: b.ID, Hex: p.num(b.Hex)})
	}
	emit(x, d)
}

func (p *Position) askSetup() (Ask, rules.Seat) {
	switch p.phase {
	case SetupJapan:
		if p.unplaced() != 0 {
			return AskPlace36, Japan
		}
	case SetupOrders:
		if !p.ordersGiven {
			return AskOrders, US
		}
	case SetupPlan:
		if p.ixTurn == 0 {
			return AskPlan, US // DF 3.3-d: no play without a plan
		}
	case SetupMagic:
		if p.step > 0 && p.magicLeft > 0 && !p.ended {
			return AskMagic, Japan // DF 15.4, D-59: after the plan
		}
	}
	return AskNothing, rules.NoSeat
}

// unplaced are 36th Army units that are not set up yet.
func (p *Position) unplaced() UnitSet {
	var s UnitSet
	for _, u := range p.sc.Setup36 {
		if p.place[u] == Unplaced {
			s |= bit(u)
		}
	}
	return s
}

// checkPlace checks the placing of a 36th Army unit (DF 3.2-b, DF 15.4).
func (p *Position) checkPlace(c Command) *rules.Refusal {
	switch {
	case !p.tab.formation[scenario.Army36].Has(c.Unit):
		return p.refuseUnit("DF 3.2-b", "refuse.not-36", c.Unit)
	case p.phase == SetupMagic && p.magicMoved.Has(c.Unit):
		return p.refuseUnit("DF 15.4", "refuse.placed", c.Unit)
	case p.phase == SetupJapan && p.place[c.Unit] != Unplaced:
		return p.refuseUnit("DF 3.2-b", "refuse.placed", c.Unit)
	}
	return p.checkPlaceHex(c)
}

func (p *Position) checkPlaceHex(c Command) *rules.Refusal {
	_, beachhead := p.beachheadIn(c.Hex)
	switch {
	case p.phase == SetupJapan && p.sc.Map.Distance(c.Hex, p.sc.Chart.Centre) > p.sc.Chart.Within:
		return p.refuseHex("DF 3.2-b", "refuse.too-far", c.Hex, "centre", p.sc.Chart.Centre,
			"max", p.sc.Chart.Within, "distance", p.sc.Map.Distance(c.Hex, p.sc.Chart.Centre))
	case p.phase == SetupJapan && !p.inSetupArea(c.Hex), p.groundOf(US, c.Hex) != 0:
		return p.refuseHex("DF 15.4", "refuse.us-in-hex", c.Hex)
	case beachhead:
		return p.refuseHex("DF 15.4", "refuse.beachhead-in-hex", c.Hex) // D-60
	}
	if p.place[c.Unit] == Place(c.Hex) {
		return p.refuseUnit("DF 15.4", "refuse.placed", c.Unit)
	}
	return p.checkStack(c.Unit, c.Hex)
}

func (p *Position) inSetupArea(h Hex) bool {
	for _, a := range p.sc.SetupArea {
		if a == h {
			return true
		}
	}
	return false
}

func (p *Position) playPlace(x *exec, c Command) {
	emit(x, &downfallv1.UnitPlaced{
		Unit: p.id(c.Unit), Hex: p.num(c.Hex), Magic: p.phase == SetupMagic,
	})
}

// legalPlace lists the hexes for each unit that is to be placed.
func (p *Position) legalPlace(yield func(Command) bool) bool {
	if p.phase == SetupJapan {
		for u := range p.unplaced().Each {
			for _, h := range p.sc.SetupArea {
				if c := aiming(KindPlace, u, h); p.checkPlaceHex(c) == nil && !yield(c) {
					return false
				}
			}
		}
		return true
	}
	for u := range (p.tab.formation[scenario.Army36] &^ p.magicMoved).Each {
		for h := range Hex(len(p.at)) {
			if !p.mayPlace(u, h) {
				continue
			}
			if !yield(aiming(KindPlace, u, h)) {
				return false
			}
		}
	}
	return yield(only(KindEnd))
}

// mayPlace is checkPlaceHex for option 15.4 without words.
func (p *Position) mayPlace(u Unit, h Hex) bool {
	if p.groundOf(US, h) != 0 || p.place[u] == Place(h) || !p.fits(u, h) {
		return false
	}
	_, beachhead := p.beachheadIn(h)
	return !beachhead
}

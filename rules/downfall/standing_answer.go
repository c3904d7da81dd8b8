package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// followOrders gives the answer that the standing orders of a seat have for what is asked, and reports whether there
// was one. Only the seat is told.
func (p *Position) followOrders(x *exec, ask Ask, seat rules.Seat) bool {
	if len(p.orders[seat]) == 0 {
		return false
	}
	c, ok := p.byOrder(ask, seat)
	if !ok || p.check(seat, c) != nil {
		return false
	}
	x.EmitTo(rules.OnlySeats(seat), fact(&downfallv1.StandingFollowed{
		Seat: seatIDs[seat], Decision: questions[ask].id,
	}))
	p.play(x, seat, c)
	return true
}

// orderOf is the standing order that is about a question; 0 if none is.
func (p *Position) orderOf(ask Ask) uint8 {
	switch ask {
	case AskSupport:
		return orderSupport
	case AskBombard:
		return orderBombard
	case AskFire:
		return orderFire
	case AskBreak:
		if p.fight.byJapan {
			return orderRetreat
		}
		return orderAbort
	case AskWithdraw:
		return orderWithdraw
	case AskAdvance:
		return orderAdvance
	case AskBombs:
		return orderBombs
	case AskLosses:
		return orderLosses
	case AskZones:
		return orderZones
	case AskRemove:
		return orderRemove
	case AskAirSupply:
		return orderAirSupply
	case AskOrders:
		return orderDivision
	case AskActions, AskMagic:
		return orderPass
	}
	return 0
}

// byOrder is what the standing orders of a seat answer; false if they leave the question to it.
func (p *Position) byOrder(ask Ask, seat rules.Seat) (Command, bool) {
	choice := p.ordered(seat, p.orderOf(ask))
	if choice == choiceNone {
		return Command{}, false
	}
	switch ask {
	case AskSupport, AskBombard, AskFire, AskBreak, AskWithdraw, AskAdvance:
		return p.fightByOrder(ask, choice), true
	case AskLosses:
		return p.lossesByOrder(choice != lossesWeak), true
	case AskZones:
		return p.zonesByOrder(choice), true
	case AskRemove:
		return p.removeByOrder(choice == removeFullest), true
	case AskAirSupply:
		return p.airSupplyByOrder(choice != airSupplyNone), true
	case AskOrders:
		return only(KindOrders), true
	case AskActions, AskMagic:
		return only(KindEnd), p.nothingToDo(seat)
	}
	return only(KindBombs), true // none
}

// fightByOrder answers the questions of a combat.
func (p *Position) fightByOrder(ask Ask, choice uint8) Command {
	f := &p.fight
	switch ask {
	case AskSupport:
		return p.supportByOrder(choice)
	case AskBombard:
		if choice == bombardNone {
			return only(KindBombard)
		}
		return naming(KindBombard, p.choose(p.standing(f.defenders), choice != bombardWeak))
	case AskFire:
		return p.fireAt(p.choose(p.targets(), choice != fireWeak))
	case AskBreak:
		return p.breakByOrder(choice)
	case AskWithdraw:
		return p.safestWithdrawal()
	}
	c := only(KindAdvance)
	for left := p.advancers(); left != 0 && choice == advanceMost; {
		u := p.choose(left, true)
		left &^= bit(u)
		if p.fitAll(c.Units|bit(u), f.target) {
			c.Units |= bit(u)
		}
	}
	return c
}

// supportByOrder gives the markers that are ordered as far as there are any, of naval ones the lowest.
func (p *Position) supportByOrder(choice uint8) Command {
	c := only(KindSupport)
	air, naval := p.markers()
	if choice == supportAir || choice == supportBoth {
		c.Count = min(air, 1)
	}
	if choice == supportNaval || choice == supportBoth {
		c.Detail = uint64(p.lowest(p.serving(naval, p.fight.usHex()), 1))
	}
	return c
}

// breakByOrder leaves or stays. The step that comes back is that of an eliminated unit first, then of the strongest.
func (p *Position) breakByOrder(choice uint8) Command {
	f := &p.fight
	leave, remain := KindAbort, KindPress
	if f.byJapan {
		leave, remain = KindRetreat, KindStay
	}
	dead := f.hurt &^ p.standing(f.hurt)
	if choice == breakStay || choice == breakDead && dead == 0 {
		return only(remain)
	}
	if dead == 0 {
		dead = f.hurt
	}
	best := dead.First()
	for u := range dead.Each {
		if p.sc.Units[u].Strength[1] > p.sc.Units[best].Strength[1] {
			best = u
		}
	}
	return naming(leave, best)
}

// safestWithdrawal is the one to hexes with the fewest Japanese units near, the first of equals.
func (p *Position) safestWithdrawal() Command {
	best, least := only(KindWithdraw), -1
	p.eachWithdrawal(func(c Command) bool {
		n := 0
		for u := range p.retreating().Each {
			if h := c.refuge(u); h != NoHex {
				n += p.threats(h)
			}
		}
		if least < 0 || n < least {
			best, least = c, n
		}
		return true
	})
	return best
}

// threats is the number of Japanese units within two hexes.
func (p *Position) threats(h Hex) int {
	var near UnitSet
	for _, n := range p.sc.Near[h] {
		if n == NoHex {
			continue
		}
		for _, m := range p.sc.Near[n] {
			if m != NoHex {
				near |= p.groundOf(Japan, m)
			}
		}
		near |= p.groundOf(Japan, n)
	}
	return near.Len()
}

// lossesByOrder takes the steps of a bomb from whole units, the weakest or the strongest first.
func (p *Position) lossesByOrder(strong bool) Command {
	c, left := only(KindLosses), p.bombLoss()
	for victims := p.bombVictims(); victims != 0 && left > 0; {
		u := p.choose(victims, strong)
		victims &^= bit(u)
		c.Units |= bit(u)
		if left--; left > 0 && p.steps[u] > 1 {
			c.Detail |= uint64(bit(u))
			left--
		}
	}
	return c
}

// zonesByOrder puts all markers into one zone, or one after the other into each.
func (p *Position) zonesByOrder(choice uint8) Command {
	c := only(KindZones)
	c.Count = uint8(bits.OnesCount32(p.navalHere))
	for i := range int(c.Count) {
		z := i % len(p.sc.Zones)
		if choice >= zonesInto {
			z = int(choice - zonesInto)
		}
		c.Detail |= uint64(z) << (zoneBits * i)
	}
	return c
}

// removeByOrder removes markers one by one, each from the zone with most or fewest left, the first of equals.
func (p *Position) removeByOrder(fullest bool) Command {
	c, ready := only(KindRemove), p.navalReady
	for range p.navalExcess() {
		var from uint32
		for z := range p.sc.Zones {
			here := p.readyIn(Zone(z)) & ready
			n, most := bits.OnesCount32(here), bits.OnesCount32(from)
			if n > 0 && (from == 0 || n > most && fullest || n < most && !fullest) {
				from = here
			}
		}
		c.Detail |= uint64(from & -from)
		ready &^= from & -from
	}
	return c
}

// airSupplyByOrder supplies the hex in which most steps gain by it, the first of equals; none if nowhere.
func (p *Position) airSupplyByOrder(supplies bool) Command {
	c, most := only(KindSupply), 0
	for h := range Hex(len(p.at)) {
		n := 0
		for u := range (p.groundOf(US, h) &^ p.tab.asco).Each {
			if p.supply[u] != Line {
				n += int(p.steps[u])
			}
		}
		if supplies && n > most {
			c.Hex, most = h, n
		}
	}
	return c
}

// nothingToDo reports whether a seat can only end the phase.
func (p *Position) nothingToDo(seat rules.Seat) bool {
	free := true
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		free = kinds[c.Kind].Offer || c.Kind == KindEnd
		return free
	})
	return free
}

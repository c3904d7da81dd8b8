package downfall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Standing orders: what a seat says in advance, so that it is not asked. Nobody else sees them.

// standing is a standing order: for the whole game, for combats in one hex, or for combats of some units.
type standing struct {
	order, choice uint8
	hex           Hex
	units         UnitSet
}

// Standing orders, by the numbers of the contract.
const (
	orderSupport   = uint8(downfallv1.StandingOrder_STANDING_ORDER_SUPPORT)
	orderBombard   = uint8(downfallv1.StandingOrder_STANDING_ORDER_BOMBARD)
	orderFire      = uint8(downfallv1.StandingOrder_STANDING_ORDER_FIRE)
	orderAbort     = uint8(downfallv1.StandingOrder_STANDING_ORDER_ABORT)
	orderRetreat   = uint8(downfallv1.StandingOrder_STANDING_ORDER_RETREAT)
	orderWithdraw  = uint8(downfallv1.StandingOrder_STANDING_ORDER_WITHDRAW)
	orderAdvance   = uint8(downfallv1.StandingOrder_STANDING_ORDER_ADVANCE)
	orderBombs     = uint8(downfallv1.StandingOrder_STANDING_ORDER_BOMBS)
	orderLosses    = uint8(downfallv1.StandingOrder_STANDING_ORDER_LOSSES)
	orderZones     = uint8(downfallv1.StandingOrder_STANDING_ORDER_ZONES)
	orderRemove    = uint8(downfallv1.StandingOrder_STANDING_ORDER_REMOVE)
	orderAirSupply = uint8(downfallv1.StandingOrder_STANDING_ORDER_AIR_SUPPLY)
	orderDivision  = uint8(downfallv1.StandingOrder_STANDING_ORDER_DIVISION)
	orderPass      = uint8(downfallv1.StandingOrder_STANDING_ORDER_PASS)
	orderForced    = uint8(downfallv1.StandingOrder_STANDING_ORDER_FORCED)
	orderAll       = uint8(downfallv1.StandingOrder_STANDING_ORDER_ALL)
)

// Choices of standing orders. Those from 2 on depend on the order.
const (
	choiceNone uint8 = iota // there is no order
	choiceAsk

	choiceOnly    = 2 // of orders with one thing to do
	supportAir    = 3
	supportNaval  = 4
	supportBoth   = 5
	bombardNone   = 2
	bombardWeak   = 3
	fireWeak      = 2
	breakStay     = 2
	breakDead     = 3
	advanceNobody = 2
	advanceMost   = 3
	lossesWeak    = 2
	zonesInto     = 3 // and as many more as there are zones before
	removeFullest = 2
	airSupplyNone = 2
	allUsual      = 2
)

// standingInfo is a standing order: the words of its choices, who gives it, whether it is about combats, and
// what most players would choose.
type standingInfo struct {
	choices []string
	seats   rules.Seats
	combat  bool
	usual   uint8
}

var bothSeats = rules.SeatsOf(US, Japan)

// standingWords are the words of the orders, by number.
var standingWords = kit.EnumWords(downfallv1.StandingOrder(0), "")

// standings are the orders by number. Every one may be taken back or be to ask; the words are of the choices beside.
var standings = [...]standingInfo{
	orderSupport:   choices("none air naval both", onlyUS, true, choiceNone),
	orderBombard:   choices("none weakest strongest", onlyUS, true, bombardWeak),
	orderFire:      choices("weakest strongest", bothSeats, true, fireWeak),
	orderAbort:     choices("never eliminated always", onlyUS, true, choiceNone),
	orderRetreat:   choices("never eliminated always", onlyUS, true, choiceNone),
	orderWithdraw:  choices("safest", onlyUS, true, choiceOnly),
	orderAdvance:   choices("nobody all", bothSeats, true, advanceMost),
	orderBombs:     choices("none", onlyUS, false, choiceNone),
	orderLosses:    choices("weakest strongest", onlyUS, false, lossesWeak),
	orderZones:     choices("evenly", onlyUS, false, choiceNone),
	orderRemove:    choices("fullest emptiest", onlyJapan, false, removeFullest),
	orderAirSupply: choices("none most", onlyUS, false, choiceNone),
	orderDivision:  choices("keep", onlyUS, false, choiceNone),
	orderPass:      choices("end", bothSeats, false, choiceNone),
	orderForced:    choices("", bothSeats, false, choiceNone),
	orderAll:       choices("usual", bothSeats, false, choiceNone),
}

func choices(words string, seats rules.Seats, combat bool, usual uint8) standingInfo {
	return standingInfo{strings.Fields("- ask " + words), seats, combat, usual}
}

// maxStanding bounds the standing orders of a seat.
const maxStanding = 64

// choicesOf are the words of the choices of a standing order; zones are called by their ids.
func (sc *Scenario) choicesOf(order uint8) []string {
	words := standings[order].choices
	if order == orderZones {
		words = slices.Clone(words)
		for i := range sc.Zones {
			words = append(words, sc.Zones[i].ID)
		}
	}
	return words
}

// standingOf is the standing order that a command gives.
func (c *Command) standingOf() standing {
	return standing{order: uint8(min(c.Detail, math.MaxUint8)), choice: c.Count, hex: c.Hex, units: c.Units}
}

// checkStanding says why a standing order can't be given.
func (p *Position) checkStanding(seat rules.Seat, s standing) *rules.Refusal {
	if s.order == 0 || int(s.order) >= len(standings) {
		return rules.Malformed("there is no standing order %d", s.order)
	}
	id, info, scoped := standingWords[s.order], &standings[s.order], s.hex != NoHex || s.units != 0
	switch n := len(p.sc.choicesOf(s.order)); {
	case int(s.choice) >= n:
		return rules.Malformed("the choice of the standing order %s is %d, expected 0 to %d", id, s.choice, n-1)
	case !info.seats.Has(seat):
		return rules.Malformed("the standing order %s is for the other seat", id)
	case scoped && !info.combat:
		return rules.Malformed("the standing order %s is for the whole game, not for a hex or for units", id)
	case s.units&^p.tab.side(seat) != 0:
		return p.notYours((s.units &^ p.tab.side(seat)).First())
	case s.choice != choiceNone && len(p.orders[seat]) >= maxStanding && p.standingAt(seat, s) < 0:
		return rules.Malformed("a seat has at most %d standing orders", maxStanding)
	}
	return nil
}

// standingAt is where the order for the same question and scope stands; -1 if none does.
func (p *Position) standingAt(seat rules.Seat, s standing) int {
	return slices.IndexFunc(p.orders[seat], func(o standing) bool { return compareStanding(o, s) == 0 })
}

// compareStanding sorts orders by question, hex and units, those for no hex first.
func compareStanding(a, b standing) int {
	return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.hex+1, b.hex+1), cmp.Compare(a.units, b.units))
}

// standingAfter are the orders of a seat when one more is given. The list of the position is left as it is.
func (p *Position) standingAfter(seat rules.Seat, s standing) []standing {
	if s.order == orderAll {
		return standingAll(seat, s.choice)
	}
	list := slices.Clone(p.orders[seat])
	if i := p.standingAt(seat, s); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if s.choice == choiceNone {
		return list
	}
	i, _ := slices.BinarySearchFunc(list, s, compareStanding)
	return slices.Insert(list, i, s)
}

// standingAll are the usual orders of a seat, the order to be asked whatever the options of the game, or none.
func standingAll(seat rules.Seat, choice uint8) (list []standing) {
	if choice == choiceAsk {
		return []standing{{order: orderForced, choice: choiceAsk, hex: NoHex}}
	}
	for order := range orderAll {
		if info := &standings[order]; choice == allUsual && info.usual != choiceNone && info.seats.Has(seat) {
			list = append(list, standing{order: order, choice: info.usual, hex: NoHex})
		}
	}
	return list
}

func (p *Position) playStanding(x *exec, seat rules.Seat, c Command) {
	s := c.standingOf()
	e := &downfallv1.StandingGiven{Seat: seatIDs[seat], Given: p.standingMessage(s)}
	e.Orders = p.standingMessages(p.standingAfter(seat, s))
	x.EmitTo(rules.OnlySeats(seat), fact(e))
}

func (p *Position) standingMessage(s standing) *downfallv1.Standing {
	return &downfallv1.Standing{Order: downfallv1.StandingOrder(s.order), Choice: uint32(s.choice), Hex: p.num(s.hex),
		Units: p.ids(s.units)}
}

func (p *Position) standingMessages(list []standing) (out []*downfallv1.Standing) {
	for _, s := range list {
		out = append(out, p.standingMessage(s))
	}
	return out
}

// standingGiven folds the orders that stand.
func (f *folder) standingGiven(e *downfallv1.StandingGiven) {
	seat := f.seat(e.Seat)
	var list []standing
	for _, m := range e.Orders {
		s := standing{order: f.small(uint32(m.GetOrder()), "order"), choice: f.small(m.Choice, "choice"), hex: NoHex,
			units: f.units(m.Units)}
		if m.Hex != 0 {
			s.hex = f.hex(m.Hex)
		}
		if f.err == nil && !f.p.standsAfter(seat, list, s) {
			f.fail("standing orders that can't stand")
		}
		list = append(list, s)
	}
	if f.err == nil {
		f.p.orders[seat] = list
	}
}

// standsAfter reports whether an order can stand, and behind the others.
func (p *Position) standsAfter(seat rules.Seat, list []standing, s standing) bool {
	n := len(list)
	return s.choice != choiceNone && s.order < orderAll && n < maxStanding && p.checkStanding(seat, s) == nil &&
		(n == 0 || compareStanding(list[n-1], s) < 0)
}

// ordered is what a seat ordered for a question: for its hex, else for its units, else for the whole game. To ask is
// choiceNone.
func (p *Position) ordered(seat rules.Seat, order uint8) uint8 {
	choice, best := choiceNone, -1
	for _, s := range p.orders[seat] {
		if s.order != order {
			continue
		}
		rank := 0
		if s.hex != NoHex {
			rank += 2
			if !p.fight.on || p.fight.target != s.hex {
				continue
			}
		}
		if s.units != 0 {
			rank++
			if !p.fight.on || s.units&(p.fight.attackers|p.fight.defenders) == 0 {
				continue
			}
		}
		if rank >= best {
			choice, best = s.choice, rank
		}
	}
	if choice == choiceAsk && order != orderForced {
		return choiceNone
	}
	return choice
}

// legalStanding lists the standing orders for the whole game, and those for the hex of the combat that goes on.
func (p *Position) legalStanding(seat rules.Seat, yield func(Command) bool) bool {
	scopes := []Hex{NoHex}
	if p.fight.on {
		scopes = append(scopes, p.fight.target)
	}
	for order := uint8(1); int(order) < len(standings); order++ {
		for choice := range p.sc.choicesOf(order) {
			for _, h := range scopes {
				c := only(KindStanding)
				c.Detail, c.Count, c.Hex = uint64(order), uint8(choice), h
				if p.checkStanding(seat, c.standingOf()) == nil && !yield(c) {
					return false
				}
			}
		}
	}
	return true
}

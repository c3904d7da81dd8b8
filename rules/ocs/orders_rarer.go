package ocs

import (
	"cmp"

	"github.com/warledger/warledger/rules"
)

// Answers by standing orders to what is asked on a beach, after a capture and in the Supply Phase.

// byRarerOrder is what the standing orders of a seat answer to such a question; false if they leave it to the seat.
func (p *Position) byRarerOrder(ask Ask, seat rules.Seat) (Command, bool) {
	switch ask {
	case AskBeach:
		c, value := only(KindChooseBeach), p.ordered(seat, orderBeach)
		c.Yes = value == beachFights
		return c, value > 0
	case AskDisplace:
		return p.displaceByOrder(seat)
	case AskYield:
		return p.yieldByOrder(seat)
	case AskRestock:
		if p.ordered(seat, orderRestock) > 0 {
			return p.restockByOrder(seat)
		}
	case AskFeed:
		return p.feedByOrder(seat)
	}
	return Command{}, false
}

// displaceByOrder places a transport or extender (OCS 9.14c, OCS 12.7h): in the nearest refuge that is ordered, or else
// near or far from the enemy as ordered.
func (p *Position) displaceByOrder(seat rules.Seat) (Command, bool) {
	f := inner[*capture](p)
	value := p.orderedIn(seat, orderDisplace, subject{at: f.at, units: []Unit{f.unit}})
	foes := p.seen(enemy(seat))
	var best Command
	var rank [3]int
	found := false
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		if c.Kind != KindDisplace {
			return true
		}
		r := p.placeRank(seat, c, value, foes)
		if (value > 0 || r[0] < 0) && (!found || less(r, rank)) {
			best, rank, found = c, r, true
		}
		return true
	})
	return best, found
}

// less compares ranks of places, the better first.
func less(a, b [3]int) bool {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2])) < 0
}

// placeRank ranks a place for a displaced unit; the lowest is best. An ordered refuge comes first, then what the order
// names (nearness, or distance from the enemy), then the other of the two.
func (p *Position) placeRank(seat rules.Seat, c Command, value int, foes []Hex) (r [3]int) {
	if p.orderedIn(seat, orderRefuge, subject{at: c.At, units: []Unit{c.Unit}}) > 0 {
		r[0], value = -1, displaceNear
	}
	r[1], r[2] = p.distance(p.units[c.Unit].place.Hex(), c.At.Hex()), -p.nearest(c.At.Hex(), foes)
	if value == displaceFar {
		r[1], r[2] = r[2], r[1]
	}
	return r
}

// seen are the hexes with pieces of a seat. Both sides may see that a hex has pieces, but not which (OCS 4.9).
func (p *Position) seen(of rules.Seat) (list []Hex) {
	for h := range p.cells[:len(p.sc.Hexes)] {
		if p.cells[h].pieces[of] > 0 {
			list = append(list, Hex(h))
		}
	}
	return list
}

// nearest is the distance to the nearest of some hexes; 0 without any.
func (p *Position) nearest(from Hex, list []Hex) (n int) {
	for i, h := range list {
		if d := p.distance(from, h); i == 0 || d < n {
			n = d
		}
	}
	return n
}

// yieldByOrder gives up ordinary or organic trucks first (OCS 9.14c).
func (p *Position) yieldByOrder(seat rules.Seat) (Command, bool) {
	f := inner[*capture](p)
	s := subject{at: f.at}
	for u := range p.of(seat, f.at) {
		s.units = append(s.units, u)
	}
	c, value := only(KindYield), p.orderedIn(seat, orderYield, s)
	ordinary, organic := p.mixed(f)
	if c.M = max(0, f.points-ordinary); value == yieldOrganic {
		c.M = min(f.points, organic)
	}
	return c, value > 0
}

// restockByOrder restocks by the first choice of the list. It spends what orders keep back only once nothing else can
// pay. Restocking is compulsory (OCS 12.10e-A), so to end restocking is the last choice of the list.
func (p *Position) restockByOrder(seat rules.Seat) (Command, bool) {
	var list []Command
	if p.ordersOn(seat, orderKeep) {
		p.Legal(seat, rules.Filter{}, func(c Command) bool {
			if c.Kind == KindRestock {
				list = append(list, c)
			}
			return true
		})
	}
	for _, c := range list {
		c.Lines = gather(p.unkept(seat, []Unit{c.Unit}, 0), p.restockPrice(c.Unit))
		if p.check(seat, &c) == nil {
			return c, true
		}
	}
	return p.firstAnswer(seat)
}

// feedByOrder feeds those who are ordered to eat, all of a hex together if there is enough (OCS 12.6c). It ends feeding
// once no other unit that the seat wants to be asked about can eat. While a formation needs a choice, it can't end
// (OCS 12.6f). The seat is asked about those who could eat only what orders keep back.
func (p *Position) feedByOrder(seat rules.Seat) (Command, bool) {
	var eat []Unit // hex by hex
	asks := !p.ordersOn(seat, orderFeed)
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		if c.Kind != KindFeed || len(c.Units) > 1 {
			return true
		}
		u := c.Units[0]
		switch p.orderedIn(seat, orderFeed, subject{at: p.units[u].place, units: c.Units}) {
		case 0:
			asks = true
		case feedAlways:
			eat = append(eat, u)
		}
		return true
	})
	if len(eat) == 0 {
		return only(KindDone), !asks
	}
	for len(eat) > 0 {
		n := 1
		for n < len(eat) && p.units[eat[n]].place == p.units[eat[0]].place {
			n++
		}
		if c, ok := p.feedKeeping(seat, eat[:n]); ok {
			return c, true
		}
		for i := range n {
			if c, ok := p.feedKeeping(seat, eat[i:i+1]); ok {
				return c, true
			}
		}
		eat = eat[n:]
	}
	return Command{}, false
}

// feedKeeping feeds units with what no order keeps back; false if it can't.
func (p *Position) feedKeeping(seat rules.Seat, units []Unit) (Command, bool) {
	c := only(KindFeed)
	c.Units, c.Lines = units, gather(p.unkept(seat, units, 0), p.feedPrice(units))
	return c, p.check(seat, &c) == nil
}

// ordersOn reports whether a seat has an order, for the whole game or a part of it.
func (p *Position) ordersOn(seat rules.Seat, order int) bool {
	for i := range p.limited[seat] {
		if p.limited[seat][i].order == order {
			return true
		}
	}
	return p.register(seat, orderRegister(order)) > 0
}

package greedy

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary"
)

// A power whose armies can reach no enemy capital over land fights overseas. If its general is seaborne, all that it
// buys comes in at its own capital, from which its transports go to and fro. Each turn it buys a transport if it has
// men for it and new escorts can guard it, men to fill it, and aircraft for the rest.

// Bounds of an expedition.
const (
	// mostEscorts is how many escorts are bought for a transport.
	mostEscorts = 4
	// dare is what new ships may stand to lose before their first move, in IPCs.
	dare = 3.0
	// spare is how many men wait beside those for whom there are transports.
	spare = 4
	// voyage is how far from the capital, by sea, a coast is worth an aim, and how near to it transports count.
	voyage = 4
)

// overseas reports whether the seat has its capital and can reach no enemy one from there over land.
func (f *field) overseas() bool {
	home := f.home(f.seat)
	if home < 0 || f.owner[home] != f.seat {
		return false
	}
	for t, w := range f.capital {
		if w < anniversary.NumSeats && w.Side() != f.side && f.march[home][t] < tooFar {
			return false
		}
	}
	return true
}

// crossing picks the coast to land on, of those that are near to the capital by sea: the richest that the transports
// about can hope to take, the nearer the better.
func (g *general) crossing(f *field) objective {
	best := objective{to: -1}
	for t := range f.ids {
		if f.sea[t] || !f.hostile(t) || len(f.shores[t]) == 0 {
			continue
		}
		near := tooFar
		for _, z := range f.shores[f.home(f.seat)] {
			near = min(near, f.fromShore(z, t))
		}
		if near > voyage {
			continue
		}
		lift := 2
		for z := range f.ids {
			if n := f.by[f.seat][z][anniversary.Transport]; n > 0 && f.fromShore(z, t) <= voyage {
				lift += n
			}
		}
		if w := g.landingWorth(f, t, lift, near); w > best.worth {
			best = objective{t, w}
		}
	}
	return best
}

// landingWorth is what a coast is worth to a number of transports at a distance.
func (g *general) landingWorth(f *field, t, lift, near int) float64 {
	b := battle{att: f.near(t), def: *f.enemies(t)}
	b.att[anniversary.Infantry] += lift
	b.att[anniversary.Tank] += lift
	w := (f.prize(t) + 2) * max(0.05, g.odds.rough(b).taken)
	for range (near + 1) / 2 {
		w *= fade
	}
	return w
}

// expedition buys what an overseas power needs, until its money or the room in its complexes is spent.
func (s *shopper) expedition() {
	home := s.home(s.seat)
	men, lift := 0, 0
	for at := range s.ids {
		if s.sea[at] {
			lift += 2*s.by[s.seat][at][anniversary.Transport] - s.aboard[at]
		} else if s.march[at][home] <= 2 {
			men += foot(&s.by[s.seat][at])
		}
	}
	if s.fills(men, lift) {
		s.convoy(home)
	}
	lift += 2 * s.cart[anniversary.Transport]
	for ; men < lift+spare; men++ {
		u := anniversary.Infantry
		if men%2 == 1 {
			u = anniversary.Tank
		}
		if s.buy(u, 1) == 0 && s.buy(anniversary.Infantry, 1) == 0 {
			break
		}
	}
	for s.room > 0 {
		u := anniversary.Fighter
		if s.left%2 == 0 {
			u = anniversary.Bomber
		}
		if s.buy(u, 1) == 0 && s.buy(anniversary.Fighter, 1) == 0 {
			break
		}
	}
}

// fills reports whether the men who wait, and those who can be paid with the rest, would fill another transport.
func (s *shopper) fills(men, lift int) bool {
	ship, tank := s.price[anniversary.Transport], s.price[anniversary.Tank]
	pair := s.price[anniversary.Infantry] + tank
	for left := s.left; left >= ship+tank; left -= pair {
		if men >= lift+2 {
			return true
		}
		men += 2
	}
	return false
}

// convoy buys a transport with the fewest escorts that make it safe; nothing if none do.
func (s *shopper) convoy(home int) {
	for escorts := range mostEscorts + 1 {
		cost := s.price[anniversary.Transport] + escorts*s.price[anniversary.Destroyer]
		if escorts+1 > s.room || cost > s.left {
			return
		}
		if s.berth(home, &stack{anniversary.Transport: 1, anniversary.Destroyer: escorts}) {
			s.buy(anniversary.Destroyer, escorts)
			s.buy(anniversary.Transport, 1)
			return
		}
	}
}

// berth reports whether new ships are safe in some zone next to a territory.
func (s *shopper) berth(home int, fleet *stack) bool {
	return s.capacity[home] > 0 && slices.ContainsFunc(s.shores[home], func(z int) bool {
		return surface(s.enemies(z)) == 0 && s.g.peril(s.field, z, sum(s.friends(z), fleet)) <= dare
	})
}

// mooring is how good a zone is for a new ship of an overseas power: the safer with all that are to come, and with
// company, the better.
func (g *general) mooring(f *field, o *option) float64 {
	v := 100 - g.peril(f, o.to, sum(f.friends(o.to), &f.waiting)) + float64(min(4, ships(f.friends(o.to))))
	if surface(f.enemies(o.to)) > 0 {
		v -= 60
	}
	if o.from != f.home(f.seat) {
		v -= 40
	}
	return max(v, 1)
}

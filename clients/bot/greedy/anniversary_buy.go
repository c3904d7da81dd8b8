package greedy

import (
	"slices"
	"strconv"

	"github.com/warledger/warledger/rules/anniversary"
)

// shopper spends a treasury.
type shopper struct {
	*field
	g     *general
	price [anniversary.NumUnits]int
	left  int // IPC
	room  int // units that complexes can still bring in
	cart  stack
}

// purchase repairs what it must and buys once a turn.
func (g *general) purchase(f *field, list []*option) []order {
	s := &shopper{field: f, g: g, left: f.rich[f.seat]}
	for _, o := range only(list, "buy") {
		if o.unit < anniversary.NumUnits {
			s.price[o.unit] = o.cost
		}
	}
	for at := range f.ids {
		if f.held[at] && f.owner[at] == f.seat {
			s.room += max(0, f.capacity[at])
		}
	}
	if s.room*5 < s.left {
		if o := g.repair(f, list); o != nil {
			return []order{one(o)}
		}
	}
	if g.stage > 0 {
		return nil
	}
	g.stage++
	s.room -= total(&f.waiting)
	s.spend()
	command := ""
	for u, n := range s.cart {
		if n > 0 {
			command += " " + strconv.Itoa(n) + " " + anniversary.Unit(u).ID()
		}
	}
	if command == "" {
		return nil
	}
	for _, o := range only(list, "buy") {
		return []order{{index: o.index, command: o.command, instead: "buy" + command}}
	}
	return nil
}

func total(s *stack) (n int) {
	for _, k := range s {
		n += k
	}
	return n
}

// repair finds damage that keeps units from coming in.
func (g *general) repair(f *field, list []*option) *option {
	for _, o := range only(list, "repair") {
		if o.to >= 0 && f.damage[o.to] > 0 {
			return o
		}
	}
	return nil
}

// buy puts up to n units of a type into the cart.
func (s *shopper) buy(u anniversary.Unit, n int) int {
	bought := 0
	for bought < n && s.cart[u] < mostUnits && s.price[u] > 0 && s.price[u] <= s.left && s.room > 0 {
		s.cart[u]++
		s.left -= s.price[u]
		s.room--
		bought++
	}
	return bought
}

// spend buys what the capital lacks, then transports and what they need, then an army or aircraft.
func (s *shopper) spend() {
	pull, aim := s.g.pulls(s.field), s.g.aimAt(s.field)
	home := s.home(s.seat)
	if home >= 0 {
		s.buy(anniversary.Infantry, s.g.lacking(s.field, home, *s.friends(home)))
	}
	front := s.front(pull)
	if s.colony(pull, front) {
		s.left -= s.price[anniversary.Complex]
		s.cart[anniversary.Complex]++
	}
	switch {
	case aim.to < 0:
	case s.g.crosses(s.field):
		s.expedition()
	default:
		s.navy(front, aim)
	}
	s.army(front)
}

// front reports whether armies from own complexes can march on an enemy before long.
func (s *shopper) front(pull []float64) bool {
	for at := range s.ids {
		if s.held[at] && s.owner[at] == s.seat && pull[at] > 4 {
			return true
		}
	}
	return false
}

// colony reports whether a complex nearer to the enemy is worth its price.
func (s *shopper) colony(pull []float64, front bool) bool {
	p := s.price[anniversary.Complex]
	if front || p == 0 || s.left < p+6 || s.waiting[anniversary.Complex] > 0 {
		return false
	}
	return s.bestColony(pull) >= 0
}

// bestColony is the own territory in which a new complex brings most to the front; -1 if none exists.
func (f *field) bestColony(pull []float64) int {
	best, most := -1, 8.0
	for at := range f.ids {
		if f.sea[at] || f.owner[at] != f.seat || f.held[at] || f.value[at] < 2 || foot(f.friends(at)) < 1 {
			continue
		}
		if w := pull[at] + 2*float64(f.value[at]); pull[at] > 4 && w > most {
			best, most = at, w
		}
	}
	return best
}

// navy buys transports for those who wait, and warships where enemy ones are near.
func (s *shopper) navy(front bool, aim objective) {
	have, warships, foes := 0, 0, 0
	for z := range s.ids {
		if !s.sea[z] {
			continue
		}
		have += s.by[s.seat][z][anniversary.Transport]
		warships += surface(&s.by[s.seat][z])
		for at := range s.ids {
			if s.held[at] && s.owner[at] == s.seat && s.fromShore(z, at) <= 2 {
				foes += surface(s.enemies(z)) + s.enemies(z)[anniversary.Submarine]
				break
			}
		}
	}
	want := min(8, 2+s.rich[s.seat]/10)
	if front {
		want = 0
		if !s.g.landward && s.round > 2 && s.city[aim.to] && aim.worth > 10 && s.rich[s.seat] >= 30 {
			want = min(8, s.rich[s.seat]/10)
		}
	}
	if want == 0 || !s.harbour() {
		return
	}
	if foes > warships {
		s.buy(anniversary.Destroyer, min(2+s.left/40, foes-warships))
	}
	most := 2
	if s.left >= plenty { // all at once, so that they sail before they are hunted down
		most = want
	}
	s.buy(anniversary.Transport, min(most, want-have))
}

// plenty is a treasury that pays for a whole fleet.
const plenty = 60

// harbour reports whether any own complex with room lies at a sea without enemy warships.
func (s *shopper) harbour() bool {
	for at := range s.ids {
		if s.held[at] && s.owner[at] == s.seat && s.capacity[at] > 0 &&
			slices.ContainsFunc(s.shores[at], func(z int) bool { return surface(s.enemies(z)) == 0 }) {
			return true
		}
	}
	return false
}

// army spends the rest: infantry, artillery and tanks in turn; what complexes can't bring in as men comes as aircraft.
func (s *shopper) army(front bool) {
	if !front {
		waiting := 0
		for at := range s.ids {
			if s.held[at] && s.owner[at] == s.seat {
				waiting += foot(&s.by[s.seat][at])
			}
		}
		if waiting > 12 {
			s.buy(anniversary.Fighter, 2)
			s.buy(anniversary.Bomber, 2)
		}
	}
	mix := [...]anniversary.Unit{
		anniversary.Infantry, anniversary.Tank, anniversary.Infantry, anniversary.Artillery, anniversary.Infantry,
		anniversary.Tank,
	}
	for i := 0; s.room > 0 && s.left >= s.price[anniversary.Infantry]; i++ {
		u := mix[i%len(mix)]
		switch per := s.left / s.room; {
		case per >= 11 && i%2 == 0:
			u = anniversary.Bomber
		case per >= 9:
			u = anniversary.Fighter
		case per >= 5:
			u = anniversary.Tank
		}
		if s.buy(u, 1) == 0 && s.buy(anniversary.Infantry, 1) == 0 {
			break
		}
	}
}

// muster is how much better the capital is for new units where armies are shipped from there.
const muster = 3

// mobilize puts units on the map one by one: armies where they can march farthest, ships where the fleet is.
func (g *general) mobilize(f *field, list []*option) []order {
	pull := g.pulls(f)
	colony := f.bestColony(pull)
	shipped := g.crosses(f)
	var best *option
	most := 0.0
	for _, o := range only(list, "place") {
		w := f.post(o, pull, colony)
		switch {
		case !shipped || o.to < 0:
		case f.sea[o.to]:
			w = g.mooring(f, o)
		case f.capital[o.to] == f.seat:
			w += muster
		}
		if best == nil || w > most {
			best, most = o, w
		}
	}
	if best == nil || most < 0 {
		return nil
	}
	return []order{one(best)}
}

// post is how good a place is for a new unit; dear ones go first, as room is short.
func (f *field) post(o *option, pull []float64, colony int) float64 {
	v := 1.0
	switch {
	case o.to < 0 || o.unit >= anniversary.NumUnits:
		return 0
	case o.unit == anniversary.Complex:
		if o.to != colony {
			return -1
		}
		return 1000
	case f.sea[o.to]:
		v += 100 + 2*float64(min(4, ships(f.friends(o.to)))) + 0.2*float64(f.capacity[max(0, o.from)])
		if surface(f.enemies(o.to)) > 0 {
			v -= 60
		}
	default:
		v += pull[o.to] - 0.1*float64(foot(f.friends(o.to)))
		if o.unit == anniversary.Fighter || o.unit == anniversary.Bomber {
			v += 50
		}
	}
	return v
}

package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// eachPort lists the plans of the side's transports, zone by zone.
func (l *lister) eachPort(plans func(Group)) {
	p := l.p
	for z := p.sc.Land; int(z) < p.sc.Len() && !l.done; z++ {
		ours, kinds := false, 0
		for _, g := range p.at(z) {
			if g.Unit() == Transport {
				ours = ours || g.Power().Side() == p.side()
				kinds++
			}
		}
		if !ours || l.knowsPort(z) {
			continue
		}
		l.ships, l.mixed = l.ships[:0], kinds > 1
		for _, g := range p.at(z) {
			if g.Unit() == Transport && g.Power().Side() == p.side() && !l.done {
				plans(g)
			}
		}
		l.learnPort()
	}
}

// sail offers a plan of transports, each once.
func (l *lister) sail(c Command) {
	if l.mixed {
		for i := range l.ships {
			if l.ships[i] == c {
				return
			}
		}
		l.ships = append(l.ships, c)
	}
	l.offer(c)
}

// assaults lists the assaults of transports that lie in a port: what is aboard, and one or two units loaded on the way.
func (l *lister) assaults(g Group) {
	p := l.p
	if p.acting == China || g.Target() != NoSpace {
		return
	}
	own := g.Power() == p.acting
	if own && !p.ready(g.Key) || !own && !p.carries(g.Key, p.acting) {
		return
	}
	l.assaultsFrom(g.Key, NoSpace, g.At())
	if !own {
		return
	}
	seen := scenario.SpacesOf(g.At())
	for _, a := range p.sc.Lanes[g.At()] {
		if !seen.Has(a.To) {
			seen.Add(a.To)
			l.assaultsFrom(g.Key, NoSpace, a.To)
		}
	}
	for _, a := range p.sc.Lanes[g.At()] {
		for _, b := range p.sc.Lanes[a.To] {
			if !seen.Has(b.To) {
				seen.Add(b.To)
				l.assaultsFrom(g.Key, a.To, b.To)
			}
		}
	}
}

// carries reports whether units of a power are aboard that were there when the turn began.
func (p *Position) carries(k Key, w Power) bool {
	for _, c := range k.Cargo() {
		if c != 0 && c.Power() == w && c&loaded == 0 {
			return true
		}
	}
	return false
}

// assaultsFrom lists the assaults from the end of a way.
func (l *lister) assaultsFrom(k Key, via, to Space) {
	p := l.p
	coast := false
	for _, s := range p.sc.LandNear[to] {
		coast = coast || p.wasHostile(s)
	}
	if !coast {
		return
	}
	c := at(KindShip, to)
	c.Power, c.N, c.From, c.Via = k.Power(), 1, k.At(), via
	l.o.quiet = true
	if p.seaPath(c.From, c.Via, c.To, false, &l.o) != nil {
		return
	}
	for _, have := range k.Cargo() {
		if have != 0 && have.Power() == p.acting && have.Unit() != AAGun {
			c = c.with(Item{Unit: have.Unit(), N: 1, Power: p.acting, At: NoSpace})
		}
	}
	var ports [16]Item
	n := 0
	if k.Power() == p.acting {
		n = l.ports(c, &ports)
	}
	for _, s := range p.sc.LandNear[to] {
		if !p.wasHostile(s) {
			continue
		}
		c.Target = s
		l.loads(c, k, ports[:n])
	}
}

// ports are the units that can be loaded on a way, by type and territory.
func (l *lister) ports(c Command, list *[16]Item) int {
	p := l.p
	n := 0
	var seen SpaceSet
	path := [3]Space{c.From, c.Via, c.To}
	for _, z := range path {
		if z == NoSpace || p.hostileSea(z) || p.startHostile.Has(z) {
			continue
		}
		for _, s := range p.sc.LandNear[z] {
			if seen.Has(s) || !p.wasFriendly(s) {
				continue
			}
			seen.Add(s)
			for u := Infantry; u <= Tank; u++ {
				if n < len(list) && p.count(keyOf(s, p.acting, u)) > 0 {
					list[n] = Item{Unit: u, N: 1, Power: p.acting, At: s}
					n++
				}
			}
		}
	}
	return n
}

// loads lists a plan with what is aboard and what can be loaded beside it.
func (l *lister) loads(c Command, k Key, ports []Item) {
	room := 0
	for _, have := range k.Cargo() {
		if have == 0 {
			room++
		}
	}
	if c.Len > 0 {
		l.sail(c)
	}
	if room == 0 {
		return
	}
	for i, a := range ports {
		l.sail(c.with(a))
		if room < 2 {
			continue
		}
		for _, b := range ports[i:] {
			if a.Unit == Infantry || b.Unit == Infantry {
				l.sail(c.with(a).with(b))
			}
		}
	}
}

// ferries lists the steps of transports in Noncombat Move: load a unit, land what is aboard. They sail as moves.
func (l *lister) ferries(g Group) {
	p := l.p
	if p.acting == China || g.Has(Done) || p.hostileSea(g.At()) || g.Power() == p.power && !p.ready(g.Key) {
		return
	}
	c := at(KindShip, g.At())
	c.Power, c.N, c.From = g.Power(), 1, g.At()
	cargo := g.Cargo()
	if cargo[1] == 0 {
		l.boarding(c, cargo[0])
	}
	l.landingsOf(c, g.Key)
}

// boarding lists the units that can go aboard next.
func (l *lister) boarding(c Command, have Cargo) {
	p := l.p
	for _, s := range p.sc.LandNear[c.From] {
		if !p.friendly(s) {
			continue
		}
		for u := Infantry; u <= AAGun; u++ {
			if (have == 0 || have.Unit() == Infantry || u == Infantry) && p.count(keyOf(s, p.power, u)) > 0 {
				it := Item{Unit: u, N: 1, Power: p.power, At: s}
				if have != 0 && have.Power() == p.power {
					c2 := c.with(Item{Unit: have.Unit(), N: 1, Power: p.power, At: NoSpace, Stays: true})
					l.sail(c2.with(it))
					continue
				}
				l.sail(c.with(it))
			}
		}
	}
}

// landingsOf lists the landings of own cargo: all of it, and each unit alone.
func (l *lister) landingsOf(c Command, k Key) {
	p := l.p
	var own [2]Item
	n := 0
	for _, have := range k.Cargo() {
		if have != 0 && have.Power() == p.power {
			own[n] = Item{Unit: have.Unit(), N: 1, Power: p.power, At: NoSpace}
			n++
		}
	}
	if n == 0 {
		return
	}
	for _, s := range p.sc.LandNear[c.From] {
		if !p.friendly(s) {
			continue
		}
		c.Target = s
		if n == 2 {
			l.sail(c.with(own[0]).with(own[1]))
		}
		for i := range n {
			if i == 1 && own[0].Unit == own[1].Unit {
				break
			}
			l.sail(c.with(own[i]))
		}
	}
}

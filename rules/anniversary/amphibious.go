package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Amphibious assaults (AA 9.3): sea combat, bombardment, land combat.

// assaultOn reports whether cargo is to land in a territory.
func (p *Position) assaultOn(s Space) bool {
	for _, g := range p.groups {
		if g.Target() == s && g.Unit() == Transport {
			return true
		}
	}
	return false
}

// beginLand begins a land combat of all that attack the territory, by land, sea and air (AA 9.3.11): what is declared
// to land lands (AA 9.3.10, AA 9.3.12), submarines and transports in the zones being left alone (AA 9.3.3).
// Bombardment comes next if any ship may (AA 9.3.5).
func (p *Position) beginLand(x *exec, s Space) {
	e := &anniversaryv1.BattleBegan{Space: p.sc.SpaceID(s), Stage: anniversaryv1.Stage(StageAntiaircraft),
		Origins: p.spaceIDs(p.originsOf(s))}
	var list []change
	var zones SpaceSet
	for _, g := range p.groups {
		if g.Target() != s || g.Unit() != Transport {
			continue
		}
		zones.Add(g.At())
		list = append(list, p.ashore(g, s, &e.Landed)...)
	}
	for z := range zones.Each {
		if p.enemies(z) && !p.fought.Has(z) {
			emit(x, &anniversaryv1.ZoneIgnored{Zone: p.sc.SpaceID(z)})
		}
	}
	e.Changes, e.Shores = p.changes(list), p.spaceIDs(zones)
	if e.Landed > 0 && p.bombardTargets(s) > 0 && p.batteries(s, nil) > 0 {
		e.Stage = anniversaryv1.Stage(StageBombard)
	}
	emit(x, e)
}

// ashore lands the cargo of transports; they are done (AA 15.13.10), allies' ships only lose their target (AA 11.2.4).
func (p *Position) ashore(g Group, s Space, landed *uint32) []change {
	var kept [2]Cargo
	var list []change
	for i, c := range g.Cargo() {
		if c&lands == 0 {
			kept[i] = c
			continue
		}
		*landed += uint32(g.N)
		list = append(list, change{after: keyOf(s, c.Power(), c.Unit()).mark(Moved | Seaborne), n: g.N})
	}
	after := g.carrying(kept).aimedAt(NoSpace).cameFrom(NoSpace)
	if g.Power() == p.acting {
		after = after.mark(Done | Seaborne)
	}
	return append(list, change{g.Key, after, g.N})
}

// bombardTargets counts the land units that a bombardment can hit (AA 9.3.9).
func (p *Position) bombardTargets(s Space) int {
	n := 0
	for _, g := range p.at(s) {
		if g.Power().Side() != p.side() && g.Unit().In(scenario.Capturing) && !g.Has(Hit) {
			n += int(g.N)
		}
	}
	return n
}

// batteries counts the ships that may bombard a territory: battleships and cruisers in zones that cargo lands from (AA
// 9.3.6), in which no sea combat took place (AA 9.3.5), once a turn. It calls visit for each kind of them, if given.
func (p *Position) batteries(s Space, visit func(k Key, n uint16)) int {
	n := 0
	for _, z := range p.sc.SeaNear[s] {
		if p.fought.Has(z) || !p.landsFrom(z, s) {
			continue
		}
		for _, g := range p.at(z) {
			if g.Power() == p.acting && g.Unit().In(scenario.Bombarders) && !g.Has(Done|Bombarded) {
				n += int(g.N)
				if visit != nil {
					visit(g.Key, g.N)
				}
			}
		}
	}
	return n
}

// landsFrom reports whether cargo lands, or has just landed, from a zone in a territory: its transports are still aimed
// at it or have no target any more.
func (p *Position) landsFrom(z, s Space) bool {
	if !p.battle.on() {
		for _, g := range p.at(z) {
			if g.Target() == s {
				return true
			}
		}
		return false
	}
	return p.battle.shores.Has(z)
}

func (p *Position) mayBombard() int {
	return min(int(p.battle.landed), p.batteries(p.battle.at, nil))
}

// checkBombard: ships that may, no more than units came ashore (AA 9.3.7).
func (p *Position) checkBombard(c *Command) *rules.Refusal {
	total := 0
	for i, it := range c.items() {
		if !it.Unit.In(scenario.Bombarders) || it.N == 0 {
			return p.refuseAt("AA 9.3.6", "refuse.no-bombarder", p.battle.at)
		}
		for _, other := range c.Items[:i] {
			if other.Unit == it.Unit && other.At == it.At {
				return rules.Malformed("ships of one kind and zone are given twice")
			}
		}
		have := 0
		p.batteries(p.battle.at, func(k Key, n uint16) {
			if k.At() == it.At && k.Unit() == it.Unit {
				have += int(n)
			}
		})
		if have < int(it.N) {
			return p.refuseAt("AA 9.3.6", "refuse.no-bombarder", p.battle.at, "n", int(it.N), "have", have)
		}
		total += int(it.N)
	}
	if most := int(p.battle.landed); total > most {
		return p.refuseAt("AA 9.3.7", "refuse.bombard-limit", p.battle.at, "n", total, "most", most)
	}
	return nil
}

// bombard fires: battleships with 4, cruisers with 3 (AA 9.3.8, AA 15.10.3). No more hits count than land units are
// there (AA 9.3.9).
func (p *Position) bombard(x *exec, c *Command) {
	e := &anniversaryv1.Bombarded{Territory: p.sc.SpaceID(p.battle.at)}
	var list []change
	var guns [8]uint16 // by value
	for _, it := range c.items() {
		left := uint16(it.N)
		p.batteries(p.battle.at, func(k Key, n uint16) {
			if k.At() != it.At || k.Unit() != it.Unit || left == 0 {
				return
			}
			take := min(left, n)
			left -= take
			list = append(list, change{k, k.mark(Bombarded | Moved), take})
			guns[min(7, p.attackOf(k))] += take
		})
	}
	hits := 0
	for v := len(guns) - 1; v > 0; v-- {
		if guns[v] > 0 {
			hits += p.volley(x, &e.Volleys, p.acting, v, int(guns[v]), "bombardment")
		}
	}
	hits = min(hits, p.bombardTargets(p.battle.at))
	e.Hits, e.Changes, e.Stage = uint32(hits), p.changes(list), anniversaryv1.Stage(StageAntiaircraft)
	if hits > 0 {
		e.Stage = anniversaryv1.Stage(StageBombardLosses)
	}
	emit(x, e)
}

// bombardAll bombards with as many ships as may, the strongest first.
func (p *Position) bombardAll() Command {
	c := only(KindBombard)
	left := int(p.battle.landed)
	for _, u := range [2]Unit{Battleship, Cruiser} {
		p.batteries(p.battle.at, func(k Key, n uint16) {
			if k.Unit() != u || left == 0 || c.Len >= MaxItems {
				return
			}
			take := min(left, int(n), 255)
			left -= take
			for i := range c.items() {
				if it := &c.Items[i]; it.Unit == u && it.At == k.At() {
					it.N += uint8(take)
					return
				}
			}
			it := line(u, uint8(take))
			it.At = k.At()
			c = c.with(it)
		})
	}
	return c
}

// dropAssaults gives up the assaults from zones that the fleet could not clear, which ends them (AA 9.3.10, AA
// 9.3.16): transports keep their cargo (AA 8.8.3) and are done.
func (p *Position) dropAssaults(x *exec) bool {
	for i := range p.groups {
		if g := p.groups[i]; g.Target() != NoSpace && g.Unit() == Transport {
			p.failLanding(x, g.At())
			return true
		}
	}
	return false
}

func (p *Position) failLanding(x *exec, z Space) {
	var list []change
	for _, g := range p.at(z) {
		if g.Target() == NoSpace || g.Unit() != Transport {
			continue
		}
		list = append(list, change{g.Key, p.stood(g.Key), g.N})
	}
	if len(list) > 0 {
		emit(x, &anniversaryv1.LandingFailed{Zone: p.sc.SpaceID(z), Changes: p.changes(list)})
	}
}

// stood is a transport that gave up its assault.
func (p *Position) stood(k Key) Key {
	c := k.Cargo()
	for i := range c {
		c[i] &^= lands
	}
	k = k.carrying(c).aimedAt(NoSpace)
	if k.Power() == p.acting {
		k = k.mark(Done)
	}
	return k
}

package greedy

import (
	"github.com/warledger/warledger/rules/anniversary"
)

// ferry gives each transport its next step.
func (r *regrouping) ferry(list []*option) {
	if r.aim.to < 0 {
		return
	}
	moves := map[string][]*option{}
	steps := map[string][]*option{}
	var ids []string
	for _, o := range list {
		if o.unit != anniversary.Transport || o.kind != "move" && o.kind != "ship" || o.power != r.seat {
			continue
		}
		if moves[o.piece] == nil && steps[o.piece] == nil {
			ids = append(ids, o.piece)
		}
		if o.kind == "move" {
			moves[o.piece] = append(moves[o.piece], o)
		} else {
			steps[o.piece] = append(steps[o.piece], o)
		}
	}
	taken := map[[2]int]int{}
	for _, id := range ids {
		p := r.pieces[id]
		if p == nil || marked(p, "done") {
			continue
		}
		z, full := r.at(p.Place), r.freight[id]
		if o := r.ashore(steps[id], z, full); o != nil {
			r.orders = append(r.orders, one(o))
			continue
		}
		if o := r.aboardNext(steps[id], z, taken); o != nil {
			r.orders = append(r.orders, one(o))
			continue
		}
		if o := r.course(moves[id], z, full > 0); o != nil {
			r.orders = append(r.orders, many(o, int(p.Count)))
		}
	}
}

// seaWorth is what the landing is worth to a unit aboard in a zone.
func (r *regrouping) seaWorth(z int) float64 {
	w := (r.prize(r.aim.to) + 2)
	for range (r.fromShore(z, r.aim.to) + 1) / 2 {
		w *= fade
	}
	return min(w, r.aim.worth*2)
}

// ashore lands freight on a friendly coast from which more can be won than by a landing.
func (r *regrouping) ashore(steps []*option, z, full int) *option {
	var best *option
	most := r.seaWorth(z)
	for _, o := range steps {
		if o.target < 0 || len(o.loads) < full {
			continue
		}
		if w := r.pull[o.target]; w > most && r.stands(o.target, o.force()) {
			best, most = o, w
		}
	}
	return best
}

// aboardNext loads what can do more beyond the sea than where it is.
func (r *regrouping) aboardNext(steps []*option, z int, taken map[[2]int]int) *option {
	var best *option
	most := 0.0
	for _, o := range steps {
		if o.target >= 0 {
			continue
		}
		for _, l := range o.loads {
			if l.at < 0 || l.unit == anniversary.AAGun {
				continue
			}
			there := r.by[r.seat][l.at]
			spare := foot(&there) - max(r.keep[l.at], 0) - taken[[2]int{l.at, -1}]
			have := there[l.unit] - taken[[2]int{l.at, int(l.unit)}]
			if spare <= 0 || have <= 0 || r.pull[l.at]*1.2 > r.seaWorth(z) {
				continue
			}
			if w := 1 + float64(l.unit) - r.pull[l.at]/100; w > most {
				best, most = o, w
			}
		}
	}
	if best != nil {
		for _, l := range best.loads {
			if l.at >= 0 {
				taken[[2]int{l.at, -1}]++
				taken[[2]int{l.at, int(l.unit)}]++
			}
		}
	}
	return best
}

// course is the next leg: laden to where the landing can be made from, empty to where somebody waits.
func (r *regrouping) course(moves []*option, z int, laden bool) *option {
	var goals []int
	if !laden {
		goals = r.waitingZones()
	}
	away := func(at int) float64 {
		d := float64(tooFar)
		if laden {
			d = float64(max(2, r.fromShore(at, r.aim.to)))
		}
		for _, goal := range goals {
			d = min(d, float64(r.field.sail[at][goal]))
		}
		switch {
		case r.g.seaborne:
			d += r.detour(at, z)
		case r.hunted(at):
			d += 0.7
		}
		return d
	}
	var best *option
	least := away(z) - 0.5
	for _, o := range moves {
		if d := away(o.to); d < least {
			best, least = o, d
		}
	}
	return best
}

// perStep is how much peril, in IPCs, a transport shuns as it does one step more of its way.
const perStep = 4.0

// detour is how many steps of its way a transport in one zone would go to keep out of another.
func (r *regrouping) detour(to, from int) float64 {
	fleet := r.escorted(to)
	if to != from {
		fleet[anniversary.Transport]++
	}
	return r.g.peril(r.field, to, fleet) / perStep
}

// waitingZones are those next to own armies that have nothing to march on.
func (r *regrouping) waitingZones() (zones []int) {
	for z := range r.ids {
		if !r.sea[z] || surface(r.enemies(z)) > 0 {
			continue
		}
		n := 0
		for _, s := range r.coasts[z] {
			there := r.by[r.seat][s]
			if r.friendly(s) && r.pull[s]*1.2 < r.seaWorth(z) {
				n += foot(&there) - max(r.keep[s], 0)
				if r.held[s] && r.owner[s] == r.seat {
					n += 2
				}
			}
		}
		if n >= 2 {
			zones = append(zones, z)
		}
	}
	return zones
}

// hunted reports whether enemies can strike at a zone that has no escort to speak of.
func (r *regrouping) hunted(z int) bool {
	n := -2 * surface(r.friends(z))
	for at := range r.ids {
		e := r.enemies(at)
		if r.sea[at] && r.field.sail[at][z] <= 2 {
			n += surface(e) + e[anniversary.Submarine]
		}
		if r.flight[at][z] <= 3 {
			n += wings(e)
		}
	}
	return n > 0
}

// follow sends warships to where the transports are, or else to the own coast.
func (r *regrouping) follow(list []*option) {
	rally, most := -1, 0
	for z := range r.ids {
		if n := 3*r.aboard[z] + 2*r.by[r.seat][z][anniversary.Transport]; r.sea[z] && n > most {
			rally, most = z, n
		}
	}
	if rally < 0 {
		return
	}
	ids, of := byPiece(list)
	for _, id := range ids {
		p, u := r.pieces[id], of[id][0].unit
		if p == nil || u < anniversary.Battleship || u == anniversary.Transport || u >= anniversary.NumUnits {
			continue
		}
		at := r.at(p.Place)
		if u == anniversary.Carrier && r.by[r.seat][at][anniversary.Fighter] > 0 {
			continue // its fighters stay with it
		}
		var best *option
		least := r.field.sail[at][rally]
		for _, o := range of[id] {
			if d := r.field.sail[o.to][rally]; d < least {
				best, least = o, d
			}
		}
		switch {
		case best == nil:
		case u == anniversary.Carrier: // others may have to stay
			r.orders = append(r.orders, one(best))
		default:
			r.orders = append(r.orders, many(best, int(p.Count)))
		}
	}
}

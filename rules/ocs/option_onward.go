package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Air transport over three bases (OCS 21.12a): over the mission hex Y, before anything is unloaded, air units may keep
// cargo or load some there and fly on to Z, as a mission of its own with combat, interception and flak. At Z they
// become inactive. The way of flight is that of the first leg, so that its range is judged by the longer leg.

// onwardUnits are the units of a transport mission that may fly on: transports that have not come one way.
func (p *Position) onwardUnits(f *mission) (list []Unit) {
	if !p.opt.xyzAirTransport || f.task != ocsv1.Mission_MISSION_TRANSPORT || f.onward {
		return nil
	}
	for _, u := range p.missionUnits(f) {
		if p.is(u, hauler) && f.flight(u) != ocsv1.Flight_FLIGHT_ONE_WAY {
			list = append(list, u)
		}
	}
	return list
}

// onwardBases are the air bases that a unit of a mission may fly on to.
func (p *Position) onwardBases(f *mission, u Unit) (list []Place) {
	for _, at := range p.bases(f.seat) {
		if at != f.at && p.reachesOnward(f, u, at) {
			list = append(list, at)
		}
	}
	return list
}

// reachesOnward reports whether the second leg is in the range of the first one's way of flight.
func (p *Position) reachesOnward(f *mission, u Unit, at Place) bool {
	parts := 1
	if f.flight(u) == ocsv1.Flight_FLIGHT_SHORT {
		parts = 2
	}
	n, ok := p.airDistance(f.at, at)
	return ok && p.flies(u, n, 1, parts)
}

// mayFlyOn reports whether a unit of a mission could fly on to any air base.
func (p *Position) mayFlyOn(f *mission) bool {
	return slices.ContainsFunc(p.onwardUnits(f), func(u Unit) bool { return len(p.onwardBases(f, u)) > 0 })
}

// checkFlyOn says why air units may not fly on with cargo; without any the mission unloads.
func (p *Position) checkFlyOn(seat rules.Seat, c *Command) *rules.Refusal {
	f, id := inner[*mission](p), p.sc.PlaceID(c.At)
	if len(c.Units) == 0 {
		return nil
	}
	if c.At == f.at || !p.ownBase(seat, c.At) {
		return rules.Refuse("OCS 21.12a", "refuse.no-own-base", "hex", id).At(id)
	}
	for i, u := range c.Units {
		switch {
		case slices.Contains(c.Units[:i], u) || !slices.Contains(p.onwardUnits(f), u):
			return rules.Refuse("OCS 21.12a", "refuse.no-hauler", "unit", p.unitName(u)).About(p.id(u))
		case !p.reachesOnward(f, u, c.At):
			n, _ := p.airDistance(f.at, c.At)
			return rules.Refuse("OCS 21.12a", "refuse.air-range", "unit", p.unitName(u), "range", p.plane(u).Range,
				"n", n).About(p.id(u)).At(id)
		}
	}
	if len(c.Lines) == 0 {
		return rules.Malformed("the command names no cargo")
	}
	return p.checkOnwardCargo(seat, c)
}

// checkOnwardCargo says why cargo can't go on: it is aboard, or in the hex and could be loaded there; it fits; and what
// is unloaded instead finds room (OCS 14.9f).
func (p *Position) checkOnwardCargo(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*mission](p)
	room, sum, fresh := 0, 0, int(p.cell(f.at).ground[seat])-p.carriedHere(seat, f.at)
	for i, l := range c.Lines {
		switch {
		case l.By == NoUnit || !slices.Contains(c.Units, l.By):
			return rules.Refuse("OCS 21.12a", "refuse.no-hauler", "unit", p.unitName(l.By)).About(p.id(l.By))
		case l.Unit == NoUnit && l.Count == 0:
			return rules.Malformed("a line of cargo names no unit and no tokens")
		case slices.ContainsFunc(c.Lines[:i],
			func(o Line) bool { return o.Unit == l.Unit && (l.Unit != NoUnit || o.By == l.By) }):
			return rules.Malformed("cargo is named twice")
		case l.Unit == NoUnit:
			fresh -= max(0, l.Count-int(p.units[l.By].load))
		case p.isPlane(l.Unit): // gliders land at the first base (OCS 14.10e-D)
			return rules.Refuse("OCS 14.10e-B", "refuse.glider-alone", "unit", p.unitName(l.Unit)).About(p.id(l.Unit))
		case p.units[l.Unit].place != Aboard || p.units[l.Unit].aboard != l.By:
			if r := p.checkPassenger(seat, l.Unit, f.at); r != nil {
				return r
			}
		}
		sum += p.weight(l)
	}
	for _, u := range c.Units {
		room += p.lift(u, f.flight(u))
	}
	id := p.sc.PlaceID(f.at)
	if sum > room {
		return rules.Refuse("OCS 14.9a", "refuse.capacity", "hex", id, "n", formatEighths(sum),
			"left", formatEighths(room)).At(id)
	}
	if fresh < 0 {
		return rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", id,
			"left", max(0, int(p.cell(f.at).ground[seat])-p.carriedHere(seat, f.at))).At(id)
	}
	rest := 0
	for _, u := range c.Units {
		rest += p.restOf(c, u)
	}
	if left := p.airRoom(f.at); rest > left {
		return rules.Refuse("OCS 14.9f", "refuse.unloading", "hex", id, "n", formatEighths(rest),
			"left", formatEighths(left)).At(id)
	}
	return nil
}

// restOf is what a unit unloads before it flies on, in eighths of a token.
func (p *Position) restOf(c *Command, u Unit) int {
	units, tokens := keptBy(c, u)
	n := max(0, int(p.units[u].load)-tokens) * oneToken
	for _, v := range p.passengers(u) {
		if !slices.Contains(units, v) {
			n += p.freight(v)
		}
	}
	return n
}

// keptBy are the units and tokens that an air unit carries on by a command.
func keptBy(c *Command, u Unit) (units []Unit, tokens int) {
	for _, l := range c.Lines {
		switch {
		case l.By != u:
		case l.Unit != NoUnit:
			units = append(units, l.Unit)
		default:
			tokens += l.Count
		}
	}
	return units, tokens
}

// playFlyOn unloads what stays, loads what comes and flies on. Without units the mission goes on as any other.
func (p *Position) playFlyOn(x *exec, seat rules.Seat, cmd *Command) {
	first := inner[*mission](p)
	if len(cmd.Units) == 0 {
		p.goOn(x, first.stepped(missionUnloads))
		return
	}
	for _, u := range cmd.Units {
		units, tokens := keptBy(cmd, u)
		if n := p.restOf(cmd, u); n > 0 {
			p.flownIn(x, first.at, n)
		}
		p.unloadBut(x, u, first.at, true, units, tokens)
		p.landGliders(x, u, first.at, true)
	}
	p.fly(x, seat, ocsv1.Mission_MISSION_TRANSPORT, cmd.Units, cmd.At, func(c *changes, f *mission) {
		f.onward, f.flights = true, make([]ocsv1.Flight, maxMission)
		ground := int(p.cell(first.at).ground[seat])
		for i, u := range f.units {
			f.flights[i] = first.flight(u)
			units, tokens := keptBy(cmd, u)
			for _, v := range units {
				if p.units[v].place != Aboard {
					c.move(v, Aboard)
					c.unit(v).Aboard = proto.String(p.id(u))
				}
			}
			if more := tokens - int(p.units[u].load); more > 0 {
				ground -= more
				c.ground(first.at, seat, ground)
				c.unit(u).LoadT = proto.Uint32(uint32(tokens))
			}
		}
	})
}

// listFlyOn lists none, and for each unit and air base in range: all that it has aboard, and instead of it what may be
// loaded, a token, as many as fit and each unit.
func listFlyOn(l *lister) {
	p, f := l.p, inner[*mission](l.p)
	l.checked(only(KindFlyOn))
	for _, u := range p.onwardUnits(f) {
		var kept []Line
		for _, v := range p.passengers(u) {
			kept = append(kept, Line{Unit: v})
		}
		if n := int(p.units[u].load); n > 0 {
			kept = append(kept, Line{Unit: NoUnit, Count: n})
		}
		room := p.lift(u, f.flight(u))
		most := min(room/oneToken, int(p.cell(f.at).ground[l.seat])-p.carriedHere(l.seat, f.at))
		for _, at := range p.onwardBases(f, u) {
			if !l.aims(at) {
				continue
			}
			offer := func(lines ...Line) {
				c := only(KindFlyOn)
				c.Units, c.At = []Unit{u}, at
				for _, line := range lines {
					line.By, line.At, line.Terrain = u, Nowhere, -1
					c.Lines = append(c.Lines, line)
				}
				l.checked(c)
			}
			if len(kept) > 0 {
				offer(kept...)
			}
			for _, n := range [...]int{1, most} {
				if n > 0 && n <= most && (n == 1 || most > 1) && n != int(p.units[u].load) {
					offer(Line{Unit: NoUnit, Count: n})
				}
			}
			for v := range p.of(l.seat, f.at) {
				if p.freight(v) <= room && p.checkPassenger(l.seat, v, f.at) == nil {
					offer(Line{Unit: v})
				}
			}
		}
	}
}

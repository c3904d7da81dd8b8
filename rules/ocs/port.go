package ocs

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Ports (OCS 19.0): printed on the map or with a box, or an LST that became one (OCS 18.4f). What a port loads and
// unloads in a phase counts together (OCS 19.0a): landing craft, landings without the ALT, and sea capacity.

// portFull is what a port has handled when it took a unit larger than its capacity, so that nothing else is
// handled (OCS 19.0a-i).
const portFull = 0xFFFF

// lstPortT is the capacity of an LST port in tokens (OCS 18.4f-D).
const lstPortT = oneSP

// portSeat is whose port a place is, or would be.
func (p *Position) portSeat(at Place) rules.Seat {
	if c := p.cell(at); c.lst < numSeats {
		return c.lst
	}
	return p.cell(at).owner
}

// portLeft is the capacity of a port that its hits leave, in tokens (OCS 19.0b): by the percentages of the series, or
// the damage track that the map prints. An LST port takes no hits (OCS 18.4f-A).
func (p *Position) portLeft(at Place) int {
	full, track := 0, []uint16(nil)
	c := p.cell(at)
	if h := at.Hex(); h != NoHex {
		full, track = int(p.sc.Hexes[h].Port), p.sc.Hexes[h].PortTrack
	} else if at.inBox() {
		full = int(p.sc.Boxes[at-boxes].Port)
	}
	if full == 0 && c.lst < numSeats {
		return lstPortT
	}
	if int(c.hits) < len(track) {
		return int(track[c.hits])
	}
	left := p.sc.Charts.GetPortPercent()
	if hits := int(c.hits); hits < len(left) {
		return share(full, int(left[hits]))
	}
	return 0
}

// portTrack reads the damage track of a port.
func (l *loader) portTrack(path string, port *ocsv1.MapPort) (track []uint16) {
	given := port.GetTrackT()
	if n := len(given); n != 0 && n != maxPortHits+1 {
		l.Fault(path, "%d capacities, expected %d for 0 to %d hits", n, maxPortHits+1, maxPortHits)
		return nil
	}
	for i, n := range given {
		track = append(track, l.amount(fmt.Sprintf("%s[%d]", path, i), n))
		if i > 0 && n > given[i-1] || i == 0 && n != port.GetCapacityT() {
			l.Fault(path, "a track begins with the capacity and never rises")
		}
	}
	return track
}

// checkPort says why a seat has no port in a place that works: it must be its own, and not be blocked by an un-negated
// enemy ZOC (OCS 19.0a-ii), an LST port from the moment on that it is one (OCS 18.4f-E). A port works whatever is
// between it and the sea.
func (p *Position) checkPort(seat rules.Seat, at Place, rule string) *rules.Refusal {
	id := p.sc.PlaceID(at)
	if !at.onMap() || !p.isPort(seat, at) {
		return rules.Refuse(rule, "refuse.no-friendly-port", "hex", id).At(id)
	}
	if h := at.Hex(); h != NoHex && p.cut(seat, h) {
		return rules.Refuse("OCS 19.0a-ii", "refuse.port-blocked", "hex", id).At(id)
	}
	return nil
}

// portRoom is what a port may still handle in this phase, in eighths of a token (OCS 19.0a).
func (p *Position) portRoom(at Place) int {
	return max(0, p.portLeft(at)*oneToken-int(p.cell(at).shipped))
}

// oversized reports whether units are a single combat unit larger than the capacity of a port, for which it may use all
// of that (OCS 19.0a-i).
func (p *Position) oversized(at Place, units []Unit) bool {
	left := p.portLeft(at) * oneToken
	return left > 0 && len(units) == 1 && p.isCombat(units[0]) && p.freight(units[0]) > left
}

// checkHandles says why a port can't load or unload units, or so many tokens, in this phase (OCS 19.0a).
func (p *Position) checkHandles(at Place, units []Unit, tokens int) *rules.Refusal {
	weight := p.heft(units, tokens)
	if room := p.portRoom(at); weight > room && (tokens > 0 || p.cell(at).shipped > 0 || !p.oversized(at, units)) {
		id, rule := p.sc.PlaceID(at), "OCS 19.0a"
		if p.cell(at).shipped == portFull {
			rule = "OCS 19.0a-i"
		}
		return rules.Refuse(rule, "refuse.port-room", "hex", id, "n", formatEighths(weight),
			"left", formatEighths(room)).At(id)
	}
	return nil
}

// heft is what cargo weighs, in eighths of a token (OCS 4.7).
func (p *Position) heft(units []Unit, tokens int) int {
	n := tokens * oneToken
	for _, u := range units {
		n += p.freight(u)
	}
	return n
}

// portLoads counts what a port loads or unloads.
func (p *Position) portLoads(c *changes, at Place, units []Unit, tokens int) {
	n := int(p.cell(at).shipped) + p.heft(units, tokens)
	if n > p.portLeft(at)*oneToken {
		n = portFull
	}
	c.hex(at).PortHandled = proto.Uint32(uint32(n))
}

package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// checkRebuildTrucks says why an Eq may not become a truck point (OCS 13.5e): as many as the enemy removed come
// back, no wagons and mules.
func (p *Position) checkRebuildTrucks(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit {
		return rules.Malformed("the command names no Eq").For(rules.ReasonUnknownPiece)
	}
	if r := p.checkRepls(seat, []Unit{c.Unit}); r != nil {
		return r
	}
	at := p.units[c.Unit].place
	switch {
	case p.counter(c.Unit).Kind != Eq:
		return rules.Refuse("OCS 13.5e", "refuse.no-eq", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	case p.truckDeficit(seat) == 0:
		return rules.Refuse("OCS 13.5e", "refuse.no-trucks-lost")
	case c.Other == NoUnit && (p.truckOf(seat) == noCounter || p.spare(p.truckOf(seat)) >= maxUnits):
		return rules.Refuse("OCS 13.5e", "refuse.no-trucks-lost")
	case c.Other == NoUnit:
		return nil
	}
	s := &p.units[c.Other]
	switch {
	case s.seat != seat || !p.organic(c.Other) || s.place != Dead && s.place != at:
		return rules.Refuse("OCS 13.5e", "refuse.not-stacked", "unit", p.unitName(c.Other),
			"other", p.unitName(c.Unit)).About(p.id(c.Other))
	case s.place == at && int(s.points) >= p.organicSize(c.Other):
		return rules.Refuse("OCS 13.5e", "refuse.rebuild-steps", "unit", p.unitName(c.Other),
			"n", 0).About(p.id(c.Other))
	}
	return nil
}

// playRebuildTrucks makes a truck point: a transport of its own, or a part of an organic truck.
func (p *Position) playRebuildTrucks(x *exec, seat rules.Seat, cmd *Command) {
	at, points := p.units[cmd.Unit].place, min(oneSP, p.truckDeficit(seat))
	c := p.changed()
	fact := &ocsv1.UnitsRebuilt{Seat: seatIDs[seat], Spent: []string{p.id(cmd.Unit)}}
	switch {
	case cmd.Other == NoUnit:
		fact.Units = []string{p.spareID(p.truckOf(seat))}
		k := c.create(p.truckOf(seat), at)
		k.PointsT = proto.Uint32(uint32(points))
	case p.units[cmd.Other].place == Dead:
		points = min(points, p.organicSize(cmd.Other))
		k := p.putDown(c, cmd.Other, at, NoMarker, MoveFace)
		k.PointsT, k.LoadT = proto.Uint32(uint32(points)), proto.Uint32(0)
		fact.Units = []string{p.id(cmd.Other)}
	default:
		points = min(points, p.organicSize(cmd.Other)-int(p.units[cmd.Other].points))
		c.unit(cmd.Other).PointsT = proto.Uint32(uint32(int(p.units[cmd.Other].points) + points))
		fact.Units = []string{p.id(cmd.Other)}
	}
	fact.PointsT = uint32(points)
	p.regain(c, seat, points)
	p.spendRepls(x, c, seat, []Unit{cmd.Unit}, fact)
}

func listRebuildTrucks(l *lister) {
	p := l.p
	_, stocks := p.stocksOf(l.seat)
	for _, s := range stocks {
		if len(s.eq) == 0 {
			continue
		}
		c := only(KindRebuildTrucks)
		c.Unit = s.eq[0]
		l.checked(c)
		for u := range p.sc.Fixed {
			if p.units[u].seat == l.seat && p.organic(Unit(u)) {
				c.Other = Unit(u)
				l.checked(c)
			}
		}
	}
}

package ocs

import (
	"fmt"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// airUnit reads an air unit: two sides, and at least one type (OCS Intro-II-f, OCS 14.1, OCS 14.1b).
func (l *loader) airUnit(path string, a *ocsv1.AirUnit) {
	info := &PlaneInfo{Aircraft: l.sc.words(a.GetAircraft()), Carrier: a.GetCarrier(), GliderTow: a.GetGliderTow()}
	for _, t := range a.GetTypes() {
		if t < ocsv1.AirType_AIR_TYPE_FIGHTER || t > ocsv1.AirType_AIR_TYPE_GLIDER {
			l.Fault(path+".types", "no type %d", t)
			continue
		}
		info.Types |= 1 << t
	}
	if info.Types == 0 {
		l.Fault(path+".types", "no type")
	}
	if info.Types&glider != 0 { // a point of one step, with nothing printed on it (OCS 14.10e)
		if info.Types != glider || a.GetFull() != nil || a.GetReduced() != nil || info.GliderTow || info.Carrier != "" {
			l.Fault(path, "%s is a glider point and has a face, another type, a tow or a carrier", a.GetId())
		}
		point := l.twoSided(path, a.GetId(), a.GetName(), a.GetSeat(), a.GetNationality(),
			Counter{Kind: AirUnit, Size: "air", Plane: info})
		point.Steps = 1
		l.add(point, path)
		return
	}
	info.Sides = [2]AirSide{l.airSide(path+".full", a.GetFull()), l.airSide(path+".reduced", a.GetReduced())}
	if info.Types&hauler == 0 && info.Sides[0].Capacity > 0 {
		l.Fault(path+".full.capacity", "%s carries something and is no transport", a.GetId())
	}
	l.add(l.twoSided(path, a.GetId(), a.GetName(), a.GetSeat(), a.GetNationality(),
		Counter{Kind: AirUnit, Size: "air", Plane: info}), path)
}

// twoSided is a counter of an air unit or ship: two steps, and no face of a land unit.
func (l *loader) twoSided(path, id string, name *ocsv1.Words, seat, nation string, c Counter) Counter {
	c.ID, c.Name, c.Steps = id, l.sc.words(name), 2 // OCS 14.1b
	c.Seat, c.Nation = l.seat(path+".seat", seat), l.nation(path+".nationality", nation)
	c.Formation, c.Rebuild, c.Transport, c.Class = -1, -1, -1, Other
	for f := range c.Faces {
		c.Faces[f] = FaceInfo{MP: Immobile, ThrowMP: Immobile}
	}
	c.Faces[MoveFace].Exists, c.Faces[MoveFace].DefenceOnly = true, true
	return c
}

func (l *loader) airSide(path string, f *ocsv1.AirFace) AirSide {
	if f == nil {
		l.Fault(path, "no numbers")
		return AirSide{}
	}
	s := AirSide{
		Rating: int(l.amount(path+".rating", f.GetRating())), Bracketed: f.GetBracketed(),
		Barrage:   int(l.amount(path+".barrage", f.GetBarrage())),
		ShipsOnly: f.GetShipsOnly(), Range: int(l.amount(path+".range", f.GetRange())),
	}
	if f.GetRating() > 20 {
		l.Fault(path+".rating", "%d, expected at most 20", f.GetRating())
	}
	if f.GetCapacity() != "" {
		n, ok := parseFraction(f.GetCapacity())
		eighths := n.Times(whole(oneToken))
		if !ok || eighths.den != 1 || eighths.num < 0 || eighths.num > 100*oneToken {
			l.Fault(path+".capacity", "%.20q, expected tokens such as 2 or 1/2", f.GetCapacity())
			return s
		}
		s.Capacity = int(eighths.num)
	}
	return s
}

// shipOf reads a ship (OCS Intro-II-g, OCS 18.0).
func (l *loader) shipOf(path string, s *ocsv1.Ship) {
	info := &ShipInfo{Kind: s.GetKind(), Single: s.GetSingle(), Slow: s.GetSlow(),
		Lift: l.amount(path+".lift_t", s.GetLiftT()), Planes: int(min(s.GetAirCapacity(), 20))}
	if !docID.MatchString(s.GetKind()) {
		l.Fault(path+".kind", "%.40q is no kind", s.GetKind())
	}
	for i, f := range [2]*ocsv1.ShipFace{s.GetFull(), s.GetReduced()} {
		at := path + [2]string{".full", ".reduced"}[i]
		if f == nil {
			l.Fault(at, "no numbers")
			continue
		}
		info.Sides[i] = ShipSide{
			Barrage: int(l.amount(at+".barrage", f.GetBarrage())), Range: int(l.amount(at+".range", f.GetRange())),
			Flak:     int(l.amount(at+".flak", f.GetFlak())),
			Defence:  int(l.amount(at+".defence", f.GetDefence())),
			Movement: Cost(l.amount(at+".movement", f.GetMovement())) * oneMP,
		}
	}
	l.speeds(path, info)
	l.add(l.twoSided(path, s.GetId(), s.GetName(), s.GetSeat(), s.GetNationality(),
		Counter{Kind: ShipUnit, Size: "ship", Ship: info}), path)
}

// airAndSea reads the counters of air units and ships. They stand after the land units, so that each is one piece.
func (l *loader) airAndSea() {
	c := l.doc.GetCounters()
	for i, a := range c.GetAir() {
		l.airUnit(fmt.Sprintf("counters.air[%d]", i), a)
	}
	for i, s := range c.GetShips() {
		l.shipOf(fmt.Sprintf("counters.ships[%d]", i), s)
	}
	for i, a := range c.GetAir() {
		n, ok := l.sc.kinds[a.GetCarrier()]
		if a.GetCarrier() != "" && (!ok || l.sc.Counters[n].Ship == nil || l.sc.Counters[n].Ship.Planes == 0) {
			l.Fault(fmt.Sprintf("counters.air[%d].carrier", i), "%.40q is no carrier", a.GetCarrier())
		}
	}
}

// airStack checks the air units and ships of a stack: air units at an air base with room for them, since all begin
// active (OCS Intro-IV-F, OCS 14.2a).
func (l *loader) airStack(path string, seat rules.Seat, at Place, s *ocsv1.Stack) {
	for _, id := range s.GetAir() {
		l.once(path+".air", seat, id, AirUnit)
	}
	for _, id := range s.GetShips() {
		l.once(path+".ships", seat, id, ShipUnit)
	}
	if l.flying == nil {
		l.flying = map[Place]int{}
	}
	for _, id := range l.ashore(s) {
		// OCS 14.10e
		if n, ok := l.sc.kinds[id]; ok && l.sc.Counters[n].Plane != nil && l.sc.Counters[n].Plane.Types != glider {
			l.flying[at]++
		}
	}
	l.sc.Flies, l.sc.Sails = l.sc.Flies || len(s.GetAir()) > 0, l.sc.Sails || len(s.GetShips()) > 0
}

// ashore are the air units of a stack that need an air base: all but those of carriers (OCS 18.2a).
func (l *loader) ashore(s *ocsv1.Stack) (list []string) {
	for _, id := range s.GetAir() {
		if l.carrierOf(id) == "" {
			list = append(list, id)
		}
	}
	return list
}

// airBases checks that every air unit is at an air base with room for it.
func (l *loader) airBases() {
	levels := map[Place]int{}
	for _, s := range l.doc.GetSetup() {
		if at, ok := l.sc.names[s.GetAt()]; ok && s.GetAirBase() > 0 {
			levels[at] = int(s.GetAirBase())
		}
	}
	for i, s := range l.doc.GetSetup() {
		at, ok := l.sc.names[s.GetAt()]
		if !ok || len(l.ashore(s)) == 0 {
			continue
		}
		path, level, has := fmt.Sprintf("setup[%d].air", i), levels[at], levels[at] > 0
		if !has && at.inBox() {
			level = int(l.sc.Boxes[at-boxes].AirBase)
			has = level > 0
		}
		if level == airstrip {
			level = 0
		}
		switch {
		case !has:
			l.Fault(path, "%s has no air base", s.GetAt())
		case l.flying[at] > 4+level:
			l.Fault(path, "%d active air units at %s, which has room for %d (OCS 14.2a)",
				l.flying[at], s.GetAt(), 4+level)
		}
	}
}

// airSides reads what a scenario says about the air war of a side.
func (l *loader) airSides() {
	for i, s := range l.doc.GetSides() {
		if i >= int(numSeats) || l.sc.Map == nil {
			return
		}
		path, seat := fmt.Sprintf("sides[%d]", i), rules.Seat(i)
		for _, id := range s.GetHipShoot() {
			l.sc.Seats[i].HipShoot |= 1 << max(l.nation(path+".hip_shoot", id), 0)
		}
		for j, d := range s.GetDropPlans() {
			at := fmt.Sprintf("%s.drop_plans[%d]", path, j)
			l.hex(at+".hex", d.GetHex())
			l.turn(at+".turn", d.GetTurn())
			if n, ok := l.piece(at+".unit", seat, d.GetUnit(), CombatUnit); ok && int(n) >= l.sc.Fixed {
				l.Fault(at+".unit", "%s is no unit of which there is one", d.GetUnit())
			}
		}
		for j, a := range s.GetArrivals() {
			at := fmt.Sprintf("%s.arrivals[%d]", path, j)
			for _, id := range a.GetAir() {
				l.piece(at+".air", seat, id, AirUnit) // it may leave and come again
			}
			for _, id := range a.GetShips() {
				l.piece(at+".ships", seat, id, ShipUnit)
			}
			l.sc.Flies, l.sc.Sails = l.sc.Flies || len(a.GetAir()) > 0, l.sc.Sails || len(a.GetShips()) > 0
		}
		for j, w := range s.GetWithdrawals() {
			at := fmt.Sprintf("%s.withdrawals[%d]", path, j)
			for _, id := range w.GetAir() {
				l.piece(at+".air", seat, id, AirUnit)
			}
			for _, id := range w.GetShips() {
				l.piece(at+".ships", seat, id, ShipUnit)
			}
		}
	}
	if l.sc.Flies && !l.airCharts() {
		l.Fault("charts.air", "a game with air units needs the charts of air combat, flak, losses, drops and capture")
	}
}

// airCharts checks the shapes of the tables of the air war.
func (l *loader) airCharts() bool {
	c := l.doc.GetCharts().GetAir()
	if c.GetCombat() == nil || c.GetFlak() == nil || c.GetCapture() == nil || len(c.GetLosses()) != maxMission ||
		len(c.GetDrops()) != 4 {
		return false
	}
	for i, r := range c.GetLosses() {
		if len(r.GetUnits()) != 6 {
			return false
		}
		for _, n := range r.GetUnits() {
			if n == 0 || n > 6 || n <= maxMission && int(n) > i+1 {
				return false
			}
		}
	}
	return true
}

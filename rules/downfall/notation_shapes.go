package downfall

import (
	"strings"
)

// command reads what follows the kind.
func (s *speller) command() Command {
	c := only(s.kind)
	switch shapes[s.kind] {
	case shapeUnit:
		c.Unit = s.unit()
	case shapeUnitHex:
		c.Unit, c.Hex = s.unit(), s.hex()
	case shapeOrders:
		return s.orders(c)
	case shapePlan:
		c.Hex, c.Detail = s.hex(), uint64(s.int(maxTurns, "the turn"))
	case shapeZones:
		return s.zones()
	case shapeMarkers:
		return s.remove(c)
	case shapeCount:
		c.Count = s.int(maxBombs, "a number")
	case shapeAim:
		return s.aim(c)
	case shapeLosses:
		return s.losses(c)
	case shapeHex:
		if !s.none() {
			c.Hex = s.hex()
		}
	case shapeTarget:
		if !s.none() {
			c.Unit = s.unit()
		}
	case shapeShot:
		c.Unit, c.Other = s.unit(), s.unit()
	default:
		return s.maneuver(c)
	}
	return c
}

// maneuver reads the commands of movement and combat.
func (s *speller) maneuver(c Command) Command {
	switch shapes[s.kind] {
	case shapeWays:
		return s.ways(c)
	case shapeAttack:
		return s.attack(c)
	case shapeConsecutive:
		c.Hex, c.From = s.hex(), s.hex()
		c.Units = s.units()
	case shapeAlso:
		c.From = s.hex()
		c.Units = s.units()
	case shapeSupport:
		if !s.none() {
			c = s.supports(c)
		}
	case shapeWithdraw:
		return s.withdraw(c)
	case shapeUnits:
		if !s.none() {
			c.Units = s.units()
		}
	}
	return c
}

func (s *speller) orders(c Command) Command {
	if len(s.words) == 0 || s.none() {
		return c
	}
	switch strings.ToLower(s.words[0]) {
	case modeIDs[modeInfantry]:
		s.next()
		c.Count = modeInfantry
	case modeIDs[modeAirborne]:
		s.next()
		c.Count = modeAirborne
	}
	if len(s.words) > 0 || c.Count == 0 {
		c.Hex, c.Detail = s.hex(), uint64(s.int(maxTurns, "the turn"))
		if s.refusal == nil && c.turn() == 0 {
			s.malformed("a drop plan has a turn from 1")
		}
		if c.Count == 0 {
			c.Count = modeAirborne
		}
	}
	return c
}

// zones reads zones by their ids, or by beginnings that fit one alone.
func (s *speller) zones() Command {
	var ids []string
	for len(s.words) > 0 {
		ids = append(ids, s.zoneLike(s.next()))
	}
	return s.decoder.zones(ids)
}

func (s *speller) zoneLike(w string) string {
	w = strings.ToLower(w)
	found, n := w, 0
	for _, z := range s.p.sc.Zones {
		if z.ID == w {
			return w
		}
		if strings.HasPrefix(z.ID, w) {
			found = z.ID
			n++
		}
	}
	if n != 1 {
		return w
	}
	return found
}

func (s *speller) remove(c Command) Command {
	var ns []uint32
	for len(s.words) > 0 && s.refusal == nil {
		ns = append(ns, uint32(s.int(maxNaval, "the number of a naval marker")))
	}
	if s.refusal == nil {
		c.Detail = s.markers(ns)
	}
	return c
}

// aim reads the target of a bomb.
func (s *speller) aim(c Command) Command {
	if len(s.words) == 0 {
		s.expected("a hex or a unit")
		return c
	}
	if _, ok := hexByDigits(s.p, s.words[0]); ok {
		c.Hex = s.hex()
		return c
	}
	c.Unit = s.unit()
	return c
}

func (s *speller) losses(c Command) Command {
	for len(s.words) > 0 && s.refusal == nil {
		id, steps, _ := strings.Cut(s.words[0], ":")
		s.words[0] = id
		u := s.unit()
		s.add(&c.Units, u)
		switch steps {
		case "", "1":
		case "2":
			c.Detail |= uint64(bit(u))
		default:
			s.malformed("%.40q loses %.20q steps, expected 1 or 2", id, steps)
		}
	}
	return c
}

func (s *speller) ways(c Command) Command {
	var routes []Route
	var seen UnitSet
	for first := true; (first || len(s.words) > 0) && s.refusal == nil; first = false {
		r := Route{Unit: s.unit(), Path: s.way()}
		s.add(&seen, r.Unit)
		routes = append(routes, r)
		if s.kind != KindMove {
			break
		}
	}
	if s.refusal != nil {
		return c
	}
	return c.routed(routes)
}

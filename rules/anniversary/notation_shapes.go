package anniversary

import "strings"

// command reads what follows the kind.
func (s *speller) command() Command {
	c := only(s.kind)
	switch s.kind {
	case KindResearch:
		if len(s.words) == 0 || s.none() {
			return c
		}
		c.N = s.int(maxNumber, "a number of researchers")
	case KindChart:
		c.N = s.int(2, "the chart")
	case KindBuy, KindLose:
		c = s.lines(c)
	case KindRepair:
		return s.repair(c)
	case KindOrder:
		return s.order(c)
	case KindAnswer:
		return s.answer(c)
	case KindStanding:
		return s.standing(c)
	default:
		return s.maneuver(c)
	}
	return c
}

// maneuver reads the commands of movement, combat and placement.
func (s *speller) maneuver(c Command) Command {
	switch s.kind {
	case KindMove:
		c = s.way(s.lines(c))
		c.Power = s.of(NoPower)
	case KindShip:
		return s.ship(c)
	case KindDrop, KindRaid:
		c = s.way(s.counting(c, Bomber))
	case KindDivert:
		c = s.way(s.counting(c, Fighter))
		c.Power = s.of(NoPower)
	case KindJoin:
		c = s.counting(c, Fighter)
		c.To = s.place()
	case KindRocket:
		c = s.way(c)
	case KindRecall:
		c.N = s.int(255, "the number of the move")
	case KindFight, KindBomb:
		c.To = s.place()
	case KindBombard:
		return s.batteries(c)
	case KindSubmerge:
		if !s.none() {
			c.N = s.int(maxNumber, "a number of submarines")
		}
	case KindRetreat:
		if len(s.words) > 0 && !s.none() {
			c.To = s.place()
		}
	case KindPlace:
		return s.placing(c)
	}
	return c
}

// counting takes a number of units of a type that need not be named.
func (s *speller) counting(c Command, u Unit) Command {
	c.N = s.many()
	if len(s.words) > 0 && unitLike(s.words[0]) == u {
		s.words = s.words[1:]
	}
	return c
}

// repair takes a territory and a number, or the other way round.
func (s *speller) repair(c Command) Command {
	if len(s.words) > 0 && isNumber(s.words[0]) {
		c.N = s.int(maxNumber, "a number of markers")
		c.To = s.place()
		return c
	}
	c.To = s.place()
	c.N = s.int(maxNumber, "a number of markers")
	return c
}

func (s *speller) order(c Command) Command {
	switch w := s.powerNamed(s.next("china or united-states")); w {
	case China:
		c.Yes = true
	case UnitedStates:
	default:
		s.expected("china or united-states")
	}
	return c
}

func (s *speller) answer(c Command) Command {
	switch {
	case s.has("yes") || s.has("agree") || s.has("accept"):
		c.Yes = true
	case s.has("no") || s.has("reject") || s.has("decline"):
	default:
		s.expected("yes or no")
	}
	return c
}

// ship takes a plan of transports. Those of the acting power are meant if no other is named.
func (s *speller) ship(c Command) Command {
	c = s.counting(c, Transport)
	if len(s.words) > 0 && !strings.Contains(s.words[0], ">") {
		c.To = s.place()
		c.From = c.To
	} else {
		c = s.way(c)
	}
	if s.has("with") || s.has("load") || s.has("carrying") {
		c = s.freight(c)
	}
	if s.has("land") || s.has("unload") {
		c.Target = s.place()
	}
	c.Power = s.of(s.p.acting)
	return c
}

// placing takes units, where they go, and the complex that they go through if one is named.
func (s *speller) placing(c Command) Command {
	c = s.lines(c)
	c.To = s.place()
	if s.has("through") && !s.none() {
		c.From = s.place()
	}
	c.Power = s.of(NoPower)
	return c
}

// standing takes standing orders, each at most once.
func (s *speller) standing(c Command) Command {
	o := &Standing{}
	c.Orders = o
	if s.none() {
		return c
	}
	if len(s.words) == 0 {
		s.expected("orders")
		return c
	}
	for len(s.words) > 0 && s.refusal == nil {
		switch w := s.next("an order"); w {
		case "losses":
			s.losses(o)
		case "retreat":
			o.Retreat = s.int(255, "a percentage")
		case "submarines":
			o.Submarines = s.oneOf(subsIDs[:])
		case "bombard":
			o.Bombard = true
		case "divert":
			o.Divert = true
		case "agree":
			o.Agree = true
		case "carriers":
			o.Carriers = Policy(s.oneOf(policyIDs[:]))
		case "transports":
			o.Transports = Policy(s.oneOf(policyIDs[:]))
		default:
			s.words = append([]string{w}, s.words...)
			s.expected("an order")
		}
	}
	return c
}

// losses takes an order of loss: types joined by commas.
func (s *speller) losses(o *Standing) {
	o.Losses = nil
	var seen uint32
	for _, w := range strings.Split(s.next("types of unit joined by commas"), ",") {
		if s.refusal != nil {
			return
		}
		o.Losses = append(o.Losses, s.loss(s.unit(w), &seen))
	}
}

func (s *speller) oneOf(ids []string) uint8 {
	w := s.next(strings.Join(ids, ", "))
	for i, id := range ids {
		if id == w {
			return uint8(i)
		}
	}
	s.malformed("expected one of %s, not %.40q", strings.Join(ids, ", "), w)
	return 0
}

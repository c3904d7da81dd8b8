package anniversary

import (
	"strconv"
)

// The notation of a command is its kind and what it names, on one line. Spaces, powers and types of unit are their ids; a way is its spaces joined by
// ">"; "-" is none. A unit has its power after ":" and which of those that differ after "#".
//
//	research 2                          chart 1                            buy 5 infantry 2 tank
//	repair germany 2                    order china                        place 3 infantry 1 tank germany
//	place 1 destroyer sz-5 through germany                                 place 2 infantry yunnan of china
//	move 3 infantry 1 artillery germany>poland                             move 1 tank poland>east-poland>ukraine
//	move 1 fighter#2 sz-7>norway        move 1 infantry yunnan>hupeh of china
//	ship 1 sz-6>sz-5 with tank@united-kingdom infantry land norway         ship 2 sz-6>sz-5 of italy
//	ship 1 sz-5 with infantry:italy+stays artillery land france
//	drop 1 germany>karelia-ssr          raid 2 germany>united-kingdom      join 1 sz-5
//	recall 3                            divert 1 sz-5>japan of japan       end
//	fight poland                        bomb germany                       rocket germany>united-kingdom
//	bombard 1 battleship@sz-5 2 cruiser@sz-7                               bombard -
//	submerge 2                          lose 2 infantry 1 fighter:japan#2  lose 1 battleship-hull
//	answer yes                          press                              retreat poland
//	retreat -                           concede                            fight-on
//	orders losses infantry,artillery retreat 50 submarines strike bombard divert agree carriers never transports ask

// formatCommand writes a command in the notation.
func (p *Position) formatCommand(c Command) string {
	if c.Kind == KindNone || c.Kind >= numKinds {
		return "?"
	}
	w := &writer{p: p, b: make([]byte, 0, 64)}
	w.line(kinds[c.Kind].id)
	w.command(&c)
	return string(w.b)
}

func (w *writer) command(c *Command) {
	switch c.Kind {
	case KindResearch, KindChart, KindRecall, KindSubmerge:
		w.number(int(c.N))
	case KindBuy:
		w.units(c)
	case KindRepair:
		w.space(c.To).number(int(c.N))
	case KindOrder:
		w.word(orderIDs(c.Yes))
	case KindAnswer:
		w.word(answerIDs(c.Yes))
	case KindJoin:
		w.number(int(c.N)).space(c.To)
	case KindFight, KindBomb, KindRetreat:
		w.space(c.To)
	case KindDrop, KindRaid:
		w.number(int(c.N)).way(c)
	case KindRocket:
		w.way(c)
	case KindMove:
		w.units(c).way(c).of(c.Power, NoPower)
	case KindDivert:
		w.number(int(c.N)).way(c).of(c.Power, NoPower)
	case KindShip:
		w.ship(c)
	case KindBombard:
		w.batteries(c)
	case KindLose:
		w.lose(c)
	case KindPlace:
		w.placing(c)
	case KindStanding:
		w.standing(c.Orders)
	}
}

// orderIDs are the words for who fights first (AA 5.4.1).
func orderIDs(china bool) string {
	if china {
		return powerIDs[China]
	}
	return powerIDs[UnitedStates]
}

func answerIDs(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// lose writes casualties; the power that loses units if no other is named goes without saying.
func (w *writer) lose(c *Command) {
	bare := *c
	for i := range bare.items() {
		if bare.Items[i].Power == w.p.usualLoser() {
			bare.Items[i].Power = NoPower
		} else if bare.Items[i].Power == NoPower {
			bare.Items[i].Power = NumPowers
		}
	}
	w.units(&bare)
}

// usualLoser is the power whose casualties are meant if a command does not say.
func (p *Position) usualLoser() Power {
	if !p.battle.on() {
		return p.acting
	}
	return p.chooser(p.battle.stage)
}

// units writes the lines of a command.
func (w *writer) units(c *Command) *writer {
	for _, it := range c.items() {
		w.number(int(it.N)).word(it.Unit.ID())
		if it.Power != NoPower {
			w.b = append(append(w.b, ':'), orNone(it.Power.ID())...)
		}
		if it.Variant > 0 {
			w.b = strconv.AppendUint(append(w.b, '#'), uint64(it.Variant), 10)
		}
	}
	return w
}

// way writes where a command leads from and to.
func (w *writer) way(c *Command) *writer {
	w.space(c.From)
	if c.Via != NoSpace {
		w.b = append(append(w.b, '>'), w.p.sc.SpaceID(c.Via)...)
	}
	w.b = append(append(w.b, '>'), w.p.sc.SpaceID(c.To)...)
	return w
}

// of writes whose units a command is about, unless it goes without saying.
func (w *writer) of(power, unsaid Power) *writer {
	switch {
	case power == unsaid:
		return w
	case power < NumPowers:
		return w.word("of", powerIDs[power])
	}
	return w.word("of", "-")
}

// ship writes a plan of transports; a plan that stays in its sea zone names it once. What the acting power owns goes without saying.
func (w *writer) ship(c *Command) {
	if w.number(int(c.N)); c.From == c.To && c.Via == NoSpace {
		w.space(c.To)
	} else {
		w.way(c)
	}
	if c.Len > 0 {
		w.word("with")
	}
	for _, it := range c.items() {
		w.word(it.Unit.ID())
		if it.Power != w.p.acting {
			w.b = append(append(w.b, ':'), orNone(it.Power.ID())...)
		}
		if it.At != NoSpace {
			w.b = append(append(w.b, '@'), w.p.sc.SpaceID(it.At)...)
		}
		if it.Stays {
			w.b = append(w.b, "+stays"...)
		}
	}
	if c.Target != NoSpace {
		w.word("land").space(c.Target)
	}
	w.of(c.Power, w.p.acting)
}

func orNone(id string) string {
	if id == "" {
		return "-"
	}
	return id
}

func (w *writer) batteries(c *Command) {
	if c.Len == 0 {
		w.word("-")
	}
	for _, it := range c.items() {
		w.number(int(it.N)).word(it.Unit.ID())
		w.b = append(append(w.b, '@'), w.p.sc.SpaceID(it.At)...)
	}
}

// placing writes where new units go, and through which complex if that is said.
func (w *writer) placing(c *Command) {
	w.units(c).space(c.To)
	if c.From != NoSpace {
		w.word("through").space(c.From)
	}
	w.of(c.Power, NoPower)
}

// standing writes standing orders; "-" if everything is asked and consented to.
func (w *writer) standing(s *Standing) {
	if s == nil {
		s = &Standing{}
	}
	from := len(w.b)
	if len(s.Losses) > 0 {
		w.word("losses").b = append(w.b, ' ')
		for i, u := range s.Losses {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = append(w.b, u.ID()...)
		}
	}
	if s.Retreat > 0 {
		w.word("retreat").number(int(s.Retreat))
	}
	if s.Submarines > 0 {
		w.word("submarines", subsIDs[s.Submarines%3])
	}
	w.flag(s.Bombard, "bombard").flag(s.Divert, "divert").flag(s.Agree, "agree")
	if s.Carriers > 0 {
		w.word("carriers", policyIDs[s.Carriers%3])
	}
	if s.Transports > 0 {
		w.word("transports", policyIDs[s.Transports%3])
	}
	if len(w.b) == from {
		w.word("-")
	}
}

package toy

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// check says why a command may not be carried out now. It is the only place where legality is decided.
func (p *State) check(seat rules.Seat, c Command) *rules.Refusal {
	if c.Kind == KindNone || c.Kind >= numKinds || int(c.Unit) >= len(p.units) || int(c.Target) >= len(p.units) ||
		int(c.Hex) >= p.sc.board.Len() {
		return rules.Malformed("the command has a field that is out of range")
	}
	if seat >= numSeats || p.phase == PhaseOver {
		return notAsked(seat)
	}
	if kinds[c.Kind].Offer {
		return p.checkOffer(seat, c.Kind)
	}
	if q, seats := p.asked(); !kinds.Answers(int(c.Kind), int(q)) || !seats.Has(seat) {
		return notAsked(seat)
	}
	switch c.Kind {
	case KindPlan:
		return p.checkPlan(c.Hex)
	case KindMove:
		return p.checkMove(seat, c.Unit, c.Hex)
	case KindAttack:
		return p.checkAttack(seat, c.Unit, c.Target)
	case KindScout:
		return p.checkScout(seat)
	case KindRally:
		return p.checkRally(seat, c.Unit, c.Steps)
	case KindRetreat:
		return p.checkRetreat(c.Hex)
	default: // lose, advance, hold, end: whoever is asked may
		return nil
	}
}

func notAsked(seat rules.Seat) *rules.Refusal {
	name := "-"
	if seat < numSeats {
		name = seatText(seat)
	}
	return rules.Refuse("", "refuse.not_asked", "seat", name).For(rules.ReasonNotYourDecision)
}

// play carries out a command that passed check.
func play(x *exec, seat rules.Seat, c Command) {
	switch c.Kind {
	case KindPlan:
		plan(x, seat, c.Hex)
	case KindMove:
		move(x, c.Unit, c.Hex)
	case KindAttack:
		attack(x, c.Unit, c.Target)
	case KindScout:
		scout(x, seat)
	case KindRally:
		rally(x, c.Unit, c.Steps)
	case KindLose:
		loseStep(x, x.Pos.attack().target)
	case KindRetreat:
		retreat(x, c.Hex)
	case KindAdvance, KindHold:
		pursue(x, c.Kind == KindAdvance)
	case KindEnd:
		endPlayerTurn(x)
	default:
		offer(x, seat, c.Kind)
	}
}

// Legal lists what passes check: by kind, then unit, then hex or target.
func (p *State) Legal(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	q, seats := p.asked()
	for k := KindPlan; k < numKinds; k++ {
		if f.Kind != "" && f.Kind != kinds[k].ID {
			continue
		}
		if !kinds[k].Offer && (!kinds.Answers(int(k), int(q)) || !seats.Has(seat)) {
			continue
		}
		for c := range candidates(p, seat, k) {
			if p.check(seat, c) != nil || f != (rules.Filter{}) && !f.Fits(p.Describe(seat, c)) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// candidates yields the commands of a kind that are worth checking.
func candidates(p *State, seat rules.Seat, k Kind) func(func(Command) bool) {
	return func(yield func(Command) bool) {
		switch k {
		case KindPlan:
			for _, at := range p.sc.outposts {
				if !yield(Command{Kind: k, Hex: at}) {
					return
				}
			}
		case KindRetreat:
			around(p, p.attack().target, func(at hex.Index) bool { return yield(Command{Kind: k, Hex: at}) })
		case KindMove, KindAttack, KindRally:
			for u := range p.units {
				if p.owns(seat, Unit(u)) && !unitCandidates(p, Unit(u), k, yield) {
					return
				}
			}
		default:
			yield(Command{Kind: k})
		}
	}
}

func unitCandidates(p *State, u Unit, k Kind, yield func(Command) bool) bool {
	if k == KindRally {
		return yield(Command{Kind: k, Unit: u, Steps: 1})
	}
	return around(p, u, func(at hex.Index) bool {
		if k == KindMove {
			return yield(Command{Kind: k, Unit: u, Hex: at})
		}
		target := p.unitAt(at)
		return target == noUnit || yield(Command{Kind: k, Unit: u, Target: target})
	})
}

// around yields the hexes next to a unit and reports whether it went through all.
func around(p *State, u Unit, yield func(hex.Index) bool) bool {
	for _, at := range p.sc.board.Neighbors(p.units[u].at) {
		if at != hex.None && !yield(at) {
			return false
		}
	}
	return true
}

// Decisions says what the game waits for and what may be offered meanwhile.
func (p *State) Decisions() []rules.Decision {
	if p.phase == PhaseOver {
		return nil
	}
	var list []rules.Decision
	q, seats := p.asked()
	for seat := range seats.Each {
		list = append(list, p.decision(q, seat))
	}
	for seat := Red; seat < numSeats; seat++ {
		list = append(list,
			rules.Decision{Seat: seat, Kind: "offer", Text: rules.Say("ask.offer"), Rules: []string{"TY 7.4"},
				Optional: true})
	}
	return list
}

func (p *State) decision(q question, seat rules.Seat) rules.Decision {
	d := rules.Decision{Seat: seat, Kind: questionNames[q]}
	switch q {
	case askPlan:
		d.Text, d.Rules = rules.Say("ask.plan"), []string{"TY 2.1"}
		for _, at := range p.sc.outposts {
			d.Spaces = append(d.Spaces, p.hexID(at))
		}
	case askAct:
		d.Text, d.Rules = rules.Say("ask.act"), []string{"TY 4.1", "TY 5.1"}
	case askLoss:
		f := p.attack()
		d.Text, d.Rules = rules.Say("ask.loss", "unit", p.name(f.target)), []string{"TY 5.3"}
		d.Pieces = []string{p.id(f.target)}
	case askPursuit:
		f := p.attack()
		d.Text = rules.Say("ask.pursuit", "unit", p.name(f.unit), "hex", p.hexID(f.vacated))
		d.Rules = []string{"TY 5.5"}
		d.Pieces, d.Spaces = []string{p.id(f.unit)}, []string{p.hexID(f.vacated)}
	}
	return d
}

package downfall

import (
	"github.com/warledger/warledger/rules"
)

// refuse makes a refusal by a rule. Hexes and units among the values are said by their names.
func (p *Position) refuse(rule, key string, pairs ...any) *rules.Refusal {
	for i, v := range pairs {
		switch v := v.(type) {
		case Hex:
			pairs[i] = p.sc.HexName(v)
		case Unit:
			pairs[i] = p.name(v)
		}
	}
	return rules.Refuse(rule, key, pairs...)
}

// refuseHex makes a refusal that is about a hex.
func (p *Position) refuseHex(rule, key string, h Hex, pairs ...any) *rules.Refusal {
	return p.refuse(rule, key, append(pairs, "hex", h)...).At(p.sc.HexID(h))
}

// refuseUnit makes a refusal that is about a unit.
func (p *Position) refuseUnit(rule, key string, u Unit, pairs ...any) *rules.Refusal {
	return p.refuse(rule, key, append(pairs, "unit", u)...).About(p.id(u))
}

// notYours refuses a unit that is not the seat's to command.
func (p *Position) notYours(u Unit) *rules.Refusal {
	return p.refuseUnit("", "refuse.not-yours", u).For(rules.ReasonUnknownPiece)
}

// name is a unit as messages call it.
func (p *Position) name(u Unit) rules.Words {
	if int(u) >= len(p.sc.Units) {
		return nobody
	}
	return words(p.sc.Units[u].Name)
}

// check says why a command may not be carried out now; nil if it may. It is the only place where legality is decided. A
// refusal to a seat speaks of that seat's secrets at most.
func (p *Position) check(seat rules.Seat, c Command) *rules.Refusal {
	if c.Kind == KindNone || c.Kind >= numKinds {
		return rules.Malformed("a command without a kind")
	}
	switch {
	case c.Kind == KindStanding && !p.over():
		if r := p.checkIDs(c); r != nil {
			return r
		}
		return p.checkStanding(seat, c.standingOf())
	case kinds[c.Kind].Offer:
		return p.checkOffer(seat, c)
	}
	ask, who := p.ask()
	if who != seat || !c.Kind.answers(ask) {
		return p.notNow(ask, who, seat, c)
	}
	if r := p.checkIDs(c); r != nil {
		return r
	}
	if ask == AskActions {
		return p.checkAction(seat, c)
	}
	return p.checkAnswer(ask, seat, c)
}

// checkIDs keeps indexes that no scenario gave out of the tables.
func (p *Position) checkIDs(c Command) *rules.Refusal {
	all := p.tab.us | p.tab.japan
	bad := c.Unit != NoUnit && !all.Has(c.Unit) || c.Other != NoUnit && !all.Has(c.Other) || c.Units&^all != 0 ||
		c.Kind == KindLosses && c.twice()&^all != 0
	badHex := !p.onBoard(c.Hex) || !p.onBoard(c.From)
	for _, r := range c.routes() {
		bad = bad || !all.Has(r.Unit)
		for _, h := range r.Path {
			badHex = badHex || h == NoHex || !p.onBoard(h)
		}
	}
	switch {
	case bad, c.Kind.needsUnit() && c.Unit == NoUnit && c.Routes == nil:
		return p.refuse("", "refuse.unknown-unit").For(rules.ReasonUnknownPiece)
	case badHex, c.Kind.needsHex() && c.Hex == NoHex && c.Routes == nil:
		return p.refuse("", "refuse.unknown-hex").For(rules.ReasonUnknownSpace)
	}
	return nil
}

func (p *Position) onBoard(h Hex) bool { return h == NoHex || int(h) < len(p.at) }

// needsUnit and needsHex tell of kinds whose commands are nothing without.
func (k Kind) needsUnit() bool {
	switch k {
	case KindPlace, KindMove, KindFollow, KindEnter, KindRecover, KindRebuild, KindStepUp, KindShot, KindRetreat,
		KindAbort, KindEliminate:
		return true
	}
	return false
}

func (k Kind) needsHex() bool {
	switch k {
	case KindPlace, KindPlan, KindMove, KindFollow, KindEnter, KindAttack, KindConsecutive:
		return true
	}
	return false
}

// checkAction checks what a side may do for CP, in any order (DF 7.7).
func (p *Position) checkAction(seat rules.Seat, c Command) *rules.Refusal {
	if only := kinds[c.Kind].Only; only != 0 && !only.Has(seat) {
		if c.Kind == KindRecover || c.Kind == KindRebuild || c.Kind == KindStepUp {
			return p.refuse("DF 8.1", "refuse.no-replacements")
		}
		return p.refuse("DF 5.2", "refuse.not-now").For(rules.ReasonNotYourDecision)
	}
	switch c.Kind {
	case KindMove:
		return p.checkMove(seat, c)
	case KindFollow:
		return p.checkFollow(seat, c)
	case KindEnter:
		return p.checkEnter(seat, c)
	case KindAttack:
		return p.checkAttack(seat, c)
	case KindConsecutive:
		return p.checkConsecutive(seat, c)
	case KindLand:
		return p.checkLand(c)
	case KindCancel:
		return p.checkCancel()
	case KindRecover:
		return p.checkRecover(c)
	case KindRebuild:
		return p.checkRebuild(c)
	case KindStepUp:
		return p.checkStepUp(c)
	case KindDrop:
		return p.checkDrop()
	}
	return nil // end
}

// checkAnswer checks the answers to all other questions.
func (p *Position) checkAnswer(ask Ask, seat rules.Seat, c Command) *rules.Refusal {
	switch c.Kind {
	case KindPlace:
		return p.checkPlace(c)
	case KindOrders:
		return p.checkOrders(c)
	case KindPlan:
		return p.checkPlan(c)
	case KindZones:
		return p.checkZones(c)
	case KindRemove:
		return p.checkRemove(c)
	case KindBombs:
		return p.checkBombs(c)
	case KindTarget:
		return p.checkTarget(c)
	case KindBomb:
		return p.checkBomb(c)
	case KindLosses:
		return p.checkLosses(c)
	case KindSupply:
		return p.checkAirSupply(c)
	case KindAlso:
		return p.checkAlso(seat, c)
	case KindDeclare:
		return p.checkDeclare(seat, c)
	}
	return p.checkCombat(ask, c)
}

func (p *Position) checkCombat(_ Ask, c Command) *rules.Refusal {
	switch c.Kind {
	case KindSupport:
		return p.checkSupport(c)
	case KindBombard:
		return p.checkBombard(c)
	case KindShot:
		return p.checkShot(c)
	case KindHold:
		return p.checkHold()
	case KindRetreat, KindStay, KindAbort, KindPress:
		return p.checkBreak(c)
	case KindWithdraw:
		return p.checkWithdraw(c)
	case KindAdvance:
		return p.checkAdvance(c)
	case KindEliminate:
		return p.checkEliminate(c)
	}
	return nil // end
}

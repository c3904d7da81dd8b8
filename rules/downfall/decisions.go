package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// question says how a question is called and which paragraphs govern it.
type question struct {
	id    string
	rules []string
}

var questions = [...]question{
	AskPlace36:   {"place-36th", []string{"DF 3.2-b"}},
	AskMagic:     {"magic", []string{"DF 15.4"}},
	AskOrders:    {"orders", []string{"DF 15.6-a", "DF 15.6-b"}},
	AskPlan:      {"plan", []string{"DF 3.3-d", "DF 8.6-a", "DF 8.6-b"}},
	AskZones:     {"zones", []string{"DF 6.3-a"}},
	AskRemove:    {"remove", []string{"DF 6.7-a"}},
	AskBombs:     {"bombs", []string{"DF 6.8-b"}},
	AskTarget:    {"target", []string{"DF 6.8-c"}},
	AskBomb:      {"bomb", []string{"DF 6.8-d"}},
	AskLosses:    {"losses", []string{"DF 6.9-b"}},
	AskAirSupply: {"air-supply", []string{"DF 9.7-a"}},
	AskActions:   {"actions", []string{"DF 7.7"}},
	AskDeclare:   {"declare", []string{"DF 7.8-b", "DF 7.8-c"}},
	AskSupport:   {"support", []string{"DF 14.5-a", "DF 14.6-a"}},
	AskBombard:   {"bombard", []string{"DF 13.3-2"}},
	AskFire:      {"fire", []string{"DF 13.4-1"}},
	AskBreak:     {"break", []string{"DF 13.2-4", "DF 13.3-4"}},
	AskWithdraw:  {"withdraw", []string{"DF 13.10"}},
	AskAdvance:   {"advance", []string{"DF 13.9"}},
	AskExcess:    {"excess", []string{"DF 10.3-b", "DF 10.8"}},
}

// Decisions says what the game waits for, and an offer to give up that is open. What is asked is no secret to anyone
// (Part 3): the questions about plans come when they come whatever the plans are.
func (p *Position) Decisions() []rules.Decision {
	var all []rules.Decision
	if ask, seat := p.ask(); ask != AskNothing {
		q := questions[ask]
		d := rules.Decision{Seat: seat, Kind: q.id, Text: p.askText(ask, seat),
			Rules: append([]string(nil), q.rules...)}
		d.Pieces, d.Spaces = p.askAbout(ask)
		all = append(all, d)
	}
	if p.offer != 0 && !p.over() {
		seat := enemy(rules.Seat(p.offer - 1))
		all = append(all, rules.Decision{
			Seat: seat, Kind: "concession", Text: rules.Say("decide.concession", "seat", "@seat."+seatIDs[enemy(seat)]),
			Rules: []string{"DF 4.1-b"}, Optional: true,
		})
	}
	return all
}

// askText puts the question, with the numbers that it turns on.
func (p *Position) askText(ask Ask, seat rules.Seat) rules.Text {
	key := "decide." + questions[ask].id
	switch ask {
	case AskPlace36:
		return rules.Say(key, "n", p.unplaced().Len())
	case AskMagic:
		return rules.Say(key, "n", int(p.magicLeft))
	case AskRemove:
		return rules.Say(key, "n", p.navalExcess())
	case AskTarget:
		return rules.Say(key, "n", int(p.bombsDeclared)-int(p.step))
	case AskLosses:
		return rules.Say(key, "n", p.bombLoss())
	case AskActions:
		return rules.Say(key, "n", int(p.cp))
	case AskDeclare:
		return rules.Say(key, "hex", p.sc.HexName(p.decl.target), "n", int(p.decl.count))
	case AskBreak:
		if p.fight.byJapan {
			return rules.Say("decide.retreat", "hex", p.sc.HexName(p.fight.usHex()))
		}
		return rules.Say("decide.abort", "hex", p.sc.HexName(p.fight.usHex()))
	case AskSupport, AskAdvance, AskWithdraw, AskBombard, AskFire:
		return rules.Say(key, "hex", p.sc.HexName(p.fight.target))
	case AskExcess:
		return rules.Say(key, "hex", p.sc.HexName(p.excess))
	}
	return rules.Say(key)
}

// askAbout are the pieces and spaces that a question is about.
func (p *Position) askAbout(ask Ask) (pieces, spaces []string) {
	switch ask {
	case AskPlace36:
		return p.ids(p.unplaced()), nil
	case AskLosses:
		return p.ids(p.bombVictims()), nil
	case AskDeclare:
		return nil, []string{p.sc.HexID(p.decl.target)}
	case AskFire:
		shooters := p.fight.toFire
		if p.fight.shots > 0 {
			shooters = bit(p.fight.shooter)
		}
		return p.ids(shooters), []string{p.sc.HexID(p.fight.target)}
	case AskBreak:
		return p.ids(p.fight.hurt), []string{p.sc.HexID(p.fight.usHex())}
	case AskWithdraw:
		return p.ids(p.retreating()), []string{p.sc.HexID(p.fight.target)}
	case AskAdvance:
		return p.ids(p.advancers()), []string{p.sc.HexID(p.fight.target)}
	case AskSupport, AskBombard:
		return nil, []string{p.sc.HexID(p.fight.target)}
	case AskExcess:
		return p.ids(p.excessUnits()), []string{p.sc.HexID(p.excess)}
	}
	return nil, nil
}

// Ending says how the game ended (DF 4.13, DF 4.14, DF 4.1-b).
func (p *Position) Ending() *rules.Ending {
	if !p.over() {
		return nil
	}
	e := &rules.Ending{Level: levelIDs[p.level&3], Scores: map[rules.Seat]int{US: int(p.vp)}}
	winner := ""
	if p.winner != rules.NoSeat {
		e.Winners = rules.SeatsOf(p.winner)
		winner = seatIDs[p.winner]
	}
	e.Text = endText(winner, downfallv1.EndLevel(p.level), int(p.vp))
	return e
}

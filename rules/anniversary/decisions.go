package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// question says how a question is called and which paragraphs govern it.
type question struct {
	id    string
	rules []string
}

var questions = [...]question{
	AskResearch:  {"research", []string{"AA 6.2.1"}},
	AskChart:     {"chart", []string{"AA 6.2.5"}},
	AskPurchase:  {"purchase", []string{"AA 7.1.1", "AA 7.2.1"}},
	AskOrder:     {"order", []string{"AA 5.4.1"}},
	AskMove:      {"combat-move", []string{"AA 8.1.1"}},
	AskCombat:    {"combat", []string{"AA 9.1.2"}},
	AskBombard:   {"bombard", []string{"AA 9.3.6"}},
	AskSubmerge:  {"submerge", []string{"AA 9.7.2", "AA 9.7.3"}},
	AskLosses:    {"losses", []string{"AA 9.8.1"}},
	AskAgree:     {"agree", []string{"AA 9.8.7"}},
	AskPress:     {"press", []string{"AA 9.9.3"}},
	AskDivert:    {"divert", []string{"AA 9.12.1"}},
	AskConsent:   {"consent", []string{"AA 8.1.12"}},
	AskNoncombat: {"noncombat-move", []string{"AA 12.1.1"}},
	AskMobilize:  {"mobilize", []string{"AA 13.1.1"}},
}

// Decisions says what the game waits for, seat by seat. What is asked is open to everyone: what standing orders
// answer is not asked at all.
func (p *Position) Decisions() []rules.Decision {
	ask, seats := p.ask()
	if ask == AskNothing {
		return nil
	}
	var all []rules.Decision
	for seat := range seats.Each {
		q := questions[ask]
		d := rules.Decision{Seat: seat, Kind: q.id, Text: p.askText(ask), Rules: append([]string(nil), q.rules...)}
		d.Pieces, d.Spaces = p.askAbout(ask, seat)
		all = append(all, d)
	}
	return all
}

// askText puts the question, with the numbers that it turns on.
func (p *Position) askText(ask Ask) rules.Text {
	key := "decide." + questions[ask].id
	at := spaceName(p.sc, p.battle.at)
	switch ask {
	case AskResearch, AskPurchase:
		return rules.Say(key, "ipcs", int(p.ipc[p.power]))
	case AskLosses:
		m := p.menu()
		return rules.Say(key, "space", at, "n", m.left())
	case AskBombard, AskSubmerge, AskAgree, AskPress:
		return rules.Say(key, "space", at)
	case AskDivert:
		w := p.homelessPower()
		z := p.homelessZone(w)
		return rules.Say(key, "space", spaceName(p.sc, z), "n", p.homeless(w, z))
	case AskConsent:
		units := rowOf(p.request.before.Unit(), int(p.request.n)).words()
		return rules.Say(key, "power", powerName(p.request.power), "units", units)
	case AskMove, AskCombat:
		if p.acting == China { // which has no seat of its own
			return rules.Say("decide.for", "power", powerName(China), "question", "@"+key)
		}
	}
	return rules.Say(key)
}

// askAbout are the pieces and spaces that a question is about.
func (p *Position) askAbout(ask Ask, seat rules.Seat) (pieces, spaces []string) {
	at := p.battle.at
	switch ask {
	case AskCombat:
		a := p.agenda()
		return nil, p.spaceIDs(a.must.Union(a.may))
	case AskLosses, AskAgree:
		return p.piecesAt(at, func(k Key) bool { return p.eligible(k, p.battle.stage) }), p.spaceList(at)
	case AskSubmerge:
		return p.piecesAt(at, func(k Key) bool { return k.Unit() == Submarine && k.Power().Seat() == seat }),
			p.spaceList(at)
	case AskBombard:
		return nil, p.spaceList(at)
	case AskPress:
		e := p.exits()
		return p.piecesAt(at, p.attacks), append(p.spaceList(at), p.spaceIDs(e.to)...)
	case AskDivert:
		w := p.homelessPower()
		z := p.homelessZone(w)
		return p.piecesAt(z, func(k Key) bool { return k.Power() == w && k.Unit() == Fighter }),
			append(p.spaceList(z), p.spaceIDs(p.refuges(w, z))...)
	case AskConsent:
		return p.pieceList(p.request.before), p.spaceList(p.request.before.At())
	}
	return nil, nil
}

// Ending says how the game ended (AA 3.2.3). The scores are the victory cities of each seat's side.
func (p *Position) Ending() *rules.Ending {
	if !p.over() {
		return nil
	}
	e := &rules.Ending{Winners: seatsOf(p.winner), Level: levelIDs[p.level%3], Scores: map[rules.Seat]int{}}
	for w := range NumSeats {
		e.Scores[w.Seat()] = p.citiesOf(w.Side())
	}
	e.Text = endText(p.winner, anniversaryv1.GameEnd(p.level), p.citiesOf(p.winner))
	return e
}

// citiesOf counts the victory cities of a side (AA 3.2.3).
func (p *Position) citiesOf(side Side) int {
	n := 0
	for _, s := range p.sc.Cities {
		if p.owner[s].Side() == side {
			n++
		}
	}
	return n
}

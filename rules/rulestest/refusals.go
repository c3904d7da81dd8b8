package rulestest

import (
	"errors"
	"regexp"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

var reasonForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// checkOthers tries what was not listed: commands of earlier decisions, of other seats, of no seat, changed ones, and
// none. Either it is refused in words, or it is legal and of a kind of which not everything is listed.
func (m *match) checkOthers(lists [][]tried, all []tried) {
	listed := make([]map[string]bool, len(lists))
	for seat, list := range lists {
		listed[seat] = make(map[string]bool, len(list))
		for _, t := range list {
			listed[seat][t.text] = true
		}
	}
	for seat := range lists {
		for _, t := range m.sample(m.known) {
			m.checkOther(rules.Seat(seat), t, listed)
		}
		for _, t := range m.sample(all) {
			m.checkOther(rules.Seat(seat), t, listed)
		}
	}
	for _, t := range m.sample(all) {
		for _, stranger := range []rules.Seat{rules.NoSeat, rules.Seat(len(lists))} {
			if m.game.Check(stranger, t.c) == nil {
				m.failf("%s is accepted from seat %d, which the ruleset does not have", t.text, stranger)
			}
			m.refused(stranger, t.c, t.text)
		}
		m.checkMutant(t, all, listed)
	}
	words := m.someWords(4)
	for seat := range lists {
		m.refused(rules.Seat(seat), rules.Command{}, "no command")
		for range 2 * len(m.about.Commands) {
			m.checkMessage(rules.Seat(seat), invent(m.set.NewCommand(), words, m.rnd), listed)
		}
	}
}

// checkOther: what passes Check is listed, and what does not is refused properly.
func (m *match) checkOther(seat rules.Seat, t tried, listed []map[string]bool) {
	if m.game.Check(seat, t.c) != nil {
		m.refused(seat, t.c, t.text)
		return
	}
	if text := m.game.FormatCommand(t.c); !listed[seat][text] && !m.generating(t.kind()) {
		m.failf("%s from %s is accepted, but not listed", text, m.about.SeatID(seat))
	}
	m.playCopy(tried{seat: seat, c: t.c, text: t.text})
}

// playCopy plays a command on a copy, which must accept it.
func (m *match) playCopy(t tried) (rules.Game, *rules.Outcome) {
	next, out, err := m.game.Play(t.seat, t.c, dice.NewSeeded(m.rnd.Next()))
	if err != nil {
		m.failf("%s from %s passes Check, but is refused: %v", t.text, m.about.SeatID(t.seat), err)
	}
	m.checkOutcome(out)
	if next.Ending() == nil && next.Waiting() == 0 {
		m.failf("after %s the game stalls: it is not over, and waits for nobody\n%s", t.text, next.Notation())
	}
	return next, out
}

// checkMutant changes something in the message of a command, and may turn it into another seat's.
func (m *match) checkMutant(t tried, all []tried, listed []map[string]bool) {
	donor := all[m.rnd.Below(uint32(len(all)))]
	message := mutate(m.game.EncodeCommand(t.c), m.game.EncodeCommand(donor.c), m.someWords(2), m.rnd)
	m.checkMessage(t.seat, message, listed)
}

// checkMessage tries a message that nobody offered.
func (m *match) checkMessage(seat rules.Seat, message proto.Message, listed []map[string]bool) {
	c, err := m.game.DecodeCommand(message)
	if err != nil {
		m.checkRefusal(err, "the message "+MessageText(message))
		return
	}
	m.checkOther(seat, m.offered(m.game, seat, c), listed)
}

// someWords are ids that mean something: of places, and of pieces on the board.
func (m *match) someWords(n int) []string {
	var words []string
	pieces := m.game.Board(rules.Auditor, rules.English).Pieces
	for range n {
		words = append(words, m.ground.order[m.rnd.Below(uint32(len(m.ground.order)))])
		if len(pieces) > 0 {
			words = append(words, pieces[m.rnd.Below(uint32(len(pieces)))].Id)
		}
	}
	return words
}

// refused checks that Check and Play refuse a command alike.
func (m *match) refused(seat rules.Seat, c rules.Command, text string) {
	checked := m.checkRefusal(m.game.Check(seat, c), text)
	next, out, err := m.game.Play(seat, c, dice.NewSeeded(0))
	if next != nil || out != nil {
		m.failf("%s is refused, and Play gives a position or an outcome all the same", text)
	}
	played := m.checkRefusal(err, text)
	if played.Reason != checked.Reason || played.Rule != checked.Rule || played.Error() != checked.Error() {
		m.failf("%s is refused by Check as %v, and by Play as %v", text, checked, played)
	}
}

// checkRefusal: a refusal teaches.
func (m *match) checkRefusal(err error, of string) *rules.Refusal {
	var r *rules.Refusal
	if !errors.As(err, &r) {
		m.failf("%s is refused with %v, expected a refusal", of, err)
	}
	if !reasonForm.MatchString(string(r.Reason)) {
		m.failf("%s is refused for the reason %q, expected UPPER_SNAKE_CASE", of, r.Reason)
	}
	if r.Reason == rules.ReasonIllegal && r.Rule == "" {
		m.failf("%s is refused as illegal without a rule: %v", of, r)
	}
	if _, ok := m.about.Rulebook.Find(r.Rule); r.Rule != "" && !ok {
		m.failf("%s is refused by the rule %q, which the rulebook does not have", of, r.Rule)
	}
	m.checkWords(r.Words, "the refusal of "+of)
	if r.Text.Key != "" {
		m.checkText(r.Text, "the refusal of "+of)
	}
	return r
}

package live

import (
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// Consent is who is asked for something.
type Consent struct {
	// Missing are the seats that have not answered, and Agreed those that have agreed.
	Missing, Agreed rules.Seats
	// claims are the asked seats that were free: the last holder of each is asked.
	claims rules.Seats
	// unplayed are the seats that somebody took since, and has not played: they are asked once they do.
	unplayed rules.Seats
}

// PendingUndo is an undo that waits for consent.
type PendingUndo struct {
	// Asked is the record that asked, and Target where the head is to go.
	Asked, Target uint64
	Seat          rules.Seat
	Consent
}

// ProposedDeadlines are deadlines that wait for consent.
type ProposedDeadlines struct {
	// Version is the record that proposed them.
	Version   uint64
	Deadlines *logv1.Deadlines
	Consent
}

// OfferedSeat is a free seat that waits for consent before somebody may take it.
type OfferedSeat struct {
	// Version is the record that offered it.
	Version uint64
	Seat    rules.Seat
	Consent
}

func seatNamed(about *rules.About, id string) (rules.Seat, error) {
	s, ok := about.SeatByID(id)
	if !ok {
		return s, fmt.Errorf("there is no seat %q", id)
	}
	return s, nil
}

// ask begins to wait for the consent of seats.
func (t *Table) ask(about *rules.About, needed []string) (c Consent, err error) {
	for _, id := range needed {
		s, err := seatNamed(about, id)
		if err != nil {
			return c, err
		}
		c.Missing |= rules.SeatsOf(s)
		if _, held := t.Holders[id]; !held {
			c.claims |= rules.SeatsOf(s)
		}
	}
	return c, nil
}

func (c Consent) agreed(s rules.Seat) Consent {
	c.Missing, c.Agreed = c.Missing&^rules.SeatsOf(s), c.Agreed|rules.SeatsOf(s)
	return c
}

// joined is the consent once somebody has taken a seat, who is asked at once or once that player has made a command. It
// is false if the last holder of that seat was asked, because nobody can answer for that player any more.
func (c Consent) joined(seat rules.Seats, atOnce bool) (Consent, bool) {
	c = c.without(seat)
	if atOnce {
		c.Missing |= seat
	} else {
		c.unplayed |= seat
	}
	return c, c.claims&seat == 0
}

// played is the consent once a seat has made a command.
func (c Consent) played(seat rules.Seats) Consent {
	c.Missing, c.unplayed = c.Missing|c.unplayed&seat, c.unplayed&^seat
	return c
}

// without is the consent once a holder who never played has left.
func (c Consent) without(seat rules.Seats) Consent {
	c.Missing, c.Agreed, c.unplayed = c.Missing&^seat, c.Agreed&^seat, c.unplayed&^seat
	return c
}

func (t *Table) endQuestions() { t.Pending, t.Proposed, t.Offered = nil, nil, nil }

// Questions reports whether something waits for consent.
func (t *Table) Questions() bool { return t.Pending != nil || t.Proposed != nil || t.Offered != nil }

// joinQuestions keeps open questions open when somebody takes a seat, and asks that player too. Otherwise somebody
// could hold a question open and agree to it at the moment that hurts the newcomer most. The newcomer is asked only
// after a first command, because a passer-by must not hold up the others.
//
// Older logs ask the newcomer at once. In still older ones every question ends, as do today those that ask the last
// holder of the seat or offer the seat. Moments of the past keep their questions.
func (t *Table) joinQuestions(e *logv1.SeatTaken, seat rules.Seats) {
	if !e.JoinsQuestions {
		t.endQuestions()
		return
	}
	old, atOnce := *t, !e.JoinsOncePlayed
	t.endQuestions()
	if p := old.Pending; p != nil {
		if c, open := p.joined(seat, atOnce); open {
			t.Pending = &PendingUndo{p.Asked, p.Target, p.Seat, c}
		}
	}
	if p := old.Proposed; p != nil {
		if c, open := p.joined(seat, atOnce); open {
			t.Proposed = &ProposedDeadlines{p.Version, p.Deadlines, c}
		}
	}
	if p := old.Offered; p != nil && !seat.Has(p.Seat) {
		if c, open := p.joined(seat, atOnce); open {
			t.Offered = &OfferedSeat{p.Version, p.Seat, c}
		}
	}
}

// playQuestions has what waits for consent ask the seats that have made their first command. An undo has ended with it.
// Earlier moments keep their questions.
func (t *Table) playQuestions(seat rules.Seats) {
	if p := t.Proposed; p != nil && p.unplayed&seat != 0 {
		t.Proposed = &ProposedDeadlines{p.Version, p.Deadlines, p.played(seat)}
	}
	if p := t.Offered; p != nil && p.unplayed&seat != 0 {
		t.Offered = &OfferedSeat{p.Version, p.Seat, p.played(seat)}
	}
}

// quitQuestions has the open questions go on without a holder who never played, unless an undo ends with
// it. When a holder leaves who has played all of them end. Earlier moments keep their questions.
func (t *Table) quitQuestions(e *logv1.SeatLeft, seat rules.Seats) {
	if !e.QuitsQuestions {
		t.endQuestions()
		return
	}
	old := *t
	t.endQuestions()
	if p := old.Pending; p != nil && !t.EndsUndo(p, seat) {
		t.Pending = &PendingUndo{p.Asked, p.Target, p.Seat, p.without(seat)}
	}
	if p := old.Proposed; p != nil {
		t.Proposed = &ProposedDeadlines{p.Version, p.Deadlines, p.without(seat)}
	}
	if p := old.Offered; p != nil {
		t.offer(&OfferedSeat{p.Version, p.Seat, p.without(seat)})
	}
}

// EndsUndo reports whether an undo ends when a holder leaves who never played. It does if the holder asked for it. It
// also does if the seat was taken, after what is taken back, from a player whom the owner had put out: otherwise
// somebody could sit down for that player, and leave, so that nobody is asked.
func (t *Table) EndsUndo(p *PendingUndo, seat rules.Seats) bool {
	for s := range seat.Each {
		if s == p.Seat || t.Retaken[s] > p.Target {
			return true
		}
	}
	return false
}

// offer waits for an offer's answers, or hands the seat over once all have agreed. If all who were asked have left, the
// offer ends, because nobody has agreed to it.
func (t *Table) offer(p *OfferedSeat) {
	t.Offered = p
	if p.Missing == 0 {
		t.Offered = nil
		if p.Agreed != 0 {
			t.Handed |= rules.SeatsOf(p.Seat)
		}
	}
}

// foldQuestion folds what is asked of seats, and what they answer.
func (m *Moment) foldQuestion(about *rules.About, version uint64, e *logv1.TableEvent) error {
	t := &m.Table
	switch e := e.Event.(type) {
	case *logv1.TableEvent_UndoAsked:
		asker, err := seatNamed(about, e.UndoAsked.Seat)
		if err != nil {
			return err
		}
		c, err := t.ask(about, e.UndoAsked.Needed)
		if err != nil {
			return err
		}
		t.Pending = &PendingUndo{version, e.UndoAsked.Target, asker, c}
	case *logv1.TableEvent_UndoAnswered:
		return t.answerUndo(about, e.UndoAnswered)
	case *logv1.TableEvent_DeadlinesProposed:
		c, err := t.ask(about, e.DeadlinesProposed.Needed)
		if err != nil {
			return err
		}
		t.Proposed = &ProposedDeadlines{version, e.DeadlinesProposed.Deadlines, c}
	case *logv1.TableEvent_DeadlinesAnswered:
		return t.answerDeadlines(about, e.DeadlinesAnswered)
	case *logv1.TableEvent_DeadlinesChanged:
		t.Deadlines, t.Proposed = e.DeadlinesChanged.Deadlines, nil
	case *logv1.TableEvent_SeatOffered:
		s, err := seatNamed(about, e.SeatOffered.Seat)
		if err != nil {
			return err
		}
		c, err := t.ask(about, e.SeatOffered.Needed)
		if err != nil {
			return err
		}
		t.Offered = &OfferedSeat{version, s, c}
	case *logv1.TableEvent_SeatAnswered:
		return t.answerOffer(about, e.SeatAnswered)
	}
	return nil
}

func (t *Table) answerUndo(about *rules.About, e *logv1.UndoAnswered) error {
	s, err := seatNamed(about, e.Seat)
	if err != nil {
		return err
	}
	p := t.Pending
	switch {
	case p == nil || p.Asked != e.Asked:
		return fmt.Errorf("an answer to undo %d, which does not wait for one", e.Asked)
	case e.Agree:
		t.Pending = &PendingUndo{p.Asked, p.Target, p.Seat, p.agreed(s)}
	default:
		t.Pending = nil
	}
	return nil
}

func (t *Table) answerDeadlines(about *rules.About, e *logv1.DeadlinesAnswered) error {
	s, err := seatNamed(about, e.Seat)
	if err != nil {
		return err
	}
	p := t.Proposed
	switch {
	case p == nil || p.Version != e.Proposed:
		return fmt.Errorf("an answer to proposal %d, which does not wait for one", e.Proposed)
	case e.Agree:
		t.Proposed = &ProposedDeadlines{p.Version, p.Deadlines, p.agreed(s)}
	default:
		t.Proposed = nil
	}
	return nil
}

func (t *Table) answerOffer(about *rules.About, e *logv1.SeatAnswered) error {
	s, err := seatNamed(about, e.Seat)
	if err != nil {
		return err
	}
	p := t.Offered
	switch {
	case p == nil || p.Version != e.Offered:
		return fmt.Errorf("an answer to offer %d of a seat, which does not wait for one", e.Offered)
	case e.Agree:
		t.offer(&OfferedSeat{p.Version, p.Seat, p.agreed(s)})
	default:
		t.Offered = nil
	}
	return nil
}

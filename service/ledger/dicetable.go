package ledger

import (
	"fmt"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
)

// table follows a change of the table, in a game with mutual dice.
func (s DiceState) table(r *Record) (DiceState, error) {
	events, err := r.TableEvents()
	if err != nil {
		return s, err
	}
	h := r.Header()
	s.seats = slices.Clone(s.seats)
	for _, e := range events {
		switch e := e.Event.(type) {
		case *logv1.TableEvent_SeatTaken:
			err = s.sit(e.SeatTaken)
		case *logv1.TableEvent_SeatLeft:
			err = s.leave(e.SeatLeft.Seat)
		case *logv1.TableEvent_Resigned:
			if e.Resigned.GoesOn {
				err = s.leave(e.Resigned.Seat)
			}
		case *logv1.TableEvent_DiceAnswered:
			s.asked, err = s.answer(h, e.DiceAnswered)
		case *logv1.TableEvent_ChainRenewed:
			err = s.renew(h, e.ChainRenewed)
		case *logv1.TableEvent_DiceGoneOn:
			s.asked, err = s.goOn(h, e.DiceGoneOn)
		case *logv1.TableEvent_SecretsReleased:
			s.asked = nil
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// chainOf reads a chain; nil is one without links.
func chainOf(c *logv1.HashChain) (dice.Chain, error) {
	if c == nil {
		return dice.Chain{}, nil
	}
	return dice.NewChain(c.Anchor, c.Length)
}

// sit follows a seat being taken. The caller has cloned s.seats.
func (s *DiceState) sit(e *logv1.SeatTaken) error {
	chain, err := chainOf(e.Chain)
	if err != nil {
		return fmt.Errorf("has a chain of %s that cannot be: %w", e.Seat, err)
	}
	if s.asked.Owes(e.Seat) {
		return fmt.Errorf("gives away the seat %s, which owes a link", e.Seat)
	}
	one := diceSeat{id: e.Seat, chain: chain}
	at, held := s.find(e.Seat)
	if held {
		s.seats[at] = one
	} else {
		s.seats = slices.Insert(s.seats, at, one)
	}
	return nil
}

func (s *DiceState) leave(seat string) error {
	if s.asked.Owes(seat) {
		return fmt.Errorf("frees the seat %s, which owes a link", seat)
	}
	if at, held := s.find(seat); held {
		s.seats = slices.Delete(s.seats, at, at+1)
	}
	return nil
}

// answer follows a link that was revealed.
func (s *DiceState) answer(h *logv1.RecordHeader, e *logv1.DiceAnswered) (*Asked, error) {
	a := s.asked
	at, held := s.find(e.Seat)
	switch {
	case a == nil || a.Version != e.Asked || !a.Owes(e.Seat) || !held:
		return a, fmt.Errorf("answers record %d for %s, which owes it nothing", e.Asked, e.Seat)
	case h.Seat != e.Seat:
		return a, fmt.Errorf("answers for %q but was sent by %q", e.Seat, h.Seat)
	case len(e.Link) != len(dice.Link{}):
		return a, fmt.Errorf("reveals a link of %d bytes, expected %d", len(e.Link), len(dice.Link{}))
	}
	link, chain := dice.Link(e.Link), s.seats[at].chain
	if err := chain.Check(link, s.game, e.Seat); err != nil {
		return a, fmt.Errorf("has a wrong link: %w", err)
	}
	if chain = chain.Spend(&link); chain.Left() != (e.Chain == nil) {
		return a,
			fmt.Errorf("brings a new chain: %v; one comes with the last link of a chain, and never otherwise",
				e.Chain != nil)
	}
	if e.Chain != nil {
		var err error
		if chain, err = chainOf(e.Chain); err != nil {
			return a, fmt.Errorf("has a chain of %s that cannot be: %w", e.Seat, err)
		}
	}
	s.seats[at].chain = chain
	next := *a
	next.Links = append(slices.Clip(a.Links), dice.SeatLink{Seat: e.Seat, Link: link})
	return &next, nil
}

func (s *DiceState) renew(h *logv1.RecordHeader, e *logv1.ChainRenewed) error {
	at, held := s.find(e.Seat)
	switch {
	case s.asked != nil:
		return fmt.Errorf("renews the chain of %s while record %d waits for dice", e.Seat, s.asked.Version)
	case !held:
		return fmt.Errorf("renews the chain of %s, which nobody holds", e.Seat)
	case h.Seat != e.Seat:
		return fmt.Errorf("renews the chain of %q but was sent by %q", e.Seat, h.Seat)
	case e.Chain == nil:
		return fmt.Errorf("renews the chain of %s without a new chain", e.Seat)
	}
	chain, err := chainOf(e.Chain)
	if err != nil {
		return fmt.Errorf("has a chain of %s that cannot be: %w", e.Seat, err)
	}
	s.seats[at].chain, s.seats[at].renewed = chain, true
	return nil
}

func (s *DiceState) goOn(h *logv1.RecordHeader, e *logv1.DiceGoneOn) (*Asked, error) {
	a := s.asked
	switch {
	case s.terms.GetOnSilence() != logv1.Silence_SILENCE_GO_ON:
		return a, fmt.Errorf("goes on without answers, although the game waits for them")
	case a == nil || a.Version != e.Asked:
		return a, fmt.Errorf("goes on with record %d, which waits for no dice", e.Asked)
	case h.Time.AsTime().Before(a.Time.Add(s.terms.AnswerTime.AsDuration())):
		return a, fmt.Errorf("goes on before the time for answers to record %d is over", a.Version)
	case !slices.Equal(e.Missing, a.Missing()):
		return a, fmt.Errorf("says that links of %q are missing; it is those of %q", e.Missing, a.Missing())
	}
	for _, seat := range e.Missing {
		if at, held := s.find(seat); held {
			s.seats[at].chain = s.seats[at].chain.Spend(nil)
		}
	}
	next := *a
	next.GoneOn = true
	return &next, nil
}

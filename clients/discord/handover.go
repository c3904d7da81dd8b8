package discord

import (
	"errors"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// owner is the game as its owner has it, for whoever began it.
func (t *talk) owner(at *table) (*warledger.Game, error) {
	if at.Creator != t.user {
		return nil, wrong("notCreator")
	}
	return t.set.Server.Game(at.Game, "").InLanguage(t.lang).WithTokens(fixed(at.Owner)).ForSeats(), nil
}

// freeSeat takes a seat from whoever holds it, for whoever began the game.
func (t *talk) freeSeat(at *table, seat string) error {
	owner, err := t.owner(at)
	if err != nil {
		return err
	}
	if _, err := owner.Leave(t.ctx, seat); err != nil {
		return err
	}
	t.say(say(t.lang, "freed", escape(seat)))
	return nil
}

// offer asks whether a guarded seat may be taken. The others are asked in the channel, as soon as
// the record of it comes.
func (t *talk) offer(at *table, seat string) error {
	owner, err := t.owner(at)
	if err != nil {
		return err
	}
	// or they would be asked for their own seats
	owner = owner.WithTokens(fixed(append(at.tokens(t.user), at.Owner)...))
	switch _, err := owner.OfferSeat(t.ctx, seat); {
	case errors.Is(err, warledger.ErrSeatGuarded):
		return wrong("offerNobody")
	case err != nil:
		return err
	}
	t.say(say(t.lang, "undoPending"))
	return nil
}

// lasting is the hold of a seat, or the last one if it is free.
func (t *table) lasting(seat string) (hold, bool) {
	if h, ok := t.Seats[seat]; ok {
		return h, true
	}
	h, ok := t.Former[seat]
	return h, ok
}

// asked are the seats of somebody, held now or last, whose answer is missing.
func (t *talk) asked(at *table, missing []string) []string {
	return slices.DeleteFunc(slices.Clone(missing), func(seat string) bool {
		h, ok := at.lasting(seat)
		return !ok || h.User != t.user
	})
}

// answerOffer answers the offer of a seat for every seat of the player whose answer is missing.
// The button names the record and the seat that the message showed.
func (t *talk) answerOffer(at *table, offered, answer, seat string) error {
	g, err := t.spectator(at.Game, t.lang).Get(t.ctx)
	if err != nil {
		return err
	}
	pending := g.GetPendingSeat()
	mine := t.asked(at, pending.GetMissing())
	if pending == nil || itoa(pending.GetOffered()) != offered || pending.GetSeat() != seat || len(mine) == 0 {
		return wrong("notAsked")
	}
	done := false
	for _, seat := range mine {
		h, _ := at.lasting(seat)
		game := t.set.Server.Game(at.Game, seat).WithTokens(fixed(h.Token)).ForSeats(seat)
		if _, done, err = game.AnswerSeat(t.ctx, pending, answer == "yes"); err != nil {
			return err
		}
		if answer != "yes" {
			break // one refusal decides
		}
	}
	switch {
	case answer != "yes":
		t.say(say(t.lang, "seatRefused", escape(pending.GetSeat())))
	case done:
		t.say(say(t.lang, "seatAgreed", escape(pending.GetSeat())))
	default:
		t.say(say(t.lang, "agreedWaiting"))
	}
	return nil
}

// question is what a record asks of seats.
type question struct {
	// kind begins the ids of the buttons, version is that of the record.
	kind    string
	version uint64
	// seat is the one that is offered, empty for an undo.
	seat   string
	needed []string
	// undo is the undo that is asked for; nil for an offer.
	undo *logv1.UndoAsked
}

// questionOf is what a record asks; it needs nobody if it asks nothing.
func questionOf(r *v1.Record) question {
	for _, e := range tableEvents(r) {
		switch {
		case e.GetUndoAsked() != nil:
			return question{"undo", r.GetVersion(), "", e.GetUndoAsked().GetNeeded(), e.GetUndoAsked()}
		case e.GetSeatOffered() != nil:
			return question{"offer", r.GetVersion(), e.GetSeatOffered().GetSeat(), e.GetSeatOffered().GetNeeded(), nil}
		}
	}
	return question{}
}

// tableEvents are the changes of the table that a record makes.
func tableEvents(r *v1.Record) []*logv1.TableEvent {
	var all []*logv1.TableEvent
	for _, e := range r.GetEvents() {
		event := new(logv1.TableEvent)
		if e.GetEvent().MessageIs(event) && e.Event.UnmarshalTo(event) == nil {
			all = append(all, event)
		}
	}
	return all
}

// buttons answer a question, and say what was asked here: the client compares that with the log.
func (q question) buttons(lang string) discord.LayoutComponent {
	id, shown := q.kind+"|"+itoa(q.version)+"|", "|"+q.seat
	if q.undo != nil {
		shown = "|" + itoa(q.undo.GetTarget()) + "|" + q.undo.GetSeat()
	}
	return discord.NewActionRow(discord.NewSuccessButton(say(lang, "agree"), id+"yes"+shown),
		discord.NewDangerButton(say(lang, "refuse"), id+"no"+shown))
}

// noteSeats keeps which seats are still held. The token of one that was left is put aside, since its last holder may
// be asked.
func (t *table) noteSeats(r *v1.Record) {
	for _, e := range tableEvents(r) {
		seat := e.GetSeatLeft().GetSeat()
		if e.GetResigned().GetGoesOn() {
			seat = e.GetResigned().GetSeat()
		}
		if h, held := t.Seats[seat]; held && r.GetVersion() > h.Since {
			t.putAside(seat)
		}
		if e.GetSeatTaken() != nil {
			delete(t.Former, e.GetSeatTaken().GetSeat())
		}
	}
}

// seatsChange reports whether a record has to do with who holds which seat.
func seatsChange(r *v1.Record) bool {
	return slices.ContainsFunc(tableEvents(r), func(e *logv1.TableEvent) bool {
		return e.GetSeatLeft() != nil || e.GetResigned() != nil || e.GetSeatTaken() != nil
	})
}

// putAside moves the hold of a seat that is free now.
func (t *table) putAside(seat string) {
	t.Former[seat] = t.Seats[seat]
	delete(t.Seats, seat)
	delete(t.Turns, seat)
}

// guarded says that a free seat is guarded and since when, in each reader's time; empty if it is not.
func guarded(lang string, s *v1.SeatState) string {
	if s.GetGuard() == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED {
		return ""
	}
	since := discord.NewTimestamp(discord.TimestampStyleShortDateTime, s.GetLeaveTime().AsTime())
	return say(lang, "guardedSince", since.String())
}

// offered says which seat is offered and whose answer is missing.
func offered(lang string, p *v1.PendingSeat) string {
	return say(lang, "offerWaits", escape(p.GetSeat()), strings.Join(p.GetMissing(), ", "))
}

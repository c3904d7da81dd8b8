package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/screen"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// question is what one record asks of this person. An answer names that record, so that it answers nothing else.
type question struct {
	record uint64
	// command answers it, once yes or no is added.
	command string
	// text is all that it asks, in lines.
	text string
}

// sure makes certain that a yes is to the question that this person was shown, because whoever asked it may have put
// another in its place since. Either the record is named, or the question is shown now and yes is typed at a terminal.
// A no needs neither: it leaves everything as it is.
func (a *app) sure(q question, agree bool, record uint64) error {
	switch {
	case record == q.record:
		return nil
	case record != 0:
		return usageError{fmt.Sprintf("record %d does not ask this now, so nothing was sent; this is asked now:\n%s",
			record, strings.TrimRight(q.text, "\n"))}
	case !agree:
		return nil
	case !a.inTTY || a.line.Output == "json":
		return usageError{fmt.Sprintf("a yes must name the record that asks, because another question may have taken "+
			"its place; this is asked now:\n%s  warledger %s yes --record %d agrees to it",
			q.text, q.command, q.record)}
	}
	return a.typedYes(q.text + a.words("Type yes to agree: "))
}

// inWords is what is said by tell, as a text.
func (a *app) inWords(tell func(page *app)) string {
	var text strings.Builder
	page := *a
	page.out, page.err = &text, &text
	tell(&page)
	return text.String()
}

// deadlinesQuestion is the proposal that waits for answers.
func (a *app) deadlinesQuestion(g *v1.Game) question {
	return question{g.PendingDeadlines.Proposed, "deadlines answer " + short(g.Name),
		a.inWords(func(page *app) { page.pending(g) })}
}

// offerQuestion is the offer of a seat that waits for answers.
func (a *app) offerQuestion(g *v1.Game) question {
	return question{g.PendingSeat.Offered, "seat answer " + short(g.Name),
		a.inWords(func(page *app) { page.offered(g) })}
}

// undoQuestion is the undo that waits for consent, with what it takes back.
func (a *app) undoQuestion(g *v1.Game) (question, error) {
	back, err := a.takenBack(g)
	return question{g.PendingUndo.Asked, "consent " + short(g.Name),
		a.inWords(func(page *app) { page.undoAsked(g, back) })}, err
}

// takenBack are the records that the undo takes back which waits for consent, oldest first: those on the line from its
// target to the head on which it was asked for.
func (a *app) takenBack(g *v1.Game) ([]*v1.Record, error) {
	client, err := a.server()
	if err != nil {
		return nil, err
	}
	game := client.Game(g.Name, a.line.As).InLanguage(string(a.line.Lang))
	known, err := a.recordsOf(game, g.PendingUndo)
	if errors.Is(err, warledger.ErrTokenRevoked) { // a last holder is asked, and its token shows nothing
		known, err = a.recordsOf(game.WithTokens(nil), g.PendingUndo)
	}
	if err != nil {
		return nil, err
	}
	var back []*v1.Record
	for at := known[g.PendingUndo.Asked].GetParent(); at != g.PendingUndo.Target; at = known[at].Parent {
		if known[at] == nil || known[at].Parent >= at {
			return nil, fmt.Errorf("%w: record %d does not lead back to %d", warledger.ErrLogInconsistent,
				g.PendingUndo.Asked, g.PendingUndo.Target)
		}
		back = append([]*v1.Record{known[at]}, back...)
	}
	return back, nil
}

// recordsOf are the records after the target of an undo up to the one that asks for it.
func (a *app) recordsOf(game *warledger.Game, p *v1.PendingUndo) (map[uint64]*v1.Record, error) {
	known := make(map[uint64]*v1.Record)
	for r, err := range game.Records(a.ctx, warledger.LogQuery{After: p.Target, WholeTree: true}) {
		if err != nil {
			return nil, err
		}
		if r.Version > p.Asked {
			break
		}
		known[r.Version] = r
	}
	return known, nil
}

// mostTold is how many of the records that an undo takes back are told one by one.
const mostTold = 12

// undoAsked says who asks for an undo, and what it takes back.
func (a *app) undoAsked(g *v1.Game, back []*v1.Record) {
	p := g.PendingUndo
	a.say("  %s asks to go back to version %d (record %d); %s must answer: warledger consent %s yes "+
		"--record %d, or no\n",
		p.Seat, p.Target, p.Asked, join(p.Missing), short(g.Name), p.Asked)
	if len(back) == 0 {
		return
	}
	var thrown []string
	for _, r := range back {
		if len(r.Rolls) > 0 || r.DiceSource != 0 {
			thrown = append(thrown, fmt.Sprint(r.Version))
		}
	}
	a.say("    it takes back records %d to %d, %d in all\n", back[0].Version, back[len(back)-1].Version, len(back))
	if len(thrown) > 0 {
		a.say("    it takes back the dice of records %s\n", join(thrown))
	}
	if more := len(back) - mostTold; more > 0 {
		a.say("    the last %d of them; warledger log %s --after %d tells all\n", mostTold, short(g.Name), p.Target)
		back = back[more:]
	}
	for _, r := range back {
		a.say("    %s\n", strings.ReplaceAll(strings.TrimRight(
			a.inWords(func(page *app) { page.record(r) }), "\n"), "\n", "\n    "))
	}
}

// askedOf is what waits for the answer of a seat, or what the seat asks itself and may withdraw; nil for nothing.
func (a *app) askedOf(ctx context.Context, game *warledger.Game) (*screen.Question, error) {
	g, err := game.Get(ctx)
	if err != nil {
		return nil, err
	}
	var q question
	var answer func(ctx context.Context, record uint64, agree bool) (*v1.Game, bool, error)
	mine := func(missing []string) bool { return slices.Contains(missing, game.Seat()) }
	switch u := g.PendingUndo; {
	case mine(u.GetMissing()) || u != nil && u.Seat == game.Seat():
		q, err = a.undoQuestion(g)
		answer = func(ctx context.Context, _ uint64, agree bool) (*v1.Game, bool, error) {
			return game.Answer(ctx, u, agree)
		}
	case mine(g.PendingDeadlines.GetMissing()):
		q, answer = a.deadlinesQuestion(g), game.AnswerDeadlines
	case mine(g.PendingSeat.GetMissing()):
		q = a.offerQuestion(g)
		answer = func(ctx context.Context, _ uint64, agree bool) (*v1.Game, bool, error) {
			return game.AnswerSeat(ctx, g.PendingSeat, agree)
		}
	default:
		return nil, nil
	}
	return &screen.Question{Text: q.text, Answer: func(agree bool) error {
		_, _, err := answer(ctx, q.record, agree)
		return err
	}}, err
}

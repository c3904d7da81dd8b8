package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type logCmd struct {
	Game  string `arg:"" help:"Game."`
	After uint64 `help:"Only records after this version." placeholder:"N"`
	Since when   `embed:"" prefix:"since-"`
	All   bool   `help:"All records: also what was undone, and the undoing."`
	Proof bool   `help:"Add what is stored of each record, for checking the chain; with -o json."`
}

// Run tells what has happened.
func (c logCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	since, err := c.Since.version(a, game)
	if err != nil {
		return err
	}
	c.After = max(c.After, since)
	list := &v1.ListRecordsResponse{}
	for r, err := range game.Records(a.ctx,
		warledger.LogQuery{After: c.After, WholeTree: true, Viewer: a.line.As, Proofs: c.Proof}) {
		if err != nil {
			return err
		}
		list.Records = append(list.Records, r)
	}
	if !c.All {
		list.Records = told(list.Records)
	}
	if a.line.Output == "json" {
		return a.json(list, true)
	}
	for _, r := range list.Records {
		a.record(r)
	}
	return nil
}

// told leaves out of the end of a log what was undone, and the undoing itself. What happened at the table, such as a
// seat's time that was up, is on no line and stays.
func told(records []*v1.Record) (list []*v1.Record) {
	if len(records) == 0 {
		return nil
	}
	head := records[len(records)-1].Head
	for _, r := range slices.Backward(records) {
		switch r.Kind {
		case logv1.RecordKind_RECORD_KIND_UNDO, logv1.RecordKind_RECORD_KIND_REDO:
			continue
		case logv1.RecordKind_RECORD_KIND_TABLE:
		default:
			if r.Version != head {
				continue
			}
			head = r.Parent
		}
		list = append(list, r)
	}
	slices.Reverse(list)
	return list
}

// what is the command of a record, or what it is without one.
func (a *app) what(r *v1.Record) string {
	if r.Notation != "" {
		return r.Notation
	}
	switch r.Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED:
		return a.words("(created)")
	case logv1.RecordKind_RECORD_KIND_TABLE:
		return a.words("(table)")
	case logv1.RecordKind_RECORD_KIND_UNDO:
		return a.words("(undo)")
	case logv1.RecordKind_RECORD_KIND_REDO:
		return a.words("(redo)")
	}
	return a.words("(hidden)")
}

// record tells one record: who did what, what happened, which dice fell.
func (a *app) record(r *v1.Record) {
	a.say("%4d  %-8s %s\n", r.Version, orDash(r.Seat), a.what(r))
	if len(r.Rolls) > 0 {
		a.say("      %s\n", rolls(r.Rolls))
	}
	for _, e := range r.Events {
		if e.Narration != "" {
			whisper := ""
			if len(e.Audience) > 0 {
				whisper = fmt.Sprintf(a.words(" (only %s)"), join(e.Audience))
			}
			a.say("      %s%s\n", e.Narration, whisper)
		}
	}
	if r.Kind == logv1.RecordKind_RECORD_KIND_UNDO || r.Kind == logv1.RecordKind_RECORD_KIND_REDO {
		a.say("      the head is at version %d\n", r.Head)
	}
	if r.Hidden > 0 {
		a.say("      and %d more that you may not see\n", r.Hidden)
	}
}

func rolls(list []*logv1.Roll) string {
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("d%d: %d (%s)", r.Sides, r.Value, r.Reason))
	}
	return strings.Join(out, ", ")
}

type watchCmd struct {
	Game  string `arg:"" help:"Game."`
	After uint64 `help:"Begin after this version." placeholder:"N"`
	New   bool   `help:"Only what happens from now on."`
}

// Run tells what happens until the game is over. Lost connections are mended.
func (c watchCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	o := warledger.WatchOptions{After: c.After, BoardFirst: c.New, Viewer: a.line.As}
	o.Lost = func(reason error, pause time.Duration) {
		a.grumble("connection lost (%v), again in %s\n", reason, pause.Round(10*time.Millisecond))
	}
	for u, err := range game.Watch(a.ctx, o) {
		if err != nil {
			return err
		}
		over := u.CaughtUp.GetOver() || warledger.EndsGame(u.Record)
		if u.Record != nil {
			if a.line.Output == "json" {
				err = a.json(u.Record, false)
			} else {
				a.record(u.Record)
			}
		}
		if over || err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"fmt"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type sayCmd struct {
	Game   string `arg:"" help:"Game."`
	Text   string `arg:"" help:"What to say, one line."`
	Side   bool   `help:"Only to your side." xor:"audience"`
	Note   bool   `help:"Only to yourself: a note." xor:"audience"`
	At     string `help:"Pin it to a space of the map, by its id." xor:"pin" placeholder:"SPACE"`
	Record uint64 `help:"Pin it to a record, by its version." xor:"pin" placeholder:"VERSION"`
}

// Run says something.
func (c sayCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	s := warledger.Saying{Text: c.Text, Space: c.At, Record: c.Record, Audience: v1.Audience_AUDIENCE_TABLE}
	switch {
	case c.Side:
		s.Audience = v1.Audience_AUDIENCE_SIDE
	case c.Note:
		s.Audience = v1.Audience_AUDIENCE_SELF
	}
	m, err := game.Say(a.ctx, s)
	if err != nil {
		return err
	}
	return a.message(m, func() { a.said(m, false) })
}

// audiences say to whom a message was said.
var audiences = map[v1.Audience]string{
	v1.Audience_AUDIENCE_SIDE: " (to the side)", v1.Audience_AUDIENCE_SELF: " (note)",
}

// said shows a message on one line; with its name, if that was asked for.
func (a *app) said(m *v1.Message, name bool) {
	pin := ""
	switch {
	case m.GetSpace() != "":
		pin = " [at " + m.GetSpace() + "]"
	case m.GetRecord() != 0 && m.RecordUndone:
		pin = fmt.Sprintf(" [record %d, undone]", m.GetRecord())
	case m.GetRecord() != 0:
		pin = fmt.Sprintf(" [record %d]", m.GetRecord())
	}
	a.say("%s  %-8s%s%s %s\n", m.CreateTime.AsTime().Local().Format("2006-01-02 15:04"), m.Seat, audiences[m.Audience],
		pin, m.Text)
	if name {
		a.say("    %s\n", m.Name)
	}
}

type messagesCmd struct {
	Game   string `arg:"" help:"Game."`
	Side   bool   `help:"Only what was said to your side." xor:"what"`
	Last   int    `help:"How many of the newest messages; 0 for all." default:"50" placeholder:"N"`
	Names  bool   `help:"Print the name of each message, to delete or report it."`
	Follow bool   `help:"Keep showing what is said from now on." xor:"what"`
	Delete string `help:"Delete the message of this name, for everybody." placeholder:"NAME" xor:"what"`
}

// Run shows what was said, or deletes a message.
func (c messagesCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	switch {
	case c.Delete != "":
		if err := game.DeleteMessage(a.ctx, c.Delete); err != nil {
			return err
		}
		return a.message(&v1.DeleteMessageResponse{}, func() { a.say("%s is gone.\n", c.Delete) })
	case c.Follow:
		return a.follow(game, c.Last, c.Names)
	}
	only := v1.Audience_AUDIENCE_UNSPECIFIED
	if c.Side {
		only = v1.Audience_AUDIENCE_SIDE
	}
	return a.listed(game, only, c.Last, c.Names)
}

// listed prints messages, the oldest first.
func (a *app) listed(game *warledger.Game, only v1.Audience, most int, names bool) error {
	list, err := game.Messages(a.ctx, only, a.line.As, max(0, most))
	if err != nil {
		return err
	}
	return a.message(&v1.ListMessagesResponse{Messages: list}, func() {
		for _, m := range list {
			a.said(m, names)
		}
	})
}

// follow prints what is said until it is interrupted.
func (a *app) follow(game *warledger.Game, backlog int, names bool) error {
	o := warledger.ListenOptions{Viewer: a.line.As, Backlog: min(max(0, backlog), 500),
		Lost: func(reason error, pause time.Duration) {
			a.grumble("connection lost (%v), again in %s\n", reason, pause.Round(10*time.Millisecond))
		}}
	for h, err := range game.Listen(a.ctx, o) {
		switch {
		case err != nil:
			return err
		case a.line.Output == "json" && h.Message != nil:
			err = a.json(&v1.WatchMessagesResponse{Kind: &v1.WatchMessagesResponse_Message{Message: h.Message}}, false)
		case a.line.Output == "json" && h.Deleted != "":
			err = a.json(&v1.WatchMessagesResponse{Kind: &v1.WatchMessagesResponse_Deleted{Deleted: h.Deleted}}, false)
		case a.line.Output == "json":
		case h.Message != nil:
			a.said(h.Message, names)
		case h.Deleted != "":
			a.say("    %s was deleted\n", h.Deleted)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type notesCmd struct {
	Game  string `arg:"" help:"Game."`
	Last  int    `help:"How many of the newest notes; 0 for all." default:"0" placeholder:"N"`
	Names bool   `help:"Print the name of each note, to delete it with warledger messages --delete."`
}

// Run shows one's own notes.
func (c notesCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	return a.listed(game, v1.Audience_AUDIENCE_SELF, c.Last, c.Names)
}

// talkCmd is for what holds around the talk of a game.
type talkCmd struct {
	Show       talkShowCmd       `cmd:"" help:"Show who is muted, whose messages you do not read, and whether spectators read the table."`
	Mute       talkMuteCmd       `cmd:"" help:"Hide what a seat writes; with --for-all silence it for everybody, owner only."`
	Unmute     talkUnmuteCmd     `cmd:"" help:"Undo a mute."`
	Report     talkReportCmd     `cmd:"" help:"Report a message to the owner."`
	Reports    talkReportsCmd    `cmd:"" help:"List what was reported; owner only."`
	Spectators talkSpectatorsCmd `cmd:"" help:"Set whether spectators may read the table; owner only."`
}

// talk shows what holds for the talk of a game.
func (a *app) talk(t *v1.Talk, err error) error {
	if err != nil {
		return err
	}
	return a.message(t, func() {
		read := "Spectators do not read the table."
		if t.SpectatorsRead {
			read = "Spectators read the table."
		}
		a.say("%s\n", read)
		if len(t.MutedSeats) > 0 {
			a.say("Muted by the owner: %s.\n", join(t.MutedSeats))
		}
		if len(t.HiddenSeats) > 0 {
			a.say("You do not read: %s.\n", join(t.HiddenSeats))
		}
		if t.MaxCharacters == 0 {
			a.say("Talk is switched off on this server.\n")
		}
	})
}

type talkShowCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run shows what holds.
func (c talkShowCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	return a.talk(game.Talk(a.ctx))
}

type talkMuteCmd struct {
	Game   string `arg:"" help:"Game."`
	Seat   string `arg:"" help:"Seat to mute."`
	ForAll bool   `help:"For everybody; owner only."`
}

// Run mutes a seat.
func (c talkMuteCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	return a.talk(game.MuteSeat(a.ctx, c.Seat, c.ForAll))
}

type talkUnmuteCmd talkMuteCmd

// Run lets a seat be heard again.
func (c talkUnmuteCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	return a.talk(game.UnmuteSeat(a.ctx, c.Seat, c.ForAll))
}

type talkReportCmd struct {
	Game    string `arg:"" help:"Game."`
	Message string `arg:"" help:"Name of the message, as messages --names prints it."`
	Reason  string `arg:"" optional:"" help:"Why."`
}

// Run reports a message.
func (c talkReportCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	if err := game.ReportMessage(a.ctx, c.Message, c.Reason); err != nil {
		return err
	}
	return a.message(&v1.ReportMessageResponse{}, func() { a.say("The owner can read your report.\n") })
}

type talkReportsCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run lists reports.
func (c talkReportsCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	list, err := game.Reports(a.ctx)
	if err != nil {
		return err
	}
	return a.message(&v1.ListReportsResponse{Reports: list}, func() {
		for _, r := range list {
			at := r.CreateTime.AsTime().Local().Format("2006-01-02 15:04")
			a.say("%s  %s reports %s: %s\n", at, r.Reporter, r.Seat, r.Reason)
			switch {
			case r.Message != nil:
				a.say("    %s\n    %s\n", r.Message.Text, r.Message.Name)
			case r.Private:
				a.say("    (said to a side)\n")
			default:
				a.say("    (it is gone)\n")
			}
		}
	})
}

type talkSpectatorsCmd struct {
	Game string `arg:"" help:"Game."`
	Read string `arg:"" help:"on or off." enum:"on,off"`
}

// Run says whether spectators may read.
func (c talkSpectatorsCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	return a.talk(game.LetSpectatorsRead(a.ctx, c.Read == "on"))
}

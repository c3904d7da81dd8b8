package discord

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/snowflake/v2"

	warledger "github.com/warledger/warledger/clients/go"
)

// undo takes something back; where that needs consent the others are asked, in the channel, as soon as
// the record of it comes.
func (t *talk) undo(at *table, target int, named string) error {
	seat, err := t.pick(at, named)
	if err != nil {
		return err
	}
	_, done, err := t.seat(at, seat, t.lang).Undo(t.ctx, uint64(max(0, target)), true)
	if err != nil {
		return err
	}
	if !done {
		t.say(say(t.lang, "undoPending"))
		return nil
	}
	return t.menu(at, seat, place{}, say(t.lang, "undone"))
}

func (t *talk) redo(at *table, named string) error {
	seat, err := t.pick(at, named)
	if err != nil {
		return err
	}
	if _, err := t.seat(at, seat, t.lang).Redo(t.ctx); err != nil {
		return err
	}
	t.say(say(t.lang, "redone"))
	return nil
}

// askConsent adds the question to a message that tells of it: to whom, and buttons to answer.
func (f *follower) askConsent(t *table, m *discord.MessageCreate, q question) {
	var users []snowflake.ID
	var who []string
	for _, seat := range q.needed {
		h, known := t.lasting(seat)
		if !known {
			who = append(who, escape(f.name(seat)))
			continue
		}
		who = append(who, discord.UserMention(h.User))
		if !slices.Contains(users, h.User) {
			users = append(users, h.User)
		}
	}
	text := say(t.Lang, "undoAsked", strings.Join(who, " "))
	if q.seat != "" {
		text = say(t.Lang, "offerAsked", strings.Join(who, " "), escape(f.name(q.seat)))
	}
	m.Content = shorten(text, 1900)
	m.AllowedMentions = &discord.AllowedMentions{Users: users}
	m.Components = []discord.LayoutComponent{q.buttons(t.Lang)}
}

// takenBack warns that a throw was taken back by an undo to which the player of a seat did not agree on Discord. A
// button is for a player who agreed with another program.
func (f *follower) takenBack(t *table, e *warledger.ThrowTakenBackError) discord.MessageCreate {
	who, m := escape(f.name(e.Seat)), discord.NewMessageCreate()
	if h, held := t.Seats[e.Seat]; held {
		who, m.AllowedMentions = discord.UserMention(h.User), &discord.AllowedMentions{Users: []snowflake.ID{h.User}}
	}
	m.Content = shorten(say(t.Lang, "takenBack", who, e.Undo, e.Throw), 1900)
	m.Components = []discord.LayoutComponent{discord.NewActionRow(
		discord.NewDangerButton(say(t.Lang, "takenByMe"), "taken|"+itoa(e.Undo)+"|"+e.Seat))}
	return m
}

// acceptUndo has a seat of the player go on after such a warning, and answer at once.
func (t *talk) acceptUndo(at *table, undo, seat string) error {
	version, err := strconv.ParseUint(undo, 10, 64)
	if err != nil || at.Seats[seat].User != t.user {
		return wrong("notYourSeat")
	}
	if err := t.seat(at, seat, t.lang).AcceptUndo(t.ctx, version); err != nil {
		return err
	}
	if _, err := t.answerDice(t.ctx, at); err != nil {
		return alarmed(err)
	}
	t.say(say(t.lang, "undoAccepted"))
	return nil
}

// consent answers an undo for every seat of the player whose answer is missing. The button says which: the record that
// asks, the answer, and the target and the asking seat as the channel was shown them. Buttons of older bridges end with
// the answer.
func (t *talk) consent(at *table, button []string) error {
	asked, answer := button[1], button[2]
	g, err := t.spectator(at.Game, t.lang).Get(t.ctx)
	if err != nil {
		return err
	}
	pending := g.GetPendingUndo()
	mine := t.asked(at, pending.GetMissing())
	if pending == nil || itoa(pending.GetAsked()) != asked || len(mine) == 0 {
		return wrong("notAsked")
	}
	if pending.Seat = cmp.Or(button[4], pending.Seat); button[3] != "" {
		if pending.Target, err = strconv.ParseUint(button[3], 10, 64); err != nil {
			return wrong("notAsked")
		}
	}
	moved := false
	for _, seat := range mine {
		h, _ := at.lasting(seat)
		game := t.set.Server.Game(at.Game, seat).WithTokens(fixed(h.Token)).ForSeats(seat)
		_, done, err := game.Answer(t.ctx, pending, answer == "yes")
		if err != nil {
			return alarmed(err)
		}
		moved = done
		if answer != "yes" {
			break // one refusal decides
		}
	}
	switch {
	case answer != "yes":
		t.say(say(t.lang, "refused"))
	case moved:
		t.say(say(t.lang, "agreed"))
	default:
		t.say(say(t.lang, "agreedWaiting"))
	}
	return nil
}

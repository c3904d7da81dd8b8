package discord

import (
	"fmt"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// mostListed is how many messages a player is shown at once.
const mostListed = 25

// audiences are the values of the option "to" of say.
var audiences = map[string]v1.Audience{"": v1.Audience_AUDIENCE_TABLE, "table": v1.Audience_AUDIENCE_TABLE,
	"side": v1.Audience_AUDIENCE_SIDE, "note": v1.Audience_AUDIENCE_SELF}

// speak says something for a seat of the player. The answer is for the player alone; the ears tell the others.
func (t *talk) speak(at *table, data discord.SlashCommandInteractionData) error {
	seat, err := t.pick(at, data.String("seat"))
	if err != nil {
		return err
	}
	audience, known := audiences[data.String("to")]
	if !known {
		return wrong("badAudience")
	}
	said, err := t.seat(at, seat, t.lang).Say(t.ctx, warledger.Saying{Audience: audience, Text: data.String("text"),
		Space: data.String("space"), Record: uint64(data.Int("record")), ID: t.request()})
	if err != nil {
		return err
	}
	t.say(say(t.lang, "spoken", line(t.lang, said)))
	return nil
}

// line is a message on one line: who says it, to whom, what it is pinned to, and what it says.
func line(lang string, m *v1.Message) string {
	text := "**" + escape(m.GetSeat()) + "**"
	switch m.GetAudience() {
	case v1.Audience_AUDIENCE_SIDE:
		text += say(lang, "toSide")
	case v1.Audience_AUDIENCE_SELF:
		text += say(lang, "asNote")
	}
	switch {
	case m.GetSpace() != "":
		text += " [" + escape(m.GetSpace()) + "]"
	case m.GetRecordUndone():
		text += say(lang, "atUndone", m.GetRecord())
	case m.GetRecord() != 0:
		text += fmt.Sprintf(" `%d`", m.GetRecord())
	}
	return shorten(text+": "+escape(m.GetText()), 1800)
}

// messages shows the player what they may read, the newest last.
func (t *talk) messages(at *table) error {
	list, err := t.player(at, t.user, t.lang).Messages(t.ctx, v1.Audience_AUDIENCE_UNSPECIFIED, "", mostListed)
	if err != nil {
		return err
	}
	text := ""
	for _, m := range slices.Backward(list) {
		when := discord.NewTimestamp(discord.TimestampStyleShortDateTime, m.GetCreateTime().AsTime()).String()
		longer := when + " " + line(t.lang, m) + "\n" + text
		if len([]rune(longer)) > 1900 {
			break
		}
		text = longer
	}
	if text == "" {
		text = say(t.lang, "noMessages")
	}
	t.say(text)
	return nil
}

// moderator returns the game with all tokens of the player: those of their seats, and the owner's if they began it.
func (t *talk) moderator(at *table) *warledger.Game {
	tokens := at.tokens(t.user)
	if at.Creator == t.user {
		tokens = append(tokens, at.Owner)
	}
	return t.set.Server.Game(at.Game, "").InLanguage(t.lang).WithTokens(fixed(tokens...)).ForSeats(at.of(t.user)...)
}

// unsay deletes a message for everybody.
func (t *talk) unsay(at *table, name string) error {
	if err := t.moderator(at).DeleteMessage(t.ctx, name); err != nil {
		return err
	}
	t.say(say(t.lang, "unsaid"))
	return nil
}

// report reports a message to the owner.
func (t *talk) report(at *table, name, reason, named string) error {
	seat, err := t.pick(at, named)
	if err != nil {
		return err
	}
	if err := t.seat(at, seat, t.lang).ReportMessage(t.ctx, name, reason); err != nil {
		return err
	}
	t.say(say(t.lang, "reported"))
	return nil
}

// reports shows whoever began the game what was reported.
func (t *talk) reports(at *table) error {
	owner, err := t.owner(at)
	if err != nil {
		return err
	}
	list, err := owner.Reports(t.ctx)
	if err != nil {
		return err
	}
	var lines []string
	for _, r := range list {
		text := say(t.lang, "reportedBy", escape(r.GetReporter()), escape(r.GetSeat()), escape(r.GetReason()))
		if r.GetMessage() != nil {
			text += "\n> " + line(t.lang, r.GetMessage())
		}
		lines = append(lines, text)
	}
	for len(lines) > 1 && len([]rune(strings.Join(lines, "\n"))) > 1900 {
		lines = lines[1:] // the newest matter most
	}
	if len(lines) == 0 {
		lines = []string{say(t.lang, "noReports")}
	}
	t.say(strings.Join(lines, "\n"))
	return nil
}

// mute hides what a seat writes from the seats of the player, or lifts that. With all, the owner does so for everybody.
func (t *talk) mute(at *table, seat string, all, lift bool) error {
	if all {
		owner, err := t.owner(at)
		if err != nil {
			return err
		}
		if lift {
			_, err = owner.UnmuteSeat(t.ctx, seat, true)
		} else {
			_, err = owner.MuteSeat(t.ctx, seat, true)
		}
		if err != nil {
			return err
		}
	} else {
		mine := at.of(t.user)
		if len(mine) == 0 {
			return wrong("noSeat")
		}
		for _, own := range mine {
			var err error
			if game := t.seat(at, own, t.lang); lift {
				_, err = game.UnmuteSeat(t.ctx, seat, false)
			} else {
				_, err = game.MuteSeat(t.ctx, seat, false)
			}
			if err != nil {
				return err
			}
		}
	}
	key := map[[2]bool]string{{}: "muted", {true, false}: "mutedAll", {false, true}: "heard", {true, true}: "heardAll"}
	t.say(say(t.lang, key[[2]bool{all, lift}], escape(seat)))
	return nil
}

// talkSettings changes the given settings, and answers with all that now apply.
func (t *talk) talkSettings(at *table, data discord.SlashCommandInteractionData) error {
	if read, given := data.OptBool("spectators"); given {
		owner, err := t.owner(at)
		if err != nil {
			return err
		}
		// What is said after this answer is told, however late the channel's ear hears of it.
		if newest, err := newestOf(t.ctx, owner); err != nil {
			return err
		} else if read {
			if err := t.store.openFrom(at.Game, newest); err != nil {
				return err
			}
		}
		if _, err := owner.LetSpectatorsRead(t.ctx, read); err != nil {
			return err
		}
		t.attend(at.Game)
	}
	if private, given := data.OptBool("private"); given {
		if err := t.private(at, private); err != nil {
			return err
		}
	}
	at, err := t.store.table(at.Game)
	if err != nil {
		return err
	}
	state, err := t.player(at, t.user, t.lang).Talk(t.ctx)
	if err != nil {
		return err
	}
	lines := []string{say(t.lang, "channelSilent")}
	if state.GetSpectatorsRead() {
		lines[0] = say(t.lang, "channelHears")
	}
	if _, told := at.Private[t.user]; told {
		lines = append(lines, say(t.lang, "privateOn"))
	} else {
		lines = append(lines, say(t.lang, "privateOff"))
	}
	if list := state.GetHiddenSeats(); len(list) > 0 {
		lines = append(lines, say(t.lang, "hiddenSeats", escape(strings.Join(list, ", "))))
	}
	if list := state.GetMutedSeats(); len(list) > 0 {
		lines = append(lines, say(t.lang, "mutedSeats", escape(strings.Join(list, ", "))))
	}
	t.say(strings.Join(lines, "\n"))
	return nil
}

// private starts or stops direct messages to the player.
func (t *talk) private(at *table, on bool) error {
	if len(at.of(t.user)) == 0 {
		return wrong("noSeat")
	}
	if _, already := at.Private[t.user]; on == already {
		return nil
	}
	var told whisper
	if on {
		dm, err := t.client.Rest.CreateDMChannel(t.user, rest.WithCtx(t.ctx))
		if err != nil {
			return plain(err)
		}
		from, err := newestOf(t.ctx, t.player(at, t.user, t.lang))
		if err != nil {
			return err
		}
		told = whisper{Channel: dm.ID(), From: from, Lang: t.lang}
		hello := discord.NewMessageCreate().WithContent(
			say(t.lang, "privateBegins", discord.ChannelMention(at.Channel))).WithSuppressEmbeds(true)
		_, err = t.client.Rest.CreateMessage(dm.ID(), hello, rest.WithCtx(t.ctx))
		if noWhisper(err) {
			return wrong("privateRefused")
		}
		if err != nil {
			return plain(err)
		}
	}
	err := t.store.change(at.Game, func(now *table) {
		if on {
			now.Private[t.user] = told
		} else {
			delete(now.Private, t.user)
		}
	})
	t.listen(at.Game)
	return err
}

// completeMessages proposes messages of others to report, or messages to delete: one's own, and for the player who
// began the game also those at the table.
func (t *talk) completeMessages(at *table, typed string, others bool) ([]proposal, error) {
	mine := at.of(t.user)
	list, err := t.moderator(at).Messages(t.ctx, v1.Audience_AUDIENCE_UNSPECIFIED, "", 4*mostListed)
	var found []proposal
	for _, m := range slices.Backward(list) {
		own := slices.Contains(mine, m.GetSeat())
		table := m.GetAudience() == v1.Audience_AUDIENCE_TABLE && at.Creator == t.user
		if others != own && (others || own || table) || !others && table {
			found = propose(found, typed, m.GetSeat()+": "+m.GetText(), m.GetName())
		}
	}
	return found, err
}

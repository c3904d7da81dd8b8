package discord

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// post tells records and notes it, one message after the other.
func (f *follower) post(records []*v1.Record) error {
	for len(records) > 0 {
		t, err := f.store.table(f.game)
		if err != nil {
			return err
		}
		n, last := 1, records[0].GetVersion()
		if last > f.posted { // else the channel has it already, and it only remains to note it
			message, told := f.message(t, records)
			last = records[told-1].GetVersion()
			sent, err := f.client.Rest.CreateMessage(t.Channel, message, rest.WithCtx(f.ctx))
			if err != nil {
				return channelError(err)
			}
			// An enforced nonce that Discord knows brings the earlier message, which may have told less.
			if v, ok := f.footers(*sent); ok && v < last {
				last = v
			}
			f.posted = max(f.posted, last)
		}
		for n < len(records) && records[n].GetVersion() <= last {
			n++
		}
		if err := f.store.change(f.game, func(t *table) {
			for _, r := range records[:n] {
				t.note(r)
			}
		}); err != nil {
			return err
		}
		if slices.ContainsFunc(records[:n], seatsChange) {
			f.listen(f.game)
		}
		records = records[n:]
	}
	return nil
}

// channelError says whether a channel is lost for good.
func channelError(err error) error {
	if rest.IsJSONErrorCode(err, rest.JSONErrorCodeUnknownChannel) {
		return errGone
	}
	return plain(err)
}

// message tells as many of the records as one message may, at least one.
func (f *follower) message(t *table, records []*v1.Record) (discord.MessageCreate, int) {
	var text strings.Builder
	n, asks := 0, question{}
	for _, r := range records[:min(len(records), mostRecords)] {
		one := f.narrate(t.Lang, r)
		if n > 0 && utf8.RuneCountInString(text.String())+utf8.RuneCountInString(one) > mostLetters {
			break
		}
		text.WriteString(one)
		n++
		if asks = questionOf(r); len(asks.needed) > 0 {
			break // the buttons belong under it
		}
	}
	first, last := records[0].GetVersion(), records[n-1].GetVersion()
	m := discord.MessageCreate{
		Nonce: nonce(t.Game, "told", first), EnforceNonce: true,
		Embeds: []discord.Embed{{Description: shorten(text.String(), mostLetters),
			Footer: &discord.EmbedFooter{Text: fmt.Sprintf("#%d–%d · %s", first, last, tag(t.Game))}}},
	}
	if len(asks.needed) > 0 {
		f.askConsent(t, &m, asks)
	}
	return m, n
}

// narrate is what a channel is told of a record.
func (f *follower) narrate(lang string, r *v1.Record) string {
	var lines []string
	for _, e := range r.GetEvents() {
		if e.GetNarration() != "" {
			lines = append(lines, escape(e.Narration))
		}
	}
	var dice []string
	for _, roll := range r.GetRolls() {
		dice = append(dice, fmt.Sprintf("d%d: %d (%s)", roll.GetSides(), roll.GetValue(), escape(roll.GetReason())))
	}
	if len(dice) > 0 {
		lines = append(lines, "🎲 "+strings.Join(dice, ", "))
	}
	if k := r.GetKind(); k == logv1.RecordKind_RECORD_KIND_UNDO || k == logv1.RecordKind_RECORD_KIND_REDO {
		lines = append(lines, say(lang, "headMoved", r.GetHead()))
	}
	if len(lines) == 0 {
		lines = []string{say(lang, "somethingHappened")}
	}
	who := ""
	if r.GetSeat() != "" {
		who = "**" + escape(f.name(r.GetSeat())) + "** "
	}
	return "`" + strconv.FormatUint(r.GetVersion(), 10) + "` " + who + strings.Join(lines, "\n") + "\n"
}

func (f *follower) name(seat string) string {
	if n := f.names[seat]; n != "" {
		return n
	}
	return seat
}

// tag tells games of one channel apart.
func tag(game string) string {
	id := strings.TrimPrefix(game, "games/")
	return id[:min(len(id), 10)]
}

// nonce makes the posting of something unique: equal for equal things, at most 25 letters.
func nonce(game, what string, version uint64) string {
	sum := sha256.Sum256([]byte(game + " " + what + " " + strconv.FormatUint(version, 10)))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15])
}

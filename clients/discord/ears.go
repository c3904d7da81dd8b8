package discord

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ear listens to the talk of a game and passes it on. The channel's ear has no token, so it hears what spectators may
// read. A player's ear has only the tokens of that player's seats. The server decides what each hears.
type ear struct {
	*Bridge
	game string
	// user receives the direct messages; 0 for the channel's ear.
	user   snowflake.ID
	tokens []string
	ctx    context.Context
	stop   context.CancelFunc
	// kick makes the channel's ear check again whether spectators may read.
	kick chan struct{}

	// open is true while spectators may read the table: then messages to it go to the channel, not to players as well.
	open bool
	// heard holds the messages with which the stream began, until it has caught up.
	heard  []*v1.Message
	caught bool
}

// whisper is how a player receives direct messages.
type whisper struct {
	// Channel is the channel of the player's direct messages.
	Channel snowflake.ID `json:"channel"`
	// From is the time of the newest message when the player asked for this. Only later messages are sent.
	From time.Time `json:"from"`
	// Lang is the player's language.
	Lang string `json:"lang"`
}

func earKey(game string, user snowflake.ID) string { return game + " " + user.String() }

// listen starts and stops ears so that a game has the right ones: one for the channel, and one for each player who
// asked for direct messages and holds a seat.
func (b *Bridge) listen(game string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.store.table(game)
	if err != nil && !errors.Is(err, errNoTable) {
		b.log.Error("the talk of a game is not listened to", "game", game, "err", err)
		return
	}
	wanted := make(map[string]*ear)
	if err == nil && !t.Ended && !b.stopping {
		wanted[earKey(game, 0)] = &ear{}
		for user := range t.Private {
			if tokens := t.tokens(user); len(tokens) > 0 {
				wanted[earKey(game, user)] = &ear{user: user, tokens: tokens}
			}
		}
	}
	for key, e := range b.ears {
		if want := wanted[key]; e.game == game && (want == nil || !slices.Equal(want.tokens, e.tokens)) {
			e.stop()
			delete(b.ears, key)
		}
	}
	for key, e := range wanted {
		if b.ears[key] == nil {
			e.Bridge, e.game, e.kick = b, game, make(chan struct{}, 1)
			e.ctx, e.stop = context.WithCancel(b.ctx)
			b.ears[key] = e
			b.working.Go(e.run)
		}
	}
}

// run passes on messages until the ear is stopped or the server refuses for good.
func (e *ear) run() {
	defer e.stop()
	for failures := 0; ; failures++ {
		err := e.pass()
		switch {
		case e.ctx.Err() != nil:
			return
		case errors.Is(err, errGone), errors.Is(err, errNoTable), errors.Is(err, warledger.ErrGameNotFound),
			errors.Is(err, warledger.ErrTalkOff), errors.Is(err, warledger.ErrTokenRevoked):
			e.log.Info("the talk of a game is listened to no longer", "game", e.game, "why", err)
			return
		case errors.Is(err, warledger.ErrTalkHidden):
			if err = e.closed(); err == nil {
				e.idle()
				failures = -1
				continue
			}
		}
		pause := min(e.set.Retry<<min(failures, 10), longestRetry)
		e.log.Warn("the talk of a game could not be told", "game", e.game, "err", err, "again", pause)
		select {
		case <-time.After(pause):
		case <-e.ctx.Done():
			return
		}
	}
}

// closed deletes the channel's posts, since spectators may no longer read them.
func (e *ear) closed() error {
	if e.open {
		e.open = false
		if err := e.store.change(e.game, func(t *table) { t.OpenFrom = nil }); err != nil {
			return err
		}
	}
	kept, err := e.store.posts(e.game, e.user)
	for name := range kept {
		err = errors.Join(err, e.forget(name))
	}
	return err
}

// idle waits until the owner lets spectators read. If that is done through the bridge, it wakes at once; if through
// another client, it notices at its next check.
func (e *ear) idle() {
	select {
	case <-e.ctx.Done():
	case <-e.kick:
	case <-time.After(longestRetry):
	}
}

// attend makes the channel's ear of a game check again, if it waits for permission.
func (b *Bridge) attend(game string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.ears[earKey(game, 0)]; e != nil {
		select {
		case e.kick <- struct{}{}:
		default:
		}
	}
}

// pass reads one stream, from the server's backlog on, and posts what was not posted yet.
func (e *ear) pass() error {
	t, err := e.store.table(e.game)
	if err != nil {
		return err
	}
	e.heard, e.caught = nil, false
	game := e.set.Server.Game(e.game, "").WithTokens(fixed(e.tokens...))
	for h, err := range game.Listen(e.ctx, warledger.ListenOptions{Backlog: mostKept}) {
		switch {
		case err != nil:
		case h.Talk != nil:
			err = e.settings(game, h.Talk)
		case h.Message != nil && !e.caught:
			e.heard = append(e.heard, h.Message)
		case h.Message != nil:
			err = e.tell(h.Message)
		case h.Deleted != "":
			err = e.forget(h.Deleted)
		case h.CaughtUp:
			e.caught = true
			err = e.catchUp(t)
		}
		if err != nil {
			return err
		}
	}
	return e.ctx.Err()
}

// mostKept is how many messages the server can show at once.
const mostKept = 500

// settings notes whether spectators may read the table. If they may from now on, the channel shows what comes after the
// newest message.
func (e *ear) settings(game *warledger.Game, state *v1.Talk) error {
	was := e.open
	e.open = state.GetSpectatorsRead()
	if e.user != 0 || was == e.open || !e.open {
		return nil
	}
	newest, err := newestOf(e.ctx, game)
	if err != nil {
		return err
	}
	return e.store.openFrom(e.game, newest)
}

// newestOf returns the time of the newest message that the caller may read; the zero time if none exists.
func newestOf(ctx context.Context, game *warledger.Game) (time.Time, error) {
	list, err := game.Messages(ctx, v1.Audience_AUDIENCE_UNSPECIFIED, "", 1)
	if err != nil || len(list) == 0 {
		return time.Time{}, err
	}
	return list[0].GetCreateTime().AsTime(), nil
}

// catchUp posts the messages that came while nobody listened, and removes posts of those deleted meanwhile.
func (e *ear) catchUp(t *table) error {
	kept, err := e.store.posts(e.game, e.user)
	if err != nil {
		return err
	}
	for _, m := range e.heard {
		delete(kept, m.GetName())
		if err := e.tell(m); err != nil {
			return err
		}
	}
	for name, p := range kept {
		older := len(e.heard) >= mostKept && p.Time.Before(e.heard[0].GetCreateTime().AsTime())
		if !older {
			if err := e.forget(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// place returns where the ear posts a message, and in which language; ok is false if it is not to be posted.
func (e *ear) place(t *table, m *v1.Message) (channel snowflake.ID, lang string, ok bool) {
	table := m.GetAudience() == v1.Audience_AUDIENCE_TABLE
	if e.user == 0 {
		return t.Channel, t.Lang,
			table && e.open && t.OpenFrom != nil && m.GetCreateTime().AsTime().After(*t.OpenFrom)
	}
	w, asked := t.Private[e.user]
	ok = asked && m.GetAudience() != v1.Audience_AUDIENCE_SELF && t.Seats[m.GetSeat()].User != e.user &&
		!(table && e.open) && m.GetCreateTime().AsTime().After(w.From)
	return w.Channel, w.Lang, ok
}

// tell posts a message that was not posted yet, and edits a post whose text has changed. It records the post
// afterwards; if the bridge stops in between, the enforced nonce prevents a second post.
func (e *ear) tell(m *v1.Message) error {
	t, err := e.store.table(e.game)
	if err != nil {
		return err
	}
	channel, lang, ok := e.place(t, m)
	if !ok {
		return nil
	}
	text := line(lang, m)
	if e.user != 0 {
		text = discord.ChannelMention(t.Channel) + " " + text
	}
	was, posted, err := e.store.postOf(e.game, e.user, m.GetName())
	if err != nil || posted && was.Sum == sum(text) {
		return err
	}
	now := post{Channel: channel, Time: m.GetCreateTime().AsTime(), Sum: sum(text), Message: was.Message}
	if posted {
		_, err = e.client.Rest.UpdateMessage(was.Channel, was.Message,
			discord.NewMessageUpdate().WithContent(text).WithSuppressEmbeds(true), rest.WithCtx(e.ctx))
		if rest.IsJSONErrorCode(err, rest.JSONErrorCodeUnknownMessage) {
			err = nil // somebody deleted it on Discord
		}
	} else {
		var sent *discord.Message
		sent, err = e.client.Rest.CreateMessage(channel, discord.MessageCreate{Content: text, EnforceNonce: true,
			Flags: discord.MessageFlagSuppressEmbeds, // a stranger may have written it
			Nonce: nonce(e.game, "said "+e.user.String()+" "+m.GetName(), 0)}, rest.WithCtx(e.ctx))
		if err == nil {
			now.Message = sent.ID
		}
	}
	if noWhisper(err) {
		return errGone
	}
	if err != nil {
		return channelError(err)
	}
	return e.store.keepPost(e.game, e.user, m.GetName(), now)
}

// forget deletes the post of a message that is deleted or may no longer be read.
func (e *ear) forget(name string) error {
	p, posted, err := e.store.postOf(e.game, e.user, name)
	if err != nil || !posted {
		return err
	}
	err = e.client.Rest.DeleteMessage(p.Channel, p.Message, rest.WithCtx(e.ctx))
	if err != nil && !rest.IsJSONErrorCode(err, rest.JSONErrorCodeUnknownMessage) {
		return channelError(err)
	}
	return e.store.dropPost(e.game, e.user, name)
}

// noWhisper reports whether a player takes no direct messages.
func noWhisper(err error) bool {
	return rest.IsJSONErrorCode(err, rest.JSONErrorCodeCannotSendMessagesToThisUser,
		rest.JSONErrorCodeCannotSendMessagesToThisUserDueToHavingNoMutualGuilds)
}

// sum returns a checksum, by which changed texts are recognized.
func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum64())
}

package discord

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// follower tells one game in its channel. Everything that it posts comes from what a spectator sees.
type follower struct {
	*Bridge
	game string
	ctx  context.Context
	stop context.CancelFunc
	kick chan struct{}

	// posted is the last version that the channel is known to have been told, and called the seats that it was
	// called for at calledAt.
	posted, calledAt uint64
	called           []string
	names            map[string]string
	// warned is what the channel was warned of last.
	warned string
}

const (
	// mostRecords and mostLetters bound what one message tells; Discord takes 4096 letters of a description.
	mostRecords, mostLetters = 20, 3800
	// longestRetry is how long what fails is left alone at most.
	longestRetry = 5 * time.Minute
	// remembered is how many messages of the channel are looked at for what was posted and not noted.
	remembered = 50
)

var (
	errEnded = errors.New("the game has ended")
	errGone  = errors.New("the channel is gone")
)

// run tells the game until it ends or the bridge does.
func (f *follower) run() {
	for failures := 0; ; failures++ {
		before := f.posted
		err := f.tell()
		switch {
		case errors.Is(err, errEnded), errors.Is(err, errGone), errors.Is(err, errNoTable), refusedForGood(err):
			f.log.Info("the game is told no longer", "game", f.game, "why", err)
			if err := f.store.change(f.game, func(t *table) { t.Ended = true }); err != nil &&
				!errors.Is(err, errNoTable) {
				f.log.Error("the end of a game could not be kept", "game", f.game, "err", err)
			}
			f.listen(f.game)
			return
		case f.ctx.Err() != nil:
			return
		}
		if f.posted > before {
			failures = 0
		}
		pause := min(f.set.Retry<<min(failures, 10), longestRetry)
		f.log.Warn("a game could not be told", "game", f.game, "err", err, "again", pause)
		select {
		case <-time.After(pause):
		case <-f.ctx.Done():
			return
		}
	}
}

// refusedForGood says that the server will never answer otherwise.
func refusedForGood(err error) bool {
	return errors.Is(err, warledger.ErrGameNotFound) || errors.Is(err, warledger.ErrLogCorrupt) ||
		errors.Is(err, warledger.ErrSeatTaken) ||
		errors.Is(err, warledger.ErrScenarioNotFound) || errors.Is(err, warledger.ErrOptionInvalid) ||
		errors.Is(err, warledger.ErrValidationFailed)
}

// tell watches the game from where it was told, and posts what happens and whom it waits for, until something fails.
func (f *follower) tell() error {
	t, err := f.store.table(f.game)
	if err != nil {
		return err
	}
	if err := f.reconcile(t); err != nil {
		return err
	}
	if err := f.learn(t); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(f.ctx)
	updates, lost := make(chan *warledger.Update, mostRecords), make(chan error, 1)
	done := make(chan struct{})
	defer func() { stop(); <-done }()
	go func() {
		defer close(done)
		f.watch(ctx, t, updates, lost)
	}()
	settle := time.NewTimer(f.set.Settle)
	defer settle.Stop()
	caughtUp := false
	for {
		select {
		case u := <-updates:
			batch := []*warledger.Update{u}
			for len(updates) > 0 && len(batch) < mostRecords {
				batch = append(batch, <-updates)
			}
			now, err := f.take(batch)
			if err != nil {
				return err
			}
			caughtUp = caughtUp || now
			settle.Reset(f.set.Settle)
		case <-f.kick:
			settle.Reset(f.set.Settle)
		case <-settle.C:
			if caughtUp {
				if err := f.call(); err != nil {
					return err
				}
			}
		case err := <-lost:
			return err
		case <-f.ctx.Done():
			return f.ctx.Err()
		}
	}
}

// watch passes on what the server says to a spectator.
func (f *follower) watch(ctx context.Context, t *table, updates chan<- *warledger.Update, lost chan<- error) {
	for u, err := range f.spectator(t.Game, t.Lang).Watch(ctx, warledger.WatchOptions{After: t.Told}) {
		if err != nil {
			lost <- err
			return
		}
		select {
		case updates <- u:
		case <-ctx.Done():
			return
		}
	}
}

// learn reads the names of the seats.
func (f *follower) learn(t *table) error {
	resp, err := f.spectator(t.Game, t.Lang).Board(f.ctx, warledger.Look{Viewer: "spectator"})
	if err != nil {
		return err
	}
	f.names = make(map[string]string)
	for _, s := range resp.GetBoard().GetSeats() {
		f.names[s.GetId()] = s.GetName()
	}
	return nil
}

// take tells some updates, in as few messages as do, and says whether the watch has caught up.
func (f *follower) take(updates []*warledger.Update) (caughtUp bool, err error) {
	var records []*v1.Record
	for _, u := range updates {
		if u.Record != nil {
			records = append(records, u.Record)
		}
	}
	if err := f.post(records); err != nil {
		return false, err
	}
	for _, u := range updates {
		if u.CaughtUp != nil {
			caughtUp = true
		}
		if u.CaughtUp != nil || touchesDice(u.Record) {
			if err := f.answer(); err != nil {
				return caughtUp, err
			}
		}
		if u.CaughtUp.GetOver() || u.Record != nil && warledger.EndsGame(u.Record) {
			return caughtUp, errEnded
		}
	}
	return caughtUp, nil
}

// answer has the seats on Discord answer for mutual dice. A server that may be choosing dice gets no answer, and the
// records of the game are posted further.
func (f *follower) answer() error {
	t, err := f.store.table(f.game)
	if err != nil {
		return err
	}
	_, err = f.answerDice(f.ctx, t)
	var taken *warledger.ThrowTakenBackError
	switch {
	case errors.Is(err, warledger.ErrLogInconsistent):
		return f.warn(t, "logInconsistent", discord.NewMessageCreate().WithContent(say(t.Lang, "logInconsistent")))
	case errors.Is(err, warledger.ErrChainReplaced):
		return f.warn(t, "chainReplaced", discord.NewMessageCreate().WithContent(say(t.Lang, "chainReplaced")))
	case errors.As(err, &taken):
		return f.warn(t, "takenBack "+taken.Seat+" "+itoa(taken.Undo), f.takenBack(t, taken))
	case err != nil && unreachable(err):
		return err
	}
	return nil
}

// warn tells the channel, once for each run of the bridge, that the dice may not be honest.
func (f *follower) warn(t *table, key string, message discord.MessageCreate) error {
	if f.warned == key {
		return nil
	}
	message = message.WithSuppressEmbeds(true)
	if _, err := f.client.Rest.CreateMessage(t.Channel, message, rest.WithCtx(f.ctx)); err != nil {
		return channelError(err)
	}
	f.warned = key
	return nil
}

// note marks a record as told, and keeps who has acted and who holds which seat.
func (t *table) note(r *v1.Record) {
	t.Told = max(t.Told, r.GetVersion())
	t.noteSeats(r)
	switch r.GetKind() {
	case logv1.RecordKind_RECORD_KIND_COMMAND, logv1.RecordKind_RECORD_KIND_UNDO, logv1.RecordKind_RECORD_KIND_REDO:
	default:
		return
	}
	if r.GetSeat() == "" {
		return
	}
	for seat, turn := range t.Turns {
		if seat != r.GetSeat() && turn.Acted {
			turn.Called, turn.Acted = false, false
			t.Turns[seat] = turn
		}
	}
	// Whoever acts knows that it is their turn.
	mine := t.Turns[r.GetSeat()]
	mine.Called, mine.Acted = true, true
	t.Turns[r.GetSeat()] = mine
}

// footer is what the bridge writes under its messages: the records that one tells, or the seats that it calls and when.
var footer = regexp.MustCompile(`^(?:#(\d+)–(\d+)|⚑ (\S+) #(\d+)) · (\S+)$`)

// reconcile looks at the channel for what was posted but not noted.
func (f *follower) reconcile(t *table) error {
	f.posted, f.calledAt, f.called = t.Told, 0, nil
	messages, err := f.client.Rest.GetMessages(t.Channel, 0, 0, 0, remembered, rest.WithCtx(f.ctx))
	if rest.IsJSONErrorCode(err, rest.JSONErrorCodeMissingAccess, rest.JSONErrorCodeLackPermissionsToPerformAction) {
		f.log.Warn("the bridge may not read the channel's history, so only nonces keep it from telling something twice",
			"game", f.game)
		return nil
	}
	if err != nil {
		return channelError(err)
	}
	for _, m := range messages {
		f.footers(m)
	}
	if f.calledAt != t.Told {
		return nil
	}
	return f.store.change(f.game, func(t *table) {
		for _, seat := range f.called {
			t.called(seat)
		}
	})
}

// footers reads what a message of the bridge says that it tells; told is the last record.
func (f *follower) footers(m discord.Message) (told uint64, ok bool) {
	if m.Author.ID != f.self {
		return 0, false
	}
	for _, e := range m.Embeds {
		if e.Footer == nil {
			continue
		}
		parts := footer.FindStringSubmatch(e.Footer.Text)
		if parts == nil || parts[5] != tag(f.game) {
			continue
		}
		if parts[2] != "" {
			if v, err := strconv.ParseUint(parts[2], 10, 64); err == nil {
				f.posted, told, ok = max(f.posted, v), v, true
			}
		} else if v, err := strconv.ParseUint(parts[4], 10, 64); err == nil && v >= f.calledAt {
			f.calledAt, f.called = v, strings.Split(parts[3], ",")
		}
	}
	return told, ok
}

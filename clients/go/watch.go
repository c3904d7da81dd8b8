package warledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// WatchOptions say what to watch and from where. At most one of After, ResumeToken and BoardFirst is given; with none
// of them the watch begins with the first record.
type WatchOptions struct {
	// After is the version before the first record wanted.
	After uint64
	// ResumeToken is where an earlier watch stopped.
	ResumeToken string
	// BoardFirst gives the board as it is now, then what follows.
	BoardFirst bool
	// Viewer as in [Look].
	Viewer string
	// Proofs adds to each record what is stored of it.
	Proofs bool
	// Heartbeat is how often the server shall say that the stream is alive; 15 seconds if 0. A stream that is silent
	// for two and a half times as long is given up and begun anew.
	Heartbeat time.Duration
	// Lost is called when a stream ended, with the reason and the time until the next attempt; may be nil.
	Lost func(reason error, pause time.Duration)
	// Unanswered is called with the reason when a link for mutual dice is owed and could not be sent; may be nil. An
	// [ErrLogInconsistent] also ends the watch, because an answer would help the server choose the dice. So does an
	// [ErrChainReplaced], also when no link is owed: somebody else answers for the seat.
	Unanswered func(reason error)
	// Silent makes the watch answer nothing for mutual dice.
	Silent bool
}

// Update is one thing that a watch brings. Exactly one of Board, Record and CaughtUp is set.
type Update struct {
	// ResumeToken is where to go on from after it.
	ResumeToken string
	// Version of the last record that the watch has covered.
	Version uint64
	// Board as it is at the version, if it was asked for first.
	Board *boardv1.Board
	// Record is the next one of the log.
	Record *v1.Record
	// CaughtUp is the game as it is now: everything older has come. It comes again after each new beginning.
	CaughtUp *v1.Game
}

const (
	usualHeartbeat = 15 * time.Second
	// mostGaps is how often in a row a server may leave records out before the watch is given up.
	mostGaps = 3
)

// errGap says that a stream left a record out.
var errGap = errors.New("the server left records out")

// errSilent says that a stream brought nothing, not even a heartbeat.
var errSilent = errors.New("the server has fallen silent")

// Watch yields what happens: every record once, in order, without gaps. Lost connections, servers that stop and streams
// that fall silent are hidden; it goes on from where it was. It ends when ctx does, or after an error that trying again
// would not mend: the game is not there, the tokens are void, the log is damaged.
func (g *Game) Watch(ctx context.Context, o WatchOptions) iter.Seq2[*Update, error] {
	return func(yield func(*Update, error) bool) {
		w := &watcher{game: g, options: o, token: o.ResumeToken, at: o.After,
			begun: !o.BoardFirst && o.ResumeToken == ""}
		if w.options.Heartbeat == 0 {
			w.options.Heartbeat = usualHeartbeat
		}
		for {
			err := w.stream(ctx, yield)
			if w.stopped {
				return
			}
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !w.mendable(err) {
				yield(nil, err)
				return
			}
			if w.rest(ctx, err) != nil {
				yield(nil, ctx.Err())
				return
			}
		}
	}
}

// watcher is a watch over all its streams.
type watcher struct {
	game    *Game
	options WatchOptions
	// at is the version of the last record given out, token the place after it. Before anything came,
	// begun says that at counts.
	at    uint64
	token string
	begun bool
	// failures and gaps count what went wrong since something last came.
	failures, gaps int
	stopped        bool
	// caught is true once the stream has reached the newest record; requests of older ones are over.
	caught bool
}

func (w *watcher) request() *v1.WatchGameRequest {
	req := &v1.WatchGameRequest{
		Name: w.game.name, Viewer: w.options.Viewer, LanguageCode: w.game.lang, IncludeProofs: w.options.Proofs,
		Heartbeat: durationpb.New(w.options.Heartbeat),
	}
	switch {
	case w.token != "":
		req.Start = &v1.WatchGameRequest_ResumeToken{ResumeToken: w.token}
	case w.begun:
		req.Start = &v1.WatchGameRequest_AfterVersion{AfterVersion: w.at}
	default:
		req.Start = &v1.WatchGameRequest_BoardFirst{BoardFirst: true}
	}
	return req
}

// stream gives out what one stream brings until it ends, and says why it did.
func (w *watcher) stream(ctx context.Context, yield func(*Update, error) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	with, err := w.game.client.with(ctx, w.game.tokens, w.game.name)
	if err != nil {
		return err
	}
	// The server is given two and a half heartbeats; while the receiver is busy the clock stands still.
	silence := time.AfterFunc(w.options.Heartbeat*5/2, func() { cancel(errSilent) })
	defer silence.Stop()
	s, err := w.game.client.games.WatchGame(with, w.request())
	for err == nil {
		var m *v1.WatchGameResponse
		silence.Reset(w.options.Heartbeat * 5 / 2)
		m, err = s.Recv()
		silence.Stop()
		if err != nil {
			break
		}
		if err = w.take(ctx, m, yield); w.stopped {
			return nil
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, errSilent) {
		return errSilent
	}
	return err
}

// errGoingAway says that the server ends the stream in good order.
var errGoingAway = errors.New("the server stops")

// take gives out one message, or says what is wrong with it.
func (w *watcher) take(ctx context.Context, m *v1.WatchGameResponse, yield func(*Update, error) bool) error {
	u := &Update{ResumeToken: m.ResumeToken, Version: m.Version}
	switch kind := m.Kind.(type) {
	case *v1.WatchGameResponse_Board:
		if w.begun {
			return nil // it was asked for once
		}
		u.Board = kind.Board
		w.pass(m)
	case *v1.WatchGameResponse_Record:
		version := kind.Record.GetVersion()
		if w.begun && version <= w.at {
			return nil
		}
		if w.begun && version > w.at+1 {
			return fmt.Errorf("%w: record %d came after %d", errGap, version, w.at)
		}
		u.Record = kind.Record
		w.pass(m)
	default:
		if w.begun && m.Version > w.at {
			return fmt.Errorf("%w: it says version %d after record %d", errGap, m.Version, w.at)
		}
		if m.GetGoingAway() != nil {
			return errGoingAway
		}
		w.pass(m)
		if m.GetCaughtUp() == nil { // a heartbeat, or what later servers may say
			return nil
		}
		w.caught, u.CaughtUp = true, m.GetCaughtUp().GetGame()
	}
	if w.caught &&
		(u.CaughtUp != nil || u.Record.GetKind() == logv1.RecordKind_RECORD_KIND_ASK || commitsAnyone(u.Record)) {
		if err := w.answer(ctx, u); err != nil {
			return err
		}
	}
	w.stopped = !yield(u, nil)
	return nil
}

// answer reveals what is owed for mutual dice, and looks whether the chains of the caller's seats are its own.
func (w *watcher) answer(ctx context.Context, u *Update) error {
	if w.options.Silent || w.game.client.chains == nil ||
		u.CaughtUp != nil && u.CaughtUp.GetDice() != logv1.DiceKind_DICE_KIND_MUTUAL {
		return nil
	}
	err := w.game.checkRecord(ctx, u.Record)
	if err == nil {
		_, err = w.game.AnswerDice(ctx)
	}
	if err != nil && w.options.Unanswered != nil {
		w.options.Unanswered(err)
	}
	if isAlarm(err) {
		return err
	}
	return nil
}

// pass keeps where the stream is. Something came, so what went wrong before is over.
func (w *watcher) pass(m *v1.WatchGameResponse) {
	w.failures, w.gaps = 0, 0
	if w.begun && m.Version < w.at {
		return
	}
	w.at, w.begun = m.Version, true
	if m.ResumeToken != "" {
		w.token = m.ResumeToken
	}
}

// mendable says whether a new stream may do better, and prepares it.
func (w *watcher) mendable(err error) bool {
	switch {
	case isAlarm(err):
		return false
	case errors.Is(err, errGap):
		w.token, w.gaps = "", w.gaps+1 // the token may be what is wrong
		return w.gaps < mostGaps
	case errors.Is(err, errSilent), errors.Is(err, errGoingAway), errors.Is(err, io.EOF):
		return true
	case errors.Is(err, ErrResumeTokenInvalid):
		// Another server, or another viewer since a seat was left: the version is as good, if it is known.
		again := w.token != "" && w.begun
		w.token = ""
		return again
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.ResourceExhausted, codes.Canceled, codes.DeadlineExceeded, codes.Aborted:
		return true
	case codes.Internal, codes.Unknown:
		// What a broken connection leaves behind has no reason; what the server says has one, and may be passing too.
		return w.failures < mostGaps
	}
	return false
}

// rest waits before the next stream.
func (w *watcher) rest(ctx context.Context, err error) error {
	w.failures++
	pause := w.game.client.pause.after(w.failures)
	var e *Error
	if errors.As(err, &e) && e.RetryAfter > pause {
		pause = min(e.RetryAfter, w.game.client.pause.longest)
	}
	if w.options.Lost != nil {
		w.options.Lost(err, pause)
	}
	return wait(ctx, pause)
}

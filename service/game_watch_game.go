package service

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// Heartbeats.
const (
	usualHeartbeat   = 15 * time.Second
	longestHeartbeat = 5 * time.Minute
)

// watchPage is how many records a watch reads at once, and watchBytes how many bytes: what a slow
// watcher costs in memory.
const (
	watchPage  = 64
	watchBytes = 128 << 10
)

// following is a call that stays with a game: it keeps up with it, and ends when its tokens do.
type following struct {
	s *Service
	v *visit
	// done lets the game go that is in hand.
	done func()
}

// watch is one stream. It reads the log by itself; of the game it only learns that there is a later moment.
type watch struct {
	following
	view      view
	proofs    bool
	heartbeat time.Duration
	stream    grpc.ServerStreamingServer[v1.WatchGameResponse]
	// at is the version that the stream has covered.
	at     uint64
	caught bool
	// behind is true while there is more to send.
	behind bool
}

// WatchGame streams records and follows.
func (s *gameServer) WatchGame(
	req *v1.WatchGameRequest, stream grpc.ServerStreamingServer[v1.WatchGameResponse],
) error {
	var sh shape
	ctx := stream.Context()
	id := sh.game("name", req.GetName())
	sh.id("viewer", req.GetViewer())
	sh.size("resume_token", len(req.GetResumeToken()), maxPageToken)
	lang := sh.language("language_code", req.GetLanguageCode())
	w := &watch{following: following{s: s.Service}, proofs: req.GetIncludeProofs(), stream: stream}
	w.heartbeat = s.heartbeat(&sh, req.GetHeartbeat())
	if err := sh.err(); err != nil {
		return err
	}
	note(ctx).game = id
	leave, err := s.placeToWatch(&s.watched, id)
	if err != nil {
		return err
	}
	defer leave()
	var done func()
	if w.v, done, err = s.enter(ctx, v1.GameService_WatchGame_FullMethodName, id, lang); err != nil {
		return err
	}
	w.hold(done)
	defer func() { w.done() }()
	defer func() { w.lags(false) }()
	if err := w.begin(req); err != nil {
		return err
	}
	return w.follow(ctx)
}

// heartbeat reads how often a stream says that it is alive.
func (s *Service) heartbeat(sh *shape, asked *durationpb.Duration) time.Duration {
	if asked == nil {
		return usualHeartbeat
	}
	every := asked.AsDuration()
	if asked.CheckValid() != nil || every < s.limits.MinHeartbeat || every > longestHeartbeat {
		sh.faults.Add("heartbeat", "expected %s to %s", s.limits.MinHeartbeat, longestHeartbeat)
	}
	return every
}

// placeToWatch takes a place for a stream that follows a game. Call leave at its end.
func (s *Service) placeToWatch(of *tally, game string) (leave func(), err error) {
	select {
	case s.watchers <- struct{}{}:
	default:
		return nil, fault.New(fault.TooManyWatchers, "%d watches are served already", s.limits.Watchers).
			With("limit", s.limits.Watchers).Quota("watches")
	}
	if !of.enter(game, s.limits.GameWatchers) {
		<-s.watchers
		return nil, fault.New(fault.TooManyWatchers, "%d watches of this game are served already",
			s.limits.GameWatchers).With("limit", s.limits.GameWatchers).Quota("watches of one game")
	}
	return func() {
		of.leave(game)
		<-s.watchers
	}, nil
}

// begin finds where the stream begins, and draws the board if it was asked for.
func (w *watch) begin(req *v1.WatchGameRequest) (err error) {
	m := w.v.Current()
	if w.view, err = w.v.caller.view(w.v.About, req.GetViewer(), m.Table.Over); err != nil {
		return err
	}
	switch start := req.GetStart().(type) {
	case *v1.WatchGameRequest_AfterVersion:
		w.at = start.AfterVersion
	case *v1.WatchGameRequest_ResumeToken:
		if w.at, err = resumeVersion(m.Meta.TokenSecret, w.v.ID, w.view.key(), start.ResumeToken); err != nil {
			return err
		}
	case *v1.WatchGameRequest_BoardFirst:
		if start.BoardFirst {
			return w.board(m)
		}
	}
	if w.at > m.Version() {
		return cursorAhead(m, w.at)
	}
	return nil
}

func cursorAhead(m *live.Moment, at uint64) error {
	return fault.New(fault.CursorAhead, "the game is at version %d, version %d does not exist yet", m.Version(), at).
		With("version", at, "current", m.Version())
}

func (w *watch) board(m *live.Moment) error {
	w.at = m.Version()
	board := w.v.Scenario.Board(m.Position, w.view.viewer(m.Table.Over), w.v.lang)
	if board.Ending == nil {
		board.Ending = render.Ending(m, w.v.Game, w.v.lang)
	}
	return w.send(m, &v1.WatchGameResponse{Kind: &v1.WatchGameResponse_Board{Board: board}})
}

func (w *watch) send(m *live.Moment, r *v1.WatchGameResponse) error {
	w.sign(m, r, w.at)
	note(w.stream.Context()).version = w.at
	return w.stream.Send(r)
}

// sign says in a message what version the stream has covered with it.
func (w *watch) sign(m *live.Moment, r *v1.WatchGameResponse, at uint64) {
	r.Version = at
	r.ResumeToken = resumeToken(m.Meta.TokenSecret, w.v.ID, w.view.key(), at)
}

// follow sends what there is, says when that is all, and waits for more.
func (w *watch) follow(ctx context.Context) error {
	beat := time.NewTimer(w.heartbeat)
	defer beat.Stop()
	void, stop := w.s.expiry(w.v.caller)
	defer stop()
	for {
		m := w.v.Current()
		if w.v.Dropped() {
			if err := w.again(ctx); err != nil {
				return err
			}
			continue
		}
		if err := w.check(m); err != nil {
			return err
		}
		sent, err := w.catchUp(ctx, m)
		if err != nil {
			return err
		}
		w.lags(sent)
		if sent {
			beat.Reset(w.heartbeat)
			if w.leaving() {
				return w.goAway(m)
			}
			continue // there may be a later moment by now
		}
		if !w.caught {
			w.caught = true
			if err := w.send(
				m, &v1.WatchGameResponse{Kind: &v1.WatchGameResponse_CaughtUp{CaughtUp: &v1.CaughtUp{Game: w.game(m)}}},
			); err != nil {
				return err
			}
		}
		select {
		case <-m.Next:
		case <-beat.C:
			if err := w.v.Blind(); err != nil { // others may have gone on; the watcher may see it from another machine
				return err
			}
			if err := w.send(m,
				&v1.WatchGameResponse{Kind: &v1.WatchGameResponse_Heartbeat{Heartbeat: &v1.Heartbeat{}}}); err != nil {
				return err
			}
			beat.Reset(w.heartbeat)
		case <-void: // the next check says so
		case <-w.s.leaving:
			return w.goAway(m)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lags counts the watches that are behind.
func (w *watch) lags(behind bool) {
	switch {
	case behind && !w.behind:
		w.s.metrics.behind.Add(1)
	case !behind && w.behind:
		w.s.metrics.behind.Add(-1)
	}
	w.behind = behind
}

func (w *following) leaving() bool {
	select {
	case <-w.s.leaving:
		return true
	default:
		return false
	}
}

func (w *watch) goAway(m *live.Moment) error {
	return w.send(m, &v1.WatchGameResponse{
		Kind: &v1.WatchGameResponse_GoingAway{GoingAway: &v1.GoingAway{Reason: "the server shuts down"}},
	})
}

// check reads the tokens anew: one that was revoked meanwhile ends the stream before anything more is shown.
func (w *following) check(m *live.Moment) error {
	c, err := identify(w.v.About, m.Meta, w.v.creds, w.s.clock())
	w.v.caller = c
	return err
}

// again gets a game anew that was dropped from memory.
func (w *following) again(ctx context.Context) error {
	l, done, err := w.s.games.Get(ctx, w.v.ID)
	if err != nil {
		return err
	}
	w.done()
	w.v.Game = l
	w.hold(done)
	return nil
}

// hold keeps up with the game that the watch has in hand, until it lets it go.
func (w *following) hold(done func()) {
	unwatch := w.s.games.Watch(w.v.Game)
	w.done = func() {
		unwatch()
		done()
	}
}

func (w *watch) game(m *live.Moment) *v1.Game {
	return render.Game(m, w.v.Game, w.view.viewer(m.Table.Over), w.v.lang)
}

// catchUp sends one page of what a moment has and the stream has not; sent is false if there is nothing. Nothing
// is held while it sends.
func (w *watch) catchUp(ctx context.Context, m *live.Moment) (sent bool, err error) {
	switch {
	case w.at > m.Version(): // the store went back
		return false, cursorAhead(m, w.at)
	case w.at == m.Version():
		return false, nil
	}
	if w.at+1 == m.Newest.Record.Version() {
		return true, w.sendNewest(ctx, m)
	}
	limit := int(min(watchPage, m.Version()-w.at))
	page, err := w.s.store.Read(ctx, streams.Game(w.v.ID), w.at+1, limit, watchBytes)
	if err != nil {
		return false, fault.FromStore(err)
	}
	if len(page) == 0 || page[0].Version != w.at+1 {
		return false,
			fault.New(fault.LogCorrupt, "record %d is missing", w.at+1).With("game", w.v.ID, "version", w.at+1)
	}
	show := w.v.shower(w.s, m, w.view, w.proofs)
	for i := range page {
		if err := w.sendRecord(ctx, show, m, &page[i]); err != nil {
			return true, err
		}
	}
	return true, nil
}

// sendNewest sends the record that made the moment.
func (w *watch) sendNewest(ctx context.Context, m *live.Moment) error {
	out, err := m.Newest.Message(live.SightKey{Viewer: w.view.key(), Lang: w.v.lang, Proofs: w.proofs},
		func(r *ledger.Record) (*v1.WatchGameResponse, error) {
			shown, err := w.v.shower(w.s, m, w.view, w.proofs).Record(ctx, r)
			if err != nil {
				return nil, err
			}
			out := &v1.WatchGameResponse{Kind: &v1.WatchGameResponse_Record{Record: shown}}
			w.sign(m, out, r.Version())
			return out, nil
		})
	if err != nil {
		return err
	}
	w.at = out.Version
	note(w.stream.Context()).version = w.at
	return w.stream.Send(out)
}

func (w *watch) sendRecord(ctx context.Context, show *render.Records, m *live.Moment, e *eventstore.Entry) error {
	r, err := ledger.Parse(e.Data)
	if err != nil {
		return live.Corrupt(w.v.ID, e.Version, err)
	}
	shown, err := show.Record(ctx, r)
	if err != nil {
		return err
	}
	w.at = e.Version
	err = w.send(m, &v1.WatchGameResponse{Kind: &v1.WatchGameResponse_Record{Record: shown}})
	if err == nil && w.caught {
		w.s.metrics.delivered(w.s.clock().Sub(shown.Time.AsTime()))
	}
	return err
}

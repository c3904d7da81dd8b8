package service

import (
	"context"
	"time"

	"google.golang.org/grpc"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/internal/talk"
)

// messagesByUnit is how many messages a watcher goes through for one unit when something has changed.
const messagesByUnit = 512

// listening is one stream of messages.
type listening struct {
	following
	viewer string
	stream grpc.ServerStreamingServer[v1.WatchMessagesResponse]
	// backlog is the number of messages to begin with, and listener holds those that the watcher knows.
	backlog  int
	listener *talk.Listener
	// held is the number of bytes last counted for the listener.
	held int
}

// WatchMessages streams messages and follows.
func (s *talkServer) WatchMessages(
	req *v1.WatchMessagesRequest, stream grpc.ServerStreamingServer[v1.WatchMessagesResponse],
) error {
	var sh shape
	ctx := stream.Context()
	id := sh.game("parent", req.GetParent())
	sh.id("viewer", req.GetViewer())
	every := s.heartbeat(&sh, req.GetHeartbeat())
	w := &listening{following: following{s: s.Service}, viewer: req.GetViewer(), stream: stream, backlog: usualMessages,
		listener: s.talk.Listener()}
	if req.Backlog != nil {
		if w.backlog = min(int(req.GetBacklog()), mostMessages); w.backlog < 0 {
			sh.faults.Add("backlog", "%d, expected 0 to %d", req.GetBacklog(), mostMessages)
		}
	}
	if err := sh.err(); err != nil {
		return err
	}
	leave, err := s.placeToWatch(&s.listening, id)
	if err != nil {
		return err
	}
	defer leave()
	v, e, done, err := s.talking(ctx, v1.TalkService_WatchMessages_FullMethodName, id, w.viewer)
	if err != nil {
		return err
	}
	w.v = v
	w.hold(done)
	defer func() { w.done() }()
	defer func() { s.games.Beside(-w.held) }()
	return w.follow(ctx, e, every)
}

// follow sends the backlog, reports that it is complete, and then waits for more.
func (w *listening) follow(ctx context.Context, e *talk.Ear, every time.Duration) error {
	wake, stopFollowing := w.s.talk.Follow(e)
	defer stopFollowing()
	beat := time.NewTicker(every)
	defer beat.Stop()
	void, stop := w.s.expiry(w.v.caller)
	defer stop()
	for look := true; ; {
		if w.v.Dropped() {
			if err := w.again(ctx); err != nil {
				return err
			}
		}
		m := w.v.Current()
		if err := w.check(m); err != nil {
			return err
		}
		var err error
		if e, err = w.v.ear(w.viewer); err != nil {
			return err
		}
		if look || w.listener.Wavers(e) {
			if look, err = w.hear(ctx, e); err != nil {
				return err
			}
			if look {
				continue
			}
		}
		select {
		case <-wake:
			look = true
		case <-m.Next: // the record of a pin may have been undone, or somebody have left
		case <-beat.C:
			if err := w.v.Blind(); err != nil {
				return err
			}
			if err := w.stream.Send(&v1.WatchMessagesResponse{
				Kind: &v1.WatchMessagesResponse_Heartbeat{Heartbeat: &v1.MessagesHeartbeat{}}}); err != nil {
				return err
			}
			look = true // a store that went back wakes nobody
		case <-void: // the next check says so
		case <-w.s.leaving:
			return w.stream.Send(&v1.WatchMessagesResponse{
				Kind: &v1.WatchMessagesResponse_GoingAway{GoingAway: &v1.MessagesGoingAway{}}})
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hear sends what has changed since the watcher was told last. If the game has gone on meanwhile it sends nothing and
// asks to be called again.
func (w *listening) hear(ctx context.Context, e *talk.Ear) (again bool, err error) {
	news, err := w.listener.News(ctx, e, w.backlog)
	if err != nil {
		return false, err
	}
	w.s.admission.Charge(ctx, (news.Looked+messagesByUnit-1)/messagesByUnit)
	if again, err = w.s.overtaken(ctx, w.v.Game, e.Moment); again || err != nil {
		return again, err
	}
	if err := w.tell(news); err != nil {
		return false, err
	}
	w.listener.Told(news)
	more := w.listener.Bytes() - w.held
	w.held += more
	w.s.games.Beside(more)
	if more > 0 && news.First {
		return false, w.s.games.Full()
	}
	return false, nil
}

// tell sends what is new.
func (w *listening) tell(news *talk.News) error {
	send := func(m *v1.WatchMessagesResponse) error { return w.stream.Send(m) }
	if news.Talk != nil {
		if err := send(&v1.WatchMessagesResponse{Kind: &v1.WatchMessagesResponse_Talk{Talk: news.Talk}}); err != nil {
			return err
		}
	}
	for _, m := range news.Said {
		if err := send(&v1.WatchMessagesResponse{Kind: &v1.WatchMessagesResponse_Message{Message: m}}); err != nil {
			return err
		}
	}
	for _, name := range news.Gone {
		if err := send(&v1.WatchMessagesResponse{Kind: &v1.WatchMessagesResponse_Deleted{Deleted: name}}); err != nil {
			return err
		}
	}
	if !news.First {
		return nil
	}
	return send(&v1.WatchMessagesResponse{
		Kind: &v1.WatchMessagesResponse_CaughtUp{CaughtUp: new(v1.MessagesCaughtUp)}})
}

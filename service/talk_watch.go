package service

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/internal/talk"
)

// listening is one stream of messages.
type listening struct {
	following
	viewer string
	stream grpc.ServerStreamingServer[v1.WatchMessagesResponse]
	// heard are the messages that the watcher knows of, by name; backlog is how many it begins with.
	heard   map[string]*v1.Message
	backlog int
	talk    *v1.Talk
	// ear is the one that heard last.
	ear *talk.Ear
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
	w := &listening{following: following{s: s.Service}, viewer: req.GetViewer(), stream: stream, backlog: usualMessages}
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
	w.v, w.ear = v, e
	w.hold(done)
	defer func() { w.done() }()
	return w.follow(ctx, every)
}

// follow sends what there is, says when that is all, and waits for more.
func (w *listening) follow(ctx context.Context, every time.Duration) error {
	wake, stopFollowing := w.s.talk.Follow(w.ear)
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
		e, err := w.v.ear(w.viewer)
		if err != nil {
			return err
		}
		if look || e.Changed(w.ear, w.heard) {
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
	heard, err := w.s.talk.Hear(ctx, e, v1.Audience_AUDIENCE_UNSPECIFIED)
	if err != nil {
		return false, err
	}
	if again, err = w.s.overtaken(ctx, w.v.Game, e.Moment); again || err != nil {
		return again, err
	}
	return false, w.tell(e, heard)
}

// tell sends what was heard.
func (w *listening) tell(e *talk.Ear, heard *talk.Heard) error {
	w.ear = e
	if !proto.Equal(heard.Talk, w.talk) {
		w.talk = heard.Talk
		if err := w.stream.Send(&v1.WatchMessagesResponse{
			Kind: &v1.WatchMessagesResponse_Talk{Talk: heard.Talk}}); err != nil {
			return err
		}
	}
	said, gone := heard.Since(w.heard)
	first := w.heard == nil
	if first {
		w.heard = map[string]*v1.Message{}
	}
	skip := 0
	if first {
		skip = max(0, len(said)-w.backlog)
	}
	for i, m := range said {
		w.heard[m.Name] = m
		if i < skip {
			continue
		}
		if err := w.stream.Send(&v1.WatchMessagesResponse{
			Kind: &v1.WatchMessagesResponse_Message{Message: m}}); err != nil {
			return err
		}
	}
	for _, name := range gone {
		delete(w.heard, name)
		if err := w.stream.Send(&v1.WatchMessagesResponse{
			Kind: &v1.WatchMessagesResponse_Deleted{Deleted: name}}); err != nil {
			return err
		}
	}
	if first {
		return w.stream.Send(&v1.WatchMessagesResponse{
			Kind: &v1.WatchMessagesResponse_CaughtUp{CaughtUp: new(v1.MessagesCaughtUp)}})
	}
	return nil
}

package warledger

import (
	"context"
	"errors"
	"iter"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ListenOptions configure [Game.Listen].
type ListenOptions struct {
	// Viewer is as in [Look].
	Viewer string
	// Backlog is the number of recent messages to begin with; at most 500.
	Backlog int
	// Heartbeat is how often the server confirms that the stream is alive; 15 seconds if 0.
	Heartbeat time.Duration
	// Lost is called when a stream ends, with the reason and the time until the next attempt; may be nil.
	Lost func(reason error, pause time.Duration)
}

// Heard is one result of listening. Exactly one of its fields is set.
type Heard struct {
	// Message is new or has changed, because the record that it is pinned to was undone or redone.
	Message *v1.Message
	// Deleted is the name of a message that was deleted.
	Deleted string
	// Talk holds the settings of the talk. They come first, and again after each change.
	Talk *v1.Talk
	// CaughtUp is true once the backlog is complete. It comes once.
	CaughtUp bool
}

// Listen yields the messages of the game that the caller may read. It reconnects after lost connections, stopped
// servers and silent streams. What was said or deleted meanwhile follows, and nothing comes twice. It ends when ctx
// does, or after an error that a retry cannot fix.
func (g *Game) Listen(ctx context.Context, o ListenOptions) iter.Seq2[*Heard, error] {
	if o.Heartbeat == 0 {
		o.Heartbeat = usualHeartbeat
	}
	return func(yield func(*Heard, error) bool) {
		mends := &watcher{game: g, options: WatchOptions{Lost: o.Lost}}
		l := &listener{game: g, options: o, known: map[string]*v1.Message{}, mends: mends}
		for {
			err := l.stream(ctx, yield)
			switch {
			case l.stopped:
				return
			case ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case !mends.mendable(err):
				yield(nil, err)
				return
			case mends.rest(ctx, err) != nil:
				yield(nil, ctx.Err())
				return
			}
		}
	}
}

// listener is the state of one call of Listen across its streams.
type listener struct {
	game    *Game
	options ListenOptions
	// known holds the messages that were yielded, by name.
	known map[string]*v1.Message
	talk  *v1.Talk
	// begun is true once the first stream has caught up.
	begun, stopped bool
	mends          *watcher
	// came holds the backlog of the current stream until the stream has caught up.
	came []*v1.Message
	// caught is true once the current stream has caught up.
	caught bool
	// floor is the time of the oldest message in the first backlog, if older ones may exist. Nothing before it is
	// yielded.
	floor time.Time
}

// mostBacklog is the maximum number of messages in a backlog.
const mostBacklog = 500

// stream yields what one stream brings, and returns the reason why the stream ended.
func (l *listener) stream(ctx context.Context, yield func(*Heard, error) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	with, err := l.game.client.with(ctx, l.game.tokens, l.game.name)
	if err != nil {
		return err
	}
	backlog := int32(mostBacklog)
	l.came, l.caught = nil, false
	silence := time.AfterFunc(l.options.Heartbeat*5/2, func() { cancel(errSilent) })
	defer silence.Stop()
	s, err := l.game.client.talk.WatchMessages(with, &v1.WatchMessagesRequest{Parent: l.game.name,
		Viewer: l.options.Viewer, Backlog: &backlog, Heartbeat: durationpb.New(l.options.Heartbeat)})
	for err == nil {
		var m *v1.WatchMessagesResponse
		silence.Reset(l.options.Heartbeat * 5 / 2)
		m, err = s.Recv()
		silence.Stop()
		if err != nil {
			break
		}
		if m.GetGoingAway() != nil {
			return errGoingAway
		}
		l.mends.failures = 0
		for _, heard := range l.take(m) {
			if l.stopped = !yield(heard, nil); l.stopped {
				return nil
			}
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, errSilent) {
		return errSilent
	}
	return err
}

// take makes of a message what is new to the caller.
func (l *listener) take(m *v1.WatchMessagesResponse) (out []*Heard) {
	switch kind := m.Kind.(type) {
	case *v1.WatchMessagesResponse_Talk:
		if !proto.Equal(kind.Talk, l.talk) {
			l.talk = kind.Talk
			out = append(out, &Heard{Talk: kind.Talk})
		}
	case *v1.WatchMessagesResponse_Message:
		if !l.caught {
			l.came = append(l.came, kind.Message)
			return nil
		}
		out = l.hear(kind.Message)
	case *v1.WatchMessagesResponse_Deleted:
		if l.known[kind.Deleted] != nil {
			delete(l.known, kind.Deleted)
			out = append(out, &Heard{Deleted: kind.Deleted})
		}
	case *v1.WatchMessagesResponse_CaughtUp:
		l.caught = true
		return l.began()
	}
	return out
}

// hear takes note of a message; it is given out if the caller does not have it already.
func (l *listener) hear(m *v1.Message) []*Heard {
	if proto.Equal(l.known[m.Name], m) || m.CreateTime.AsTime().Before(l.floor) {
		return nil
	}
	l.known[m.Name] = m
	return []*Heard{{Message: m}}
}

// began compares what a stream began with to what the caller has.
func (l *listener) began() (out []*Heard) {
	if l.begun {
		out = l.missing()
	}
	for i, m := range l.came {
		heard := l.hear(m)
		if l.begun || i >= len(l.came)-l.options.Backlog {
			out = append(out, heard...)
		}
	}
	if !l.begun {
		if len(l.came) >= mostBacklog {
			l.floor = l.came[0].CreateTime.AsTime()
		}
		l.begun = true
		out = append(out, &Heard{CaughtUp: true})
	}
	return out
}

// missing are the messages that a stream that began anew does not have any more. What is older than all that it began
// with may still be there.
func (l *listener) missing() (out []*Heard) {
	came := map[string]bool{}
	for _, m := range l.came {
		came[m.Name] = true
	}
	for name, m := range l.known {
		older := len(l.came) >= mostBacklog && m.CreateTime.AsTime().Before(l.came[0].CreateTime.AsTime())
		if !came[name] && !older {
			delete(l.known, name)
			out = append(out, &Heard{Deleted: name})
		}
	}
	return out
}

package server

import (
	"context"
	"strconv"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// tally counts an answer by HTTP for the Gate until it has ended. A nil tally counts nothing.
type tally struct {
	mu    sync.Mutex
	waits func(bytes int) error
	// gaveUp is told if the answer is given up.
	gaveUp func(error)
	ended  bool
}

// room is count for an answer that is given up if there is an error.
func (t *tally) room(bytes int) error {
	err := t.count(bytes)
	if err != nil {
		t.gaveUp(err)
	}
	return err
}

// count says how many bytes of the answer lie in memory now. It returns an error if too many bytes
// of answers are unread.
func (t *tally) count(bytes int) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended { // a handler may end after its caller has gone
		return nil
	}
	return t.waits(bytes)
}

// end is called when nothing of the answer is left.
func (t *tally) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.waits(0)
	t.ended = true
}

// handOver passes answers from the handlers inside to the side that speaks HTTP, past the connection between them: that
// would hold each several times, in its buffers and frames, and nobody would count it. Answers of streams, and those
// that are too large, go through the connection.
type handOver struct {
	mu    sync.Mutex
	last  uint64
	calls map[string]*handed
}

// handed is the answer to a call that is under way.
type handed struct {
	tally *tally
	data  []byte
	done  bool
}

// handOverKey is the metadata with the number of a call. Headers of callers do not go inside.
const handOverKey = "warledger-hand-over"

func newHandOver() *handOver { return &handOver{calls: make(map[string]*handed)} }

// invoke is an interceptor of the side that speaks HTTP, which asks for answers as bytes.
func (h *handOver) invoke(
	ctx context.Context, method string, req, out any, conn *grpc.ClientConn, call grpc.UnaryInvoker,
	o ...grpc.CallOption,
) error {
	to, ok := out.(*[]byte)
	if !ok {
		return call(ctx, method, req, out, conn, o...)
	}
	mine := new(handed)
	if s := answerOf(ctx); s != nil {
		mine.tally = s.waits
	}
	h.mu.Lock()
	h.last++
	number := strconv.FormatUint(h.last, 10)
	h.calls[number] = mine
	h.mu.Unlock()
	err := call(metadata.AppendToOutgoingContext(ctx, handOverKey, number), method, req, out, conn, o...)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.calls, number)
	if err == nil && mine.done {
		*to = mine.data
	}
	return err
}

// unary is an interceptor of the server inside. It gives up an answer for which there is no room.
func (h *handOver) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	out, err := handle(ctx, req)
	m, ok := out.(proto.Message)
	if err != nil || !ok {
		return out, err
	}
	number, size := "", proto.Size(m)
	if said := metadata.ValueFromIncomingContext(ctx, handOverKey); len(said) == 1 && size <= MaxSend {
		number = said[0]
	}
	h.mu.Lock()
	to := h.calls[number]
	h.mu.Unlock()
	if to == nil { // the caller has gone, or the answer is too large
		return out, nil
	}
	if err := to.tally.room(size); err != nil {
		return nil, err
	}
	data, err := proto.Marshal(m)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	to.data, to.done = data, true
	return m.ProtoReflect().New().Interface(), nil
}

package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/tap"
)

// Patience is how long a server waits for its callers. Zero values mean the defaults.
type Patience struct {
	// Header limits the headers of a request by HTTP/1.1, and the beginning of a connection; 10 seconds.
	Header time.Duration
	// Body limits the time until a request is complete; 30 seconds.
	Body time.Duration
	// Answer limits the time in which a caller by HTTP takes the whole answer of a call, or a part of a stream or page,
	// of 32 KiB at most; 2 minutes.
	Answer time.Duration
	// Idle is how long a connection may have no call; 5 minutes.
	Idle time.Duration
	// Ping is how long a connection of HTTP/2 may be silent before the server pings it, and Pong how long it has to
	// answer; 30 and 10 seconds. By gRPC the least is a second.
	Ping, Pong time.Duration
}

func (p Patience) orDefaults() Patience {
	return Patience{
		Header: cmp.Or(p.Header, 10*time.Second), Body: cmp.Or(p.Body, 30*time.Second), Answer: cmp.Or(p.Answer,
			2*time.Minute),
		Idle: cmp.Or(p.Idle, 5*time.Minute), Ping: cmp.Or(p.Ping, 30*time.Second), Pong: cmp.Or(p.Pong, 10*time.Second),
	}
}

// patient limits the time for a caller by HTTP to send its request and to take each part of the answer. The answer of
// a watch has no limit in all.
func (p Patience) patient(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		// Without a body the deadline would hit the read by which the connection learns whether the caller has gone.
		if r.Body != http.NoBody && c.SetReadDeadline(time.Now().Add(p.Body)) == nil {
			r.Body = &awaited{ReadCloser: r.Body, ended: func(err error) {
				if errors.Is(err, io.EOF) {
					_ = c.SetReadDeadline(time.Time{})
				} else if r.ProtoMajor == 1 {
					w.Header().Set("Connection", "close") // the rest of the body would be read as the next request
				}
			}}
		}
		out := &steady{ResponseWriter: w, c: c, patience: p.Answer, streams: r.ProtoMajor > 1}
		w.Header().Set("Cache-Control", "no-store")
		h.ServeHTTP(out, r.WithContext(context.WithValue(r.Context(), answerKey{}, out)))
		out.begin() // the rest is sent after this
	})
}

// awaited is a body that says how it ended. A deadline that has passed stays, so the rest of the body is not waited
// for again.
type awaited struct {
	io.ReadCloser
	ended func(error)
}

// Read reads on.
func (b *awaited) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && b.ended != nil {
		b.ended(err)
		b.ended = nil
	}
	return n, err
}

// steadyPart is how many bytes of an answer a caller must take within the time for a part.
const steadyPart = 32 << 10

// steady is an answer that ends when its caller takes no part of it for too long.
type steady struct {
	http.ResponseWriter
	c        *http.ResponseController
	patience time.Duration
	// streams is true if a deadline belongs to one stream of the connection. Such a deadline also ends the stream
	// while nothing is written.
	streams bool
	// until is when all of the answer must have been taken; zero for a stream or a page.
	until time.Time
	// waits counts the bytes that lie in memory; nil if nobody counts them.
	waits *tally
	// whole is the size of the answer, encoded. It lies in memory while a compressed form of it is sent.
	whole int
}

type answerKey struct{}

// answerOf is the answer to a request; nil if nobody is patient.
func answerOf(ctx context.Context) *steady {
	out, _ := ctx.Value(answerKey{}).(*steady)
	return out
}

// whole begins the answer of a call that is no stream, once it has come and once it is encoded. It returns an error if
// too many bytes of answers are unread already: then the answer must be given up.
func whole(ctx context.Context, bytes int) error {
	s := answerOf(ctx)
	if s == nil {
		return nil
	}
	s.until, s.whole = time.Now().Add(s.patience), bytes
	return s.waits.room(bytes)
}

// Unwrap is for http.ResponseController.
func (s *steady) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *steady) begin() {
	until := s.until
	if until.IsZero() {
		until = time.Now().Add(s.patience)
	}
	_ = s.c.SetWriteDeadline(until)
}

func (s *steady) end() {
	if s.streams {
		_ = s.c.SetWriteDeadline(time.Time{})
	}
}

// Write writes part after part.
func (s *steady) Write(p []byte) (n int, err error) {
	bytes := len(p)
	if bytes < s.whole {
		bytes += s.whole
	}
	_ = s.waits.count(bytes) // too late to give it up: its beginning may have been sent
	defer func() { _ = s.waits.count(0) }()
	for first := true; first || len(p) > 0 && err == nil; first = false {
		part := p[:min(len(p), steadyPart)]
		s.begin()
		var took int
		took, err = s.ResponseWriter.Write(part)
		s.end()
		n, p = n+took, p[len(part):]
	}
	return n, err
}

// Flush sends what was written so far.
func (s *steady) Flush() {
	s.begin()
	_ = s.c.Flush() // the next Write returns the error
	s.end()
}

// arrival is the context of a call by gRPC whose request has not come yet. It ends when the request takes too long.
type arrival struct {
	context.Context
	cancel context.CancelFunc
	timer  *time.Timer
	forget func() bool
	late   atomic.Bool
}

type arrivalKey struct{}

// await begins to wait for a call's request. gRPC has no deadline of its own for that.
func (p Patience) await(ctx context.Context, _ *tap.Info) (context.Context, error) {
	a := new(arrival)
	a.Context, a.cancel = context.WithCancel(ctx)
	a.timer = time.AfterFunc(p.Body, a.expire)
	a.forget = context.AfterFunc(ctx, func() { a.timer.Stop() }) // the caller has gone
	return a, nil
}

func (a *arrival) expire() {
	a.late.Store(true)
	a.cancel()
}

// came stops the waiting.
func (a *arrival) came() {
	a.timer.Stop()
	a.forget()
}

// Err is DeadlineExceeded if the request came too late.
func (a *arrival) Err() error {
	if err := a.Context.Err(); err == nil || !a.late.Load() {
		return err
	}
	return context.DeadlineExceeded
}

// Value finds the arrival itself, for the interceptors.
func (a *arrival) Value(key any) any {
	if key == (arrivalKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// unary is told that the request has come.
func (p Patience) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	if a, ok := ctx.Value(arrivalKey{}).(*arrival); ok {
		a.came()
	}
	return handle(ctx, req)
}

// stream waits for each message of the caller in turn.
func (p Patience) stream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	a, ok := stream.Context().Value(arrivalKey{}).(*arrival)
	if !ok {
		return handle(srv, stream)
	}
	defer a.came()
	return handle(srv, &awaitedStream{ServerStream: stream, arrival: a, patience: p.Body})
}

// awaitedStream is a call by gRPC with a time limit for each message of its caller.
type awaitedStream struct {
	grpc.ServerStream
	arrival  *arrival
	patience time.Duration
	later    bool
}

// RecvMsg waits for the next message.
func (s *awaitedStream) RecvMsg(m any) error {
	if s.later {
		s.arrival.timer.Reset(s.patience)
	}
	err := s.ServerStream.RecvMsg(m)
	s.arrival.timer.Stop()
	s.later = true
	return err
}

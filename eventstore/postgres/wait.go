package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/warledger/warledger/eventstore"
)

// Wait implements [eventstore.Store]. Writers tell all handles of the store which streams have changed. Such a
// notification may be lost, so a handle also asks from time to time.
func (s *Store) Wait(ctx context.Context, stream string, after eventstore.Mark) (eventstore.Mark, error) {
	if err := s.begin(ctx); err != nil {
		return eventstore.Mark{}, err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return eventstore.Mark{}, err
	}
	return s.hub.Wait(ctx, stream, after, func() (m eventstore.Mark, err error) {
		err = s.read(ctx, func(ctx context.Context, q querier) error {
			marks, err := marksOf(ctx, q, []string{stream})
			m = marks[stream]
			return err
		})
		return m, err
	})
}

// marksOf returns how far streams are. Those that do not exist are left out.
func marksOf(ctx context.Context, q querier, streams []string) (map[string]eventstore.Mark, error) {
	rows, _ := q.Query(ctx, `select name, version, meta_version from wl_stream where name = any($1)`, streams)
	marks := make(map[string]eventstore.Mark, len(streams))
	var name string
	var version, meta int64
	_, err := pgx.ForEachRow(rows, []any{&name, &version, &meta}, func() error {
		marks[name] = eventstore.Mark{Version: uint64(version), Meta: uint64(meta)}
		return nil
	})
	return marks, err
}

// shown wakes those who wait for what a batch has stored: here, and by a hint at the other handles.
func (s *Store) shown(batch []*request) {
	s.hints.mu.Lock()
	for _, r := range batch {
		if r.stored {
			s.hub.Notify(r.stream)
			if len(s.hints.names) == 0 {
				s.hints.since = time.Now()
			}
			s.hints.names = append(s.hints.names, r.stream)
		}
	}
	s.hints.mu.Unlock()
	select {
	case s.hints.filled <- struct{}{}:
	default:
	}
}

// hint tells other handles what has changed, in a statement of its own. Transactions that notify commit one after the
// other, and no append shall wait for that; a hint that is lost costs the time until the next question.
func (s *Store) hint() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.hints.filled:
		}
		s.hints.mu.Lock()
		names := s.hints.names
		s.hints.names = nil
		if len(names) == 0 {
			s.hints.mu.Unlock()
			continue
		}
		number := s.hints.echoes.sent(s.hints.since)
		s.hints.mu.Unlock()
		_ = s.read(s.ctx, func(ctx context.Context, q querier) error {
			rows, _ := q.Query(ctx, `select pg_notify($1, p) from unnest($2::text[]) p`, s.channel(),
				payloads(s.handle+" "+number, names))
			rows.Close()
			return rows.Err()
		})
	}
}

// channel is what the store's notifications come by. Several stores may lie in one database.
func (s *Store) channel() string { return "warledger_" + s.id.String() }

// payloadSize is the most bytes of a notification: PostgreSQL takes fewer than 8000.
const payloadSize = 7999

// payloads packs names into notifications, each after the name of the handle that sends them and the number of the
// hint. Names have no control characters, so a line's end parts them.
func payloads(handle string, names []string) (all []string) {
	payload := handle
	for _, name := range names {
		if len(payload)+1+len(name) > payloadSize {
			all = append(all, payload)
			payload = handle
		}
		payload += "\n" + name
	}
	return append(all, payload)
}

// heard wakes those who wait for what a notification names.
func (s *Store) heard(payload string) {
	sender, names, _ := strings.Cut(payload, "\n")
	if handle, number, _ := strings.Cut(sender, " "); handle == s.handle {
		s.echoed(number)
		return
	}
	for name := range strings.SplitSeq(names, "\n") {
		s.hub.Notify(name)
	}
}

// listen hears what other handles write, with a first connection and with others when it is lost.
func (s *Store) listen(conn *pgx.Conn) {
	for {
		if conn != nil {
			err := s.follow(conn)
			s.release(conn, s.listener, true)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_ = conn.Close(ctx)
			cancel()
			if s.o.Lock == LockAlone && s.ctx.Err() == nil {
				_ = s.markLost(err)
				return
			}
		}
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(s.o.Ask / 4):
		}
		var err error
		if conn, err = pgx.ConnectConfig(s.ctx, s.config.Copy()); err != nil {
			continue
		}
		if err = s.readmit(conn); err != nil {
			s.release(conn, s.listener, true)
			_ = conn.Close(s.ctx)
			conn = nil
		}
	}
}

// readmit prepares a connection that listens in the place of one that was lost.
func (s *Store) readmit(conn *pgx.Conn) (err error) {
	s.listener, err = s.admit(s.ctx, conn)
	if s.judge(err) != nil || s.o.Lock == Unlocked {
		return err
	}
	return s.relock(s.ctx, conn)
}

// judge stops all reading and writing while the database is not safe, and has it go on when it is again.
func (s *Store) judge(err error) error {
	var found *UnsafeError
	if errors.As(err, &found) {
		s.unsafe.Store(found)
	} else if err == nil {
		s.unsafe.Store(nil)
	}
	return err
}

// follow hears and asks until the connection fails. It asks when it begins to listen, since what was notified before is
// lost.
func (s *Store) follow(conn *pgx.Conn) error {
	if _, err := conn.Exec(s.ctx, "listen "+pgx.Identifier{s.channel()}.Sanitize()); err != nil {
		return err
	}
	for due := time.Now(); ; {
		if !time.Now().Before(due) {
			if err := s.ask(conn); err != nil {
				return err
			}
			due = time.Now().Add(s.o.Ask)
		}
		ctx, cancel := context.WithDeadline(s.ctx, due)
		n, err := conn.WaitForNotification(ctx)
		cancel()
		switch {
		case err == nil:
			s.heard(n.Payload)
		case s.ctx.Err() != nil || conn.IsClosed() || !pgconn.Timeout(err):
			return err
		}
	}
}

// askTimeout is how long the database may take to say how far the streams are. Then the connection counts as lost.
const askTimeout = 5 * time.Second

// ask asks whether the database is still safe and how far the streams are that somebody waits for, and wakes those who
// are behind.
func (s *Store) ask(conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(s.ctx, askTimeout)
	defer cancel()
	var refused *UnsafeError
	if err := s.judge(s.listener.again(ctx, conn)); err != nil && !errors.As(err, &refused) {
		return err
	}
	streams := s.hub.Streams()
	if len(streams) == 0 {
		return nil
	}
	marks, err := marksOf(ctx, conn, streams)
	for stream, mark := range marks {
		s.hub.Reached(stream, mark)
	}
	return err
}

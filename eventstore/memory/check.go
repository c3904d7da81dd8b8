package memory

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"

	"github.com/warledger/warledger/eventstore"
)

// Check implements [eventstore.Store]. What this package keeps cannot rot, so only verify can find a fault.
func (s *Store) Check(ctx context.Context, verify func(string, eventstore.Entry) error, report func(eventstore.Fault)) (eventstore.CheckReport, error) {
	var sum eventstore.CheckReport
	for after := ""; ; {
		infos, err := s.List(ctx, "", after, 0)
		if err != nil || len(infos) == 0 {
			return sum, err
		}
		for _, info := range infos {
			sum.Streams++
			if err := s.checkStream(ctx, info, &sum, verify, report); err != nil {
				return sum, err
			}
			after = info.Name
		}
	}
}

func (s *Store) checkStream(ctx context.Context, info eventstore.StreamInfo, sum *eventstore.CheckReport,
	verify func(string, eventstore.Entry) error, report func(eventstore.Fault)) error {
	for from := uint64(1); from <= info.Version; {
		page, err := s.Read(ctx, info.Name, from, 0, 0)
		if err != nil {
			return err
		}
		for _, e := range page {
			sum.Entries++
			sum.Bytes += uint64(len(e.Data))
			if e.Key != "" {
				sum.Keys++
			}
			if verify == nil {
				continue
			}
			if err := verify(info.Name, e); err != nil {
				sum.Faults++
				if report != nil {
					report(eventstore.Fault{Kind: eventstore.FaultContent, Stream: info.Name, Version: e.Version, What: err.Error()})
				}
			}
		}
		from += uint64(len(page))
	}
	return nil
}

type backupStream struct {
	Name    string
	Entries []eventstore.Entry
	Meta    []byte
}

// Backup implements [eventstore.Store]; Restore reads what it writes.
func (s *Store) Backup(ctx context.Context, w io.Writer) (int64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	var all []backupStream
	for _, name := range s.names {
		st := s.streams[name]
		all = append(all, backupStream{name, st.entries, st.meta})
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(all); err != nil {
		return 0, err
	}
	return io.Copy(w, &buf)
}

// Restore returns a store that holds what a backup holds.
func Restore(r io.Reader) (*Store, error) {
	var all []backupStream
	if err := gob.NewDecoder(r).Decode(&all); err != nil {
		return nil, fmt.Errorf("restore event store: %w", err)
	}
	s := New()
	for _, b := range all {
		if err := s.Append(context.Background(), eventstore.Append{Stream: b.Name, Entries: b.Entries, Meta: b.Meta}); err != nil {
			return nil, fmt.Errorf("restore event store: %w", err)
		}
	}
	return s, nil
}

package memory

import (
	"context"
	"io"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
)

// Check implements [eventstore.Store]. What this package keeps cannot rot, so only verify can find a fault.
func (s *Store) Check(
	ctx context.Context, verify func(string, eventstore.Entry) error, report func(eventstore.Fault),
) (eventstore.CheckReport, error) {
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
					report(eventstore.Fault{
						Kind: eventstore.FaultContent, Stream: info.Name, Version: e.Version, What: err.Error(),
					})
				}
			}
		}
		from += uint64(len(page))
	}
	return nil
}

// Backup implements [eventstore.Store]: it is a dump.
func (s *Store) Backup(ctx context.Context, w io.Writer) (int64, error) {
	n := new(counter)
	_, err := dump.Write(ctx, s, io.MultiWriter(w, n))
	return int64(*n), err
}

type counter int64

func (n *counter) Write(p []byte) (int, error) { *n += counter(len(p)); return len(p), nil }

// Restore returns a store that holds what a backup holds, or a dump of another engine.
func Restore(r io.Reader) (*Store, error) {
	s := New()
	if _, err := dump.Read(context.Background(), r, s); err != nil {
		return nil, err
	}
	return s, nil
}

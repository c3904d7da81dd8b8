package service

import (
	"context"
	"errors"
	"strconv"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/internal/streams"
)

// Probe asks whether the service can do its work: the store must be open and take a small write. It leaves the time of the probe in
// the store, beside the games.
func (s *Service) Probe(ctx context.Context) error {
	now := strconv.AppendInt(nil, s.clock().UnixMilli(), 10)
	err := s.store.SetMeta(ctx, streams.Probe, now, eventstore.AnyMeta)
	if !errors.Is(err, eventstore.ErrNotFound) {
		return err
	}
	var conflict *eventstore.ConflictError
	err = s.store.Append(ctx, eventstore.Append{Stream: streams.Probe, Entries: []eventstore.Entry{{Version: 1, Data: []byte("probe")}}, Meta: now})
	if errors.As(err, &conflict) { // another probe was quicker
		return nil
	}
	return err
}

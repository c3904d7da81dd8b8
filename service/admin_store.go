package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// adminServer is for the operator of the server. Whoever registers it sees to it that nobody else can call it.
type adminServer struct {
	adminv1.UnimplementedAdminServiceServer
	*Service
	begun time.Time
}

// RegisterAdmin adds the service for the operator of the server to a gRPC server that strangers cannot reach.
func (s *Service) RegisterAdmin(r grpc.ServiceRegistrar) {
	adminv1.RegisterAdminServiceServer(r, &adminServer{Service: s, begun: s.clock()})
}

// GetStats gives figures of the service and its store.
func (s *adminServer) GetStats(ctx context.Context, _ *adminv1.GetStatsRequest) (*adminv1.GetStatsResponse, error) {
	games, err := s.countGames(ctx)
	if err != nil {
		return nil, err
	}
	t := s.store.Stats()
	return &adminv1.GetStatsResponse{
		StartTime: timestamppb.New(s.begun), StoredGames: uint64(games), LiveGames: uint64(s.games.Number()),
		Watchers: uint64(len(s.watchers)),
		Appends:  t.Appends, Entries: t.Entries, Bytes: t.Bytes, RefusedAppends: t.Refused, Batches: t.Batches,
		FailedBatches: t.FailedBatches,
		LargestBatch:  t.LargestBatch, CommitDuration: durationpb.New(t.CommitTime),
	}, nil
}

// CheckStore examines everything stored.
func (s *adminServer) CheckStore(
	_ *adminv1.CheckStoreRequest, stream grpc.ServerStreamingServer[adminv1.CheckStoreResponse],
) error {
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	sum, err := s.store.Check(ctx, VerifyEntry, func(f eventstore.Fault) {
		if err :=
			stream.Send(&adminv1.CheckStoreResponse{Kind: &adminv1.CheckStoreResponse_Fault{Fault: &adminv1.StoreFault{
				Kind: string(f.Kind), Stream: f.Stream, Version: f.Version, Message: f.What,
			}}}); err != nil {
			cancel(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return fault.FromStore(err)
	}
	return stream.Send(&adminv1.CheckStoreResponse{Kind: &adminv1.CheckStoreResponse_Summary{
		Summary: &adminv1.CheckSummary{
			Streams: sum.Streams, Entries: sum.Entries, Bytes: sum.Bytes, Keys: sum.Keys, Faults: sum.Faults,
		},
	}})
}

// VerifyEntry says what is wrong with the content of an entry of a store of games, for [eventstore.Store.Check]: a
// record must be readable and hash to what the entry says, a scenario's document to the name of its stream, and the
// heads of games to what the entry says.
func VerifyEntry(stream string, e eventstore.Entry) error {
	switch {
	case strings.HasPrefix(stream, streams.Games):
		r, err := ledger.Parse(e.Data)
		if err != nil {
			return err
		}
		if h := r.Header(); streams.Game(h.Game) != stream || h.Version != e.Version {
			return errors.New("the record is of another place")
		}
		if r.Hash() != e.Hash {
			return errors.New("the record does not hash to what was stored beside it")
		}
	case strings.HasPrefix(stream, streams.Scenarios):
		if streams.Scenario(ledger.ScenarioDigest(e.Data)) != stream {
			return errors.New("the document is not the one that the stream is named by")
		}
	case stream == streams.Heads:
		if sha256.Sum256(append(e.Prev[:], e.Data...)) != e.Hash {
			return errors.New("the heads do not hash to what was stored beside them")
		}
	}
	return nil
}

// BackupStore streams a copy of the store.
func (s *adminServer) BackupStore(
	_ *adminv1.BackupStoreRequest, stream grpc.ServerStreamingServer[adminv1.BackupStoreResponse],
) error {
	w := &backupStream{stream: stream, digest: sha256.New()}
	size, err := s.store.Backup(stream.Context(), w)
	switch {
	case w.err != nil:
		return w.err
	case err != nil:
		return fault.FromStore(err)
	}
	return stream.Send(&adminv1.BackupStoreResponse{Kind: &adminv1.BackupStoreResponse_Summary{
		Summary: &adminv1.BackupSummary{Size: size, Sha256: w.digest.Sum(nil)},
	}})
}

// backupStream sends what is written and remembers why it could not.
type backupStream struct {
	stream grpc.ServerStreamingServer[adminv1.BackupStoreResponse]
	digest hash.Hash
	err    error
}

// Write sends in parts of moderate size.
func (w *backupStream) Write(data []byte) (int, error) {
	w.digest.Write(data)
	for rest := data; len(rest) > 0; {
		part := rest[:min(len(rest), 16*exportPart)]
		// Send may keep the bytes after it returns, and the writer uses them again.
		if w.err = w.stream.Send(
			&adminv1.BackupStoreResponse{Kind: &adminv1.BackupStoreResponse_Data{Data: append([]byte(nil), part...)}},
		); w.err != nil {
			return len(data) - len(rest), w.err
		}
		rest = rest[len(part):]
	}
	return len(data), nil
}

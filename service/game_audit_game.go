package service

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"iter"

	"google.golang.org/grpc"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/relay"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// progressEvery is how many records lie between two messages of progress.
const progressEvery = 1000

// source gives a game's records up to a moment, as a viewer may see them, reading page by page.
func (s *Service) source(ctx context.Context, l *live.Game, m *live.Moment, v rules.Viewer) ledger.Source {
	return func() iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for next := uint64(1); next <= m.Version(); {
				page, err := s.store.Read(ctx, streams.Game(l.ID), next, 0, 0)
				if err == nil && len(page) == 0 {
					return
				}
				if err != nil {
					yield(nil, fault.FromStore(err))
					return
				}
				for i := range page {
					data, err := visible(page[i].Data, v)
					if page[i].Version > m.Version() || !yield(data, err) {
						return
					}
				}
				next += uint64(len(page))
			}
		}
	}
}

// visible is a stored record as a viewer may see it. One that cannot be read is given as it is to whoever may see all:
// an audit says what is wrong.
func visible(data []byte, v rules.Viewer) ([]byte, error) {
	if v.All {
		return data, nil
	}
	r, err := ledger.Parse(data)
	if err != nil {
		return nil, fault.New(fault.LogCorrupt, "a record cannot be read").Because(err)
	}
	return r.Redact(v).Data(), nil
}

// AuditGame checks a game as far as the caller may see it.
func (s *gameServer) AuditGame(
	req *v1.AuditGameRequest, stream grpc.ServerStreamingServer[v1.AuditGameResponse],
) error {
	v, done, err := s.enterStream(stream.Context(), v1.GameService_AuditGame_FullMethodName, req.GetName())
	if err != nil {
		return err
	}
	defer done()
	valid, stop := whileValid(stream.Context(), v.caller)
	defer stop()
	ctx, cancel := context.WithCancelCause(valid)
	defer cancel(nil)
	m := v.Current()
	s.worked(ctx, m.LogBytes)
	viewer := v.viewer(m)
	document, err := s.scenarios.Document(ctx, ledger.Hash(v.Created.ScenarioDigest))
	if err != nil {
		return err
	}
	// Deciding a whole game again is the most that one call can ask for.
	select {
	case s.audits <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	relay.Messages(ctx, cancel, relay.Patience, func(send func(*v1.AuditGameResponse)) {
		defer func() { <-s.audits }()
		ctx, stop := s.auditTime(ctx)
		defer stop()
		if err := s.audit(ctx, v.Game, m, viewer, document, send); err != nil {
			cancel(tooLong(ctx, err))
		}
	}, stream.Send)
	return context.Cause(ctx)
}

// auditTime bounds an audit.
func (s *Service) auditTime(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := s.limits.AuditTime
	return context.WithTimeoutCause(ctx, limit,
		fault.New(fault.AuditTooLong, "the audit takes longer than %s", limit).With("seconds", int(limit.Seconds())))
}

// tooLong is the error of an audit, or that of its time if that has passed.
func tooLong(ctx context.Context, err error) error {
	if late := (*fault.Error)(nil); errors.As(context.Cause(ctx), &late) {
		return late
	}
	return err
}

// audit audits a game and sends what it finds, and its sum.
func (s *Service) audit(ctx context.Context, l *live.Game, m *live.Moment, viewer rules.Viewer, document []byte,
	send func(*v1.AuditGameResponse)) error {
	options := ledger.AuditOptions{Progress: func(records, total uint64) {
		if records%progressEvery == 0 {
			send(&v1.AuditGameResponse{
				Kind: &v1.AuditGameResponse_Progress{Progress: &v1.AuditProgress{Records: records, Total: total}},
			})
		}
	}}
	sum, err := ledger.Audit(ctx, s.source(ctx, l, m, viewer), s.registry, document, options, func(f ledger.Finding) {
		s.metrics.found(f.Severity.String())
		send(&v1.AuditGameResponse{Kind: &v1.AuditGameResponse_Finding{Finding: found(f, viewer)}})
	})
	if err != nil {
		return err
	}
	send(&v1.AuditGameResponse{Kind: &v1.AuditGameResponse_Summary{Summary: &v1.AuditSummary{
		Records: sum.Records, Rolls: sum.Rolls, Commands: sum.Commands, Errors: sum.Errors, Unchecked: sum.Unchecked,
	}}})
	return nil
}

func found(f ledger.Finding, v rules.Viewer) *v1.Finding {
	out := &v1.Finding{Version: f.Version, Severity: v1.Severity_SEVERITY_NOTICE, Check: string(f.Check),
		Message: f.Message}
	if f.Severity == ledger.Error {
		out.Severity = v1.Severity_SEVERITY_ERROR
	}
	if v.All && f.Detail != "" {
		out.Message += " [" + f.Detail + "]"
	}
	return out
}

// enterStream is enter for a call that needs nothing but a game's name.
func (s *Service) enterStream(ctx context.Context, method, name string) (*visit, func(), error) {
	var sh shape
	id := sh.game("name", name)
	if err := sh.err(); err != nil {
		return nil, nil, err
	}
	note(ctx).game = id
	return s.enter(ctx, method, id, rules.English)
}

// exportPart is the size of the messages that a file is sent in.
const exportPart = 64 << 10

// program names this program in exported files.
const program = "warledgerd"

// ExportGame streams a whole game as one file.
func (s *gameServer) ExportGame(
	req *v1.ExportGameRequest, stream grpc.ServerStreamingServer[v1.ExportGameResponse],
) error {
	ctx := stream.Context()
	v, done, err := s.enterStream(ctx, v1.GameService_ExportGame_FullMethodName, req.GetName())
	if err != nil {
		return err
	}
	defer done()
	ctx, stop := whileValid(ctx, v.caller)
	defer stop()
	m := v.Current()
	note(ctx).version = m.Version()
	viewer := v.viewer(m)
	document, err := s.scenarios.Document(ctx, ledger.Hash(v.Created.ScenarioDigest))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(exportStream{stream}, exportPart)
	header := exportHeader(v.ID, cmp.Or(m.Meta.ImportedProgram, program), viewer.All)
	header.Records, header.LastHash, header.ScenarioDocument = m.Version(), m.Hash[:], document
	if err := ledger.WriteExport(out, header, s.source(ctx, v.Game, m, viewer)()); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return out.Flush()
}

// exportHeader is what a file says about itself, but for what is in it.
func exportHeader(game, program string, all bool) *logv1.ExportHeader {
	return &logv1.ExportHeader{Game: game, Program: program, Redacted: !all}
}

// exportStream sends what is written in messages of moderate size.
type exportStream struct {
	stream grpc.ServerStreamingServer[v1.ExportGameResponse]
}

func (w exportStream) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		part := rest[:min(len(rest), 16*exportPart)]
		// Send may keep the bytes after it returns, and the writer uses them again.
		if err := w.stream.Send(&v1.ExportGameResponse{Data: append([]byte(nil), part...)}); err != nil {
			return len(data) - len(rest), err
		}
		rest = rest[len(part):]
	}
	return len(data), nil
}

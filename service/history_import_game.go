package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/internal/uploads"
	"github.com/warledger/warledger/service/ledger"
)

// ImportGame takes in a part of a file, and with the last the game.
func (s *historyServer) ImportGame(ctx context.Context, req *v1.ImportGameRequest) (*v1.ImportGameResponse, error) {
	var sh shape
	request := sh.secretRequest("request_id", req.GetRequestId())
	sh.size("data", len(req.GetData()), uploads.MaxPart)
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).request = tokens.BlindID(request)
	owner, err := s.newOwner(ctx)
	if err != nil {
		return nil, err
	}
	// The clock of records may stand still; what rests goes by the machine's.
	u, err := s.imports.Find(request, s.admission.Caller(ctx), time.Now())
	if err != nil {
		return nil, err
	}
	select {
	case u.Busy <- struct{}{}:
		defer func() { <-u.Busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	hold := func(more int) error { return s.imports.Hold(u, more, time.Now()) }
	if err := u.Take(req.GetOffset(), req.GetData(), s.limits.ImportBytes, hold); err != nil {
		if len(u.Data) == 0 {
			s.imports.Done(u)
		}
		return nil, err
	}
	received := uint64(len(u.Data))
	if !req.GetLast() {
		return &v1.ImportGameResponse{Received: received}, nil
	}
	if end := req.GetOffset() + uint64(len(req.GetData())); end != received {
		return nil,
			fault.New(fault.RequestIDReused, "the part ends the file at byte %d, and %d bytes came before",
				end, received).With("version", 0)
	}
	defer s.imports.Done(u)
	out, err := s.importFile(ctx, u.Data, request, owner)
	if err != nil {
		return nil, err
	}
	out.Received = received
	return out, nil
}

// importFile audits a file and keeps its game.
func (s *Service) importFile(
	ctx context.Context, data []byte, request uuid.UUID, owner *Identity,
) (*v1.ImportGameResponse, error) {
	// An audit is what an import costs.
	select {
	case s.audits <- struct{}{}:
		defer func() { <-s.audits }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := s.openFile(ctx, data)
	if err != nil {
		return nil, err
	}
	note(ctx).game = f.id
	_, err = s.store.Head(ctx, streams.Game(f.id))
	if err == nil {
		return s.imported(ctx, f, request, owner)
	}
	if !errors.Is(err, eventstore.ErrNotFound) {
		return nil, fault.FromStore(err)
	}
	if err := s.auditFile(ctx, f); err != nil {
		return nil, err
	}
	if err := s.checkOrigin(ctx, f); err != nil {
		return nil, err
	}
	err = s.keepFile(ctx, f, request, owner)
	var conflict *eventstore.ConflictError
	if err != nil && !errors.As(err, &conflict) {
		return nil, err
	}
	return s.imported(ctx, f, request, owner)
}

// imported answers from what is stored, whoever stored it: this call, the first try of a retry, or somebody else.
func (s *Service) imported(
	ctx context.Context, f *file, request uuid.UUID, owner *Identity,
) (*v1.ImportGameResponse, error) {
	l, done, err := s.games.Get(ctx, f.id)
	if err != nil {
		return nil, err
	}
	defer done()
	m := l.Current()
	token := tokens.Owner(m.Meta.TokenSecret, request)
	if !m.Meta.Imported || !ownedBy(m.Meta, owner) || !tokens.Same(tokens.HashOf(token), m.Meta.OwnerTokenHash) ||
		string(m.Hash[:]) != string(f.header.LastHash) {
		return nil, fault.New(fault.GameExists, "the server has a game %s already", f.id).With("game", f.id).
			Resource("game", streams.Games+f.id)
	}
	note(ctx).version = m.Version()
	viewer := rules.Viewer{Seats: l.About.AllSeats(), All: m.Table.Over}
	return &v1.ImportGameResponse{Game: render.Game(m, l, viewer, rules.English), OwnerToken: token}, nil
}

// checkOrigin holds the copies of a fork against the game that it names, if that is here and anyone may see all of it:
// a comparison with what is hidden would tell of it.
func (s *Service) checkOrigin(ctx context.Context, f *file) error {
	from := f.created.GetForkedFrom()
	var sh shape
	if sh.game("data", streams.Games+from.GetGame()); from == nil || sh.err() != nil {
		return nil
	}
	l, done, err := s.games.Get(ctx, from.Game)
	if err != nil {
		return ctx.Err() // without a sound origin the file stands for itself, as it does elsewhere
	}
	defer done()
	m := l.Current()
	if !m.Table.Over || l.Created.GetForkedFrom().GetPrivate() {
		return nil
	}
	var found error
	_, err = ledger.AuditFork(ctx, f.export.Records,
		s.source(ctx, l, m, rules.Viewer{All: true}), func(different ledger.Finding) {
			if found == nil {
				found = importFault(fmt.Errorf("record %d: %s", different.Version, different.Message))
			}
		})
	if err != nil {
		return err
	}
	return found
}

// keepFile appends all records of an audited file in one transaction, as they are.
func (s *Service) keepFile(ctx context.Context, f *file, request uuid.UUID, owner *Identity) (err error) {
	if limit := s.limits.GameBytes; limit > 0 && f.bytes > limit {
		return fault.New(fault.GameTooLarge, "the game's log has %d bytes", f.bytes).With("limit",
			limit).Quota("bytes of one game")
	}
	counted, err := s.roomForGame(ctx, owner)
	if err != nil {
		return err
	}
	defer func() { counted(err == nil) }()
	meta, err := s.importSecrets(f, request, owner)
	if err != nil {
		return err
	}
	l, err := s.games.NewGame(f.id, f.set, &documents.Loaded{Rules: f.sc}, f.created, meta)
	if err != nil {
		return err
	}
	m, err := f.fold(l, l.Zero(meta))
	if err == nil {
		err = f.comesBack(m.Table.Over)
	}
	if err != nil {
		return importFault(err)
	}
	if _, err := s.scenarios.Put(ctx, f.header.ScenarioDocument, s.admission.Store); err != nil {
		return err
	}
	err = s.games.Keep(ctx, l, m, f.entries())
	var conflict *eventstore.ConflictError
	var invalid *eventstore.InvalidError
	switch {
	case errors.As(err, &conflict):
		return err
	case errors.As(err, &invalid):
		return importFault(fmt.Errorf("cannot be stored: %w", err))
	case err != nil:
		return fault.FromStore(err)
	}
	s.heads.Touch(f.id)
	return nil
}

package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/elements"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// mostFindings is how many errors of a file are told at once; how many there are in all is told too.
const mostFindings = 50

// file is a game file that is to be taken in.
type file struct {
	data    []byte
	id      string
	export  *ledger.Export
	header  *logv1.ExportHeader
	set     rules.Ruleset
	sc      rules.Scenario
	created *logv1.GameCreated
	records []*ledger.Record
	bytes   int
}

// openFile reads a file as far as what is played: nothing else is looked at that could make the ruleset work in vain.
func (s *Service) openFile(ctx context.Context, data []byte) (*file, error) {
	export, err := ledger.ReadExport(bytes.NewReader(data))
	if err != nil {
		return nil, importFault(err)
	}
	f := &file{data: data, id: export.Header().Game, export: export, header: export.Header()}
	var sh shape
	if sh.game("data", streams.Games+f.id); sh.err() != nil {
		return nil, importFault(fmt.Errorf("game file: %q is no id of a game", clip(f.id)))
	}
	for data, err := range export.Records() {
		var r *ledger.Record
		if err == nil {
			r, err = ledger.Open(data)
		}
		if err != nil {
			return nil, importFault(fmt.Errorf("record %d: %w", len(f.records)+1, err))
		}
		f.records, f.bytes = append(f.records, r), f.bytes+len(data)
	}
	if len(f.records) == 0 {
		return nil, importFault(errors.New("game file: it has no records"))
	}
	for _, leaf := range f.records[0].Leaves() {
		if created := new(logv1.GameCreated); leaf.Is(created) {
			if err := elements.Check(leaf.Data, created.ProtoReflect().Descriptor()); err != nil {
				return nil, importFault(fmt.Errorf("record 1: %w", err))
			}
		}
	}
	if f.created, err = f.records[0].Created(); err != nil {
		return nil, importFault(fmt.Errorf("record 1: %w", err))
	}
	if err := f.load(ctx, s); err != nil {
		return nil, err
	}
	return f, f.texts()
}

// load finds ruleset and scenario. Files of a ruleset that is not here, or of a newer one, are refused: a server
// keeps what it can show.
func (f *file) load(ctx context.Context, s *Service) error {
	set, ok := s.registry.Find(f.created.Ruleset)
	if !ok {
		return fault.New(fault.GameUnplayable, "this server has no ruleset %q", clip(f.created.Ruleset)).With("ruleset",
			clip(f.created.Ruleset))
	}
	if v := set.About().Version; f.created.RulesVersion > v {
		return fault.New(fault.GameUnplayable, "the game is of version %d of %s, this server has %d",
			f.created.RulesVersion, f.created.Ruleset, v).
			With("ruleset", f.created.Ruleset)
	}
	if n := len(f.header.ScenarioDocument); n > maxDocument {
		return importFault(fmt.Errorf("scenario document: it has %d bytes, at most %d are allowed", n, maxDocument))
	}
	var faults rules.Faults
	err := s.scenarios.Loading(ctx, len(f.header.ScenarioDocument), func() {
		f.sc, faults = set.LoadScenario(f.header.ScenarioDocument)
	})
	if err != nil {
		return err
	}
	if faults.Fatal() {
		return importFault(fmt.Errorf("scenario document: %w", faults))
	}
	f.set = set
	return nil
}

// auditFile refuses a file in which an audit finds an error, or that does not hold everything.
func (s *Service) auditFile(ctx context.Context, f *file) error {
	ctx, stop := s.auditTime(ctx)
	defer stop()
	var v fault.Violations
	sum, err := ledger.AuditExport(ctx, f.export, s.registry, ledger.AuditOptions{}, func(found ledger.Finding) {
		if found.Severity != ledger.Error || len(v) == mostFindings {
			return
		}
		field := "data"
		if found.Version > 0 {
			field = fmt.Sprintf("data.records[%d]", found.Version)
		}
		v.Add(field, "%s: %s", found.Check, found.Message)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return tooLong(ctx, ctx.Err())
	case err != nil:
		return importFault(err)
	case len(v) > 0:
		err := v.Err(fault.ImportInvalid)
		if known := (*fault.Error)(nil); errors.As(err, &known) {
			known.With("errors", sum.Errors)
		}
		return err
	case sum.Hidden > 0:
		return fault.New(fault.ImportRedacted, "%d parts of records are hidden in the file", sum.Hidden).With("hidden",
			sum.Hidden)
	}
	return nil
}

// fold makes the moment after the last record, with the position at the head.
func (f *file) fold(l *live.Game, m *live.Moment) (*live.Moment, error) {
	l.Time = f.records[0].Header().Time.AsTime()
	var err error
	for _, r := range f.records {
		if m, err = m.Follow(l.About, r); err != nil {
			return nil, err
		}
	}
	replay := ledger.NewReplayer(l.Base.Clone(), 0)
	for _, place := range m.Tree.Line() {
		if err := replay.Add(f.records[place-1]); err != nil {
			return nil, err
		}
	}
	m.Position = replay.Game()
	return m, nil
}

// comesBack refuses a file that ExportGame would give out as another: no hash covers the header, and what it
// alone says would be lost.
func (f *file) comesBack(over bool) error {
	header := exportHeader(f.id, f.header.Program, over)
	header.Records, header.LastHash, header.ScenarioDocument = f.header.Records, f.header.LastHash,
		f.header.ScenarioDocument
	same := sameBytes{rest: f.data}
	if err := ledger.WriteExport(&same, header, f.export.Records()); err != nil || len(same.rest) > 0 {
		return errors.New("game file: its header is not as an export of all of the game has it")
	}
	return nil
}

// sameBytes takes what is written if it is what is expected.
type sameBytes struct{ rest []byte }

func (s *sameBytes) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(s.rest, b) {
		return 0, errors.New("other bytes")
	}
	s.rest = s.rest[len(b):]
	return len(b), nil
}

// entries are the records as the store keeps them.
func (f *file) entries() []eventstore.Entry {
	var out []eventstore.Entry
	for _, r := range f.records {
		out = append(out,
			eventstore.Entry{Version: r.Version(), Key: r.Header().CommandId, Prev: r.Prev(), Hash: r.Hash(),
				Data: r.Data()})
	}
	return out
}

// importSecrets is what is kept beside an imported log: the secrets that it released itself, and a new
// owner. Nobody holds a seat.
func (s *Service) importSecrets(f *file, request uuid.UUID, owner *Identity) (*logv1.GameMeta, error) {
	meta := &logv1.GameMeta{Imported: true, ImportedProgram: f.header.Program, TokenSecret: make([]byte, 32)}
	if _, err := io.ReadFull(s.entropy, meta.TokenSecret); err != nil {
		return nil, err
	}
	for _, r := range f.records {
		events, err := r.TableEvents()
		if err != nil {
			return nil, importFault(err)
		}
		for _, e := range events {
			if released := e.GetSecretsReleased(); released != nil {
				meta.DiceSecret, meta.SaltSecret = released.DiceSecret, released.SaltSecret
			}
		}
	}
	own(meta, request, owner)
	return meta, nil
}

// texts refuses a file with a text that no call may send.
func (f *file) texts() error {
	var sh shape
	sh.strings("data", f.header)
	command, event := f.set.NewCommand(), f.set.About().EventType
	for _, r := range f.records {
		field := fmt.Sprintf("data.records[%d]", r.Version())
		sh.strings(field, r.Header())
		for i := range r.Leaves() {
			leaf := &r.Leaves()[i]
			sh.id(field+".type", leaf.Type)
			for _, known := range []proto.Message{new(logv1.GameCreated), new(logv1.TableEvent), new(logv1.Roll),
				command, event} {
				if leaf.Is(known) {
					sh.leaf(field, leaf, known)
				}
			}
		}
		if len(sh.faults) >= mostFindings {
			break
		}
	}
	return sh.faults.Err(fault.ImportInvalid)
}

// importFault says that a file is no game file, or a faulty one.
func importFault(err error) error {
	var v fault.Violations
	v.Add("data", "%s", err)
	return v.Err(fault.ImportInvalid)
}

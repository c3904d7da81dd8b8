package service

import (
	"context"

	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// ListRecords lists the log, oldest first.
func (s *gameServer) ListRecords(ctx context.Context, req *v1.ListRecordsRequest) (*v1.ListRecordsResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	size := sh.page("page_size", req.GetPageSize(), 100, 1000)
	sh.id("viewer", req.GetViewer())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	byUnit := recordsByUnit
	if req.GetIncludeProofs() {
		byUnit = proofsByUnit
	}
	s.admission.Charge(ctx, size/byUnit) // before the game is read, or many calls would come in meanwhile for little
	v, done, err := s.enter(ctx, v1.GameService_ListRecords_FullMethodName, id, lang)
	if err != nil {
		return nil, err
	}
	defer done()
	m := v.Current()
	note(ctx).version = m.Version()
	w, err := v.caller.view(v.About, req.GetViewer(), m.Table.Over)
	if err != nil {
		return nil, err
	}
	binding := []any{"records", id, req.GetAfterVersion(), req.GetWholeTree(), req.GetViewer()}
	after, head, err := recordsStart(req, m, binding)
	if err != nil {
		return nil, err
	}
	made, err := s.listing(ctx, size)
	if err != nil {
		return nil, err
	}
	defer made()
	show := v.shower(s.Service, m, w, req.GetIncludeProofs())
	page, last, err := s.recordPage(ctx, show, m, after, head, size, req.GetWholeTree())
	if err != nil {
		return nil, err
	}
	out := &v1.ListRecordsResponse{Records: page}
	s.admission.Charge(ctx, proto.Size(out)/bytesByUnit)
	if last != 0 {
		out.NextPageToken = pageToken(pageNumbers(last, head), binding...)
	}
	return out, nil
}

// recordsStart says after which version the page begins, and the head whose line is listed: later pages stay on
// the line of the first.
func recordsStart(req *v1.ListRecordsRequest, m *live.Moment, binding []any) (after, head uint64, err error) {
	at, err := pageStart(req.GetPageToken(), binding...)
	if err != nil {
		return 0, 0, err
	}
	if at == "" {
		return req.GetAfterVersion(), m.Head(), nil
	}
	if !pageValues(at, &after, &head) || head > m.Version() || m.Tree.HeadAt(head) != head {
		return 0, 0, fault.New(fault.PageTokenInvalid, "the page token does not belong to this list")
	}
	return after, head, nil
}

// recordPage reads and shows a page; last is 0 if nothing follows it. Records that are not listed are not read.
func (s *Service) recordPage(
	ctx context.Context, show *render.Records, m *live.Moment, after, head uint64, size int, whole bool,
) (out []*v1.Record, last uint64, err error) {
	if after >= m.Version() {
		return nil, 0, nil
	}
	run := func(from uint64) (uint64, int) { return from, int(min(m.Version()-from+1, uint64(size))) }
	if !whole {
		run = runsOf(m, after, head)
	}
	var used page
	for next, n := run(after + 1); n > 0; next, n = run(next) {
		entries, err := s.store.Read(ctx, streams.Game(show.Game()), next, min(n, size-len(out)), pageBytes)
		if err != nil {
			return nil, 0, fault.FromStore(err)
		}
		if len(entries) == 0 {
			return out, 0, nil
		}
		for i := range entries {
			e := &entries[i]
			next = e.Version + 1
			r, err := ledger.Parse(e.Data)
			if err != nil {
				return nil, 0, live.Corrupt(show.Game(), e.Version, err)
			}
			shown, err := show.Record(ctx, r)
			if err != nil {
				return nil, 0, err
			}
			out = append(out, shown)
			if used.add(shown); len(out) == size || used.full() {
				if _, more := run(next); more == 0 {
					return out, 0, nil
				}
				return out, e.Version, nil
			}
		}
	}
	return out, 0, nil
}

// runsOf returns a function that finds the next run of records of a line: its first version from a given one on, and
// how many follow each other; 0 at the end. Versions that are asked for must not fall.
func runsOf(m *live.Moment, after, head uint64) func(from uint64) (first uint64, n int) {
	var line []uint64 // newest first
	for v := head; v > after; v = m.Tree.Parent(v) {
		line = append(line, v)
	}
	return func(from uint64) (first uint64, n int) {
		for len(line) > 0 && line[len(line)-1] < from {
			line = line[:len(line)-1]
		}
		for n < len(line) && line[len(line)-1-n] == line[len(line)-1]+uint64(n) {
			n++
		}
		if n > 0 {
			first = line[len(line)-1]
		}
		return first, n
	}
}

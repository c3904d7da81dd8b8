package service

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/anypb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/tracing"
)

// legalSize reads how many actions a page has.
func (s *shape) legalSize(field string, size int32) int { return s.page(field, size, 1000, 10_000) }

// ListLegalActions lists what a seat may do now.
func (s *gameServer) ListLegalActions(
	ctx context.Context, req *v1.ListLegalActionsRequest,
) (*v1.ListLegalActionsResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	for field, value := range map[string]string{"seat": req.GetSeat(), "kind": req.GetKind(), "piece": req.GetPiece(),
		"space": req.GetSpace()} {
		sh.id(field, value)
	}
	size := sh.legalSize("page_size", req.GetPageSize())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat = id, req.GetSeat()
	v, done, err := s.enter(ctx, v1.GameService_ListLegalActions_FullMethodName, id, lang)
	if err != nil {
		return nil, err
	}
	defer done()
	seat, err := v.caller.seat(v.About, req.GetSeat())
	if err != nil {
		return nil, err
	}
	m := v.Current()
	n.seat, n.version = v.About.SeatID(seat), m.Version()
	filter := rules.Filter{Kind: req.GetKind(), Piece: req.GetPiece(), Space: req.GetSpace()}
	first, binding, err := legalStart(req.GetPageToken(), m, v, n.seat, filter)
	if err != nil {
		return nil, err
	}
	return s.legalPage(ctx, v, m, seat, legalQuery{Filter: filter, first: first, size: size, binding: binding,
		typed: req.GetIncludeCommands()})
}

// legalQuery is a page of a list that somebody asks for.
type legalQuery struct {
	rules.Filter
	first, size int
	// binding is what must be the same in the request for the next page.
	binding []any
	// typed adds the message of each command.
	typed bool
}

// legalPage makes a page of what a seat may do at a moment.
func (s *Service) legalPage(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, q legalQuery,
) (*v1.ListLegalActionsResponse, error) {
	out := &v1.ListLegalActionsResponse{Version: m.Version()}
	if m.Table.Over || m.Table.Dice.Asked() != nil {
		return out, nil
	}
	list, putBack := s.legal(ctx, v.Game, m, seat, q.Filter)
	defer putBack()
	v.Scenario.Arrange(m.Position, v.lang, list)
	offers, asked := partition(m.Position, list)
	out.TotalSize = int32(len(asked))
	order, next := append(offers, asked...), q.first
	var used page
	for ; next < len(order) && len(out.Actions) < q.size && !used.full(); next++ {
		if err := v.addAction(out, &used, m.Position, seat, list.At(order[next]), q); err != nil {
			return nil, err
		}
	}
	if next < len(order) {
		out.NextPageToken = pageToken(pageNumbers(m.Version(), uint64(next)), q.binding...)
	}
	return out, nil
}

// next is what a seat may do at a moment, for a caller who has just made a command there. It is what
// ListLegalActions would answer, and costs as much if the seat has something to decide.
func (s *Service) next(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, size int, typed bool,
) (*v1.NextActions, error) {
	out, asked := new(v1.NextActions), false
	id := v.About.SeatID(seat)
	if !m.Table.Over && m.Table.Dice.Asked() == nil {
		for _, p := range rules.Prompts(v.About, m.Asks(), v.viewer(m), v.lang) {
			if p.Seat == id {
				out.Prompts, asked = append(out.Prompts, p), asked || !p.Optional
			}
		}
	}
	if asked {
		s.admission.Charge(ctx, calls[v1.GameService_ListLegalActions_FullMethodName].cost)
	}
	_, binding, err := legalStart("", m, v, id, rules.Filter{})
	if err != nil {
		return nil, err
	}
	out.Legal, err = s.legalPage(ctx, v, m, seat, legalQuery{size: size, binding: binding, typed: typed})
	return out, err
}

// legal lists all, since clients want to know how many there are. Whoever has read the list puts it back.
func (s *Service) legal(
	ctx context.Context, l *live.Game, m *live.Moment, seat rules.Seat, f rules.Filter,
) (list rules.Listing, putBack func()) {
	_, end := tracing.Span(ctx, "list legal")
	defer end(nil)
	begun := time.Now()
	list = m.Position.List(seat, f, s.listings.Take(l.ID, l.About.Name))
	s.metrics.listed(time.Since(begun))
	return list, func() { s.listings.Put(l.ID, l.About.Name, list) }
}

// legalStart reads the page token of a list, which is void once the game has moved on. A list with an order of its own
// goes on in its language.
func legalStart(
	token string, m *live.Moment, v *visit, seat string, f rules.Filter,
) (first int, binding []any, err error) {
	binding = []any{"legal", v.ID, seat, f.Kind, f.Piece, f.Space}
	if v.Scenario.Ordered(v.Ruleset, v.lang) {
		binding = append(binding, string(v.lang))
	}
	at, err := pageStart(token, binding...)
	if err != nil || at == "" {
		return 0, binding, err
	}
	var version, offset uint64
	if !pageValues(at, &version, &offset) || offset > 1<<31 {
		return 0, nil, fault.New(fault.PageTokenInvalid, "the page token does not belong to this list")
	}
	if version != m.Version() {
		return 0, nil,
			fault.New(fault.VersionConflict, "the list was of version %d, the game is at %d: begin with its first page",
				version, m.Version()).
				With("expected", version, "current", m.Version())
	}
	return int(offset), binding, nil
}

// partition gives the places in a list of the offers, and of the answers to what is asked.
func partition(g rules.Game, list rules.Listing) (offers, asked []int) {
	for i := range list.Len() {
		if rules.IsOffer(g, list.At(i)) {
			offers = append(offers, i)
		} else {
			asked = append(asked, i)
		}
	}
	return offers, asked
}

// addAction spells a command out, among the offers if it is one.
func (v *visit) addAction(
	out *v1.ListLegalActionsResponse, used *page, g rules.Game, seat rules.Seat, c rules.Command, q legalQuery,
) error {
	actions, messages := &out.Actions, &out.Commands
	if rules.IsOffer(g, c) {
		actions, messages = &out.Offers, &out.OfferCommands
	}
	a := v.action(g, seat, c)
	if q.Kind != "" || q.Piece != "" { // what can pay takes a while to find: not for all of a long list
		a.Payment = v.payment(g, seat, c)
	}
	*actions = append(*actions, a)
	used.add(a)
	if !q.typed {
		return nil
	}
	packed, err := anypb.New(g.EncodeCommand(c))
	if err != nil {
		return err
	}
	*messages = append(*messages, packed)
	used.add(packed)
	return nil
}

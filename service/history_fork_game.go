package service

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// fork is a checked request to leave from a version of a game.
type fork struct {
	request uuid.UUID
	owner   *Identity
	title   string
	dice    logv1.DiceKind
	join    logv1.JoinPolicy
	private bool
	// created is the first event of the fork but for the commitments, records what is copied, and game
	// the position after them.
	created *logv1.GameCreated
	records []*ledger.Record
	game    rules.Game
}

// ForkGame begins a game from a version of another.
func (s *historyServer) ForkGame(ctx context.Context, req *v1.ForkGameRequest) (*v1.ForkGameResponse, error) {
	var sh shape
	origin := sh.game("name", req.GetName())
	f := &fork{title: req.GetTitle(), dice: req.GetDice(), private: req.GetPrivate(),
		join: sh.joinPolicy("join_policy", req.GetJoinPolicy())}
	if f.private && f.join != logv1.JoinPolicy_JOIN_POLICY_UNSPECIFIED {
		sh.faults.Add("join_policy", "expected none for a private line, whose seats are all the caller's")
	}
	f.request = sh.secretRequest("request_id", req.GetRequestId())
	sh.text("title", f.title, live.MaxTitle)
	if _, known := logv1.DiceKind_name[int32(f.dice)]; !known {
		sh.faults.Add("dice", "%d is no kind of dice", f.dice)
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	id := tokens.GameID(f.request)
	note(ctx).game, note(ctx).request = id, tokens.BlindID(f.request)
	v, done, err := s.enter(ctx, v1.HistoryService_ForkGame_FullMethodName, origin, rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	if f.owner, err = s.newOwner(ctx); err != nil {
		return nil, err
	}
	switch _, err = s.store.Head(ctx, streams.Game(id)); {
	case errors.Is(err, eventstore.ErrNotFound):
		err = s.readFork(ctx, v, req.GetVersion(), f)
		if err == nil {
			err = s.createFork(ctx, id, v, f)
		}
		var conflict *eventstore.ConflictError
		if err != nil && !errors.As(err, &conflict) {
			return nil, err
		}
	case err != nil:
		return nil, fault.FromStore(err)
	}
	return s.forked(ctx, id, v.ID, req.GetVersion(), f)
}

// forked answers from what is stored, whoever stored it: this call or an earlier one.
func (s *Service) forked(
	ctx context.Context, id, origin string, version uint64, f *fork,
) (*v1.ForkGameResponse, error) {
	l, done, err := s.games.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m, from := l.Current(), l.Created.GetForkedFrom()
	token := tokens.Owner(m.Meta.TokenSecret, f.request)
	same := ownedBy(m.Meta, f.owner) && tokens.Same(tokens.HashOf(token), m.Meta.OwnerTokenHash) &&
		from.GetGame() == origin &&
		from.GetPrivate() == f.private && (f.title == "" || f.title == l.Created.Title) &&
		(f.join == logv1.JoinPolicy_JOIN_POLICY_UNSPECIFIED || f.join == m.JoinPolicy()) &&
		(f.dice == logv1.DiceKind_DICE_KIND_UNSPECIFIED || f.dice == l.Created.Dice) &&
		(version == 0 || version >= from.GetVersion())
	if !same {
		return nil, live.Reused(1)
	}
	note(ctx).version = m.Version()
	out := &v1.ForkGameResponse{OwnerToken: token}
	viewer := rules.Spectator
	if f.private {
		out.SeatTokens = make(map[string]string)
		for _, seat := range l.About.Seats {
			out.SeatTokens[seat.ID] = tokens.Seat(m.Meta.TokenSecret, seat.ID, f.request)
		}
		viewer = rules.Viewer{Seats: l.About.AllSeats()}
	}
	out.Game = render.Game(m, l, viewer, rules.English)
	return out, nil
}

// readFork reads what is to be copied. Whoever sees all of it could have written it down: nothing else may be copied.
func (s *Service) readFork(ctx context.Context, v *visit, version uint64, f *fork) error {
	m := v.Current()
	place, shown, err := m.Place(version)
	if err != nil {
		return err
	}
	viewer := v.viewer(m)
	for _, at := range m.Tree.LineTo(place) {
		r, err := s.games.Record(ctx, v.ID, at)
		if err != nil {
			return err
		}
		if hidden := r.Redact(viewer).Hidden(); hidden > 0 {
			return fault.New(fault.ForkHidden,
				"%d parts of record %d, on the line to version %d, are hidden from the caller", hidden, at, shown).
				With("version", at, "hidden", hidden)
		}
		f.records = append(f.records, r)
	}
	position, err := s.positionOf(ctx, v.Game, m, place)
	if err != nil {
		return err
	}
	f.game = position.Clone()
	hash := f.records[len(f.records)-1].Hash()
	f.created = proto.CloneOf(v.Created)
	f.created.ForkedFrom = &logv1.ForkedFrom{Game: v.ID, Version: place, Hash: hash[:], Records: uint64(len(f.records)),
		Private: f.private}
	f.created.Deadlines = m.Table.Deadlines
	if f.private {
		f.created.Deadlines = nil // nobody waits for a lone player
	}
	f.created.Title = cmp.Or(f.title, render.Title(v.Game))
	if f.dice != logv1.DiceKind_DICE_KIND_UNSPECIFIED {
		f.created.Dice = f.dice
	}
	f.created.MutualDice = f.mutualDice()
	return nil
}

// createFork appends the copies and what follows them. The secrets are new: what the origin's dice
// will show, no fork tells.
func (s *Service) createFork(ctx context.Context, id string, v *visit, f *fork) (err error) {
	counted, err := s.roomForGame(ctx, f.owner)
	if err != nil {
		return err
	}
	defer func() { counted(err == nil) }()
	meta, err := s.newSecrets(&creation{
		request: f.request, dice: f.created.Dice, join: cmp.Or(f.join, v.Current().JoinPolicy()), owner: f.owner,
	})
	if err != nil {
		return err
	}
	salt := ledger.SaltSecret(meta.SaltSecret).Commitment()
	f.created.SaltCommitment = salt[:]
	commitDice(f.created, meta)
	if f.created.GetMutualDice().GetAnswerTime() != nil {
		if err := s.notices.KeepBook(ctx, id); err != nil {
			return err
		}
	}
	if d := f.created.Deadlines; d != nil {
		// the server throws no dice there
		if f.created.Dice == logv1.DiceKind_DICE_KIND_MANUAL && d.Lapse == logv1.Lapse_LAPSE_PLAY {
			f.created.Deadlines = proto.CloneOf(d)
			f.created.Deadlines.Lapse = logv1.Lapse_LAPSE_NOTICE
		}
		if err := s.notices.KeepBook(ctx, id); err != nil {
			return err
		}
	}
	l, err := s.games.NewGame(id, v.Ruleset, v.Scenario, f.created, meta)
	if err != nil {
		return err
	}
	drafts, err := f.drafts(l, meta)
	if err != nil {
		return err
	}
	return s.games.Create(ctx, l, l.Zero(meta), drafts)
}

// drafts are the first records of a fork: the copies, the seats of a private line, and the end if
// that is where it left.
func (f *fork) drafts(l *live.Game, meta *logv1.GameMeta) ([]live.Draft, error) {
	var drafts []live.Draft
	for _, r := range f.records {
		leaves, err := ledger.Forked(f.created, r)
		if err != nil {
			return nil, err
		}
		h := r.Header()
		drafts = append(drafts,
			live.Draft{Kind: h.Kind, Seat: h.Seat, CommandID: h.CommandId, Revealed: h.Revealed, Aside: h.Aside,
				Leaves: leaves})
	}
	drafts[len(drafts)-1].Position = f.game
	if f.private {
		d, err := f.sitDown(l, meta)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	if f.game.Ending() != nil {
		d, err := live.Release(&live.Moment{Meta: meta})
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// sitDown takes all seats for the owner of a private line. Whoever plays alone may hold any: holders have no names.
func (f *fork) sitDown(l *live.Game, meta *logv1.GameMeta) (live.Draft, error) {
	var events []*logv1.TableEvent
	for _, seat := range l.About.Seats {
		hash := tokens.HashOf(tokens.Seat(meta.TokenSecret, seat.ID, f.request))
		meta.SeatTokenHashes[seat.ID] = hash[:]
		events = append(events,
			&logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: seat.ID}}})
	}
	leaves, err := ledger.Table(events...)
	return live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Leaves: leaves}, err
}

// mutualDice is how a fork throws mutual dice: as its origin, or waiting for answers. A private line has committed
// dice unless the caller chose otherwise, because its player has nobody to ask.
func (f *fork) mutualDice() *logv1.MutualDice {
	if f.private && f.dice == logv1.DiceKind_DICE_KIND_UNSPECIFIED &&
		f.created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL {
		f.created.Dice = logv1.DiceKind_DICE_KIND_COMMITTED
	}
	switch {
	case f.created.Dice != logv1.DiceKind_DICE_KIND_MUTUAL:
		return nil
	case f.created.MutualDice != nil:
		return f.created.MutualDice
	}
	return &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_WAIT}
}

package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/unknown"
)

// visit is a call to one game by one caller.
type visit struct {
	*live.Game
	caller caller
	creds  credentials
	lang   rules.Lang
	// known is true once the tokens were found to be good.
	known bool
}

// enter lets a caller into a game: it finds the game, reads the tokens and asks whether the call is allowed.
// Call done at the end.
func (s *Service) enter(ctx context.Context, method, id string, lang rules.Lang) (*visit, func(), error) {
	creds, err := s.credentials(ctx)
	if err != nil {
		return nil, nil, err
	}
	l, done, err := s.games.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	v := &visit{Game: l, creds: creds, lang: lang}
	if err := s.identify(ctx, v, method); err != nil {
		done()
		return nil, nil, err
	}
	return v, done, nil
}

// identify reads the tokens of a call, and tells the admission whether they opened something.
func (s *Service) identify(ctx context.Context, v *visit, method string) error {
	err := v.identify(method, s.clock())
	if v.creds.count() > 0 {
		person := ""
		if v.creds.person != nil {
			person = v.creds.person.Subject
		}
		s.admission.Checked(ctx, person, v.known)
	}
	return err
}

// identify reads the tokens against the game as it is now.
func (v *visit) identify(method string, now time.Time) (err error) {
	v.creds.former = forFormer[method]
	if v.caller, err = identify(v.About, v.Current().Meta, v.creds, now); err != nil {
		return err
	}
	v.known = true
	if v.Created.GetForkedFrom().GetPrivate() && !v.caller.owner && v.caller.seats == 0 {
		return live.GameNotFound(v.ID)
	}
	return v.caller.admit(method, v.About, v.creds.count())
}

// write is enter for a call that changes the game: f runs as its only writer, and the caller is identified there.
func (s *Service) write(ctx context.Context, method, id string, lang rules.Lang, f func(*visit) error) error {
	creds, err := s.credentials(ctx)
	if err != nil {
		return err
	}
	return s.games.Change(ctx, id, func(l *live.Game) error {
		v := &visit{Game: l, creds: creds, lang: lang}
		if err := s.identify(ctx, v, method); err != nil {
			return err
		}
		if l.Current().ReadOnly() {
			return fault.New(fault.GameReadOnly,
				"the game came in a file and was not over: it can be looked at and forked, not changed")
		}
		return f(v)
	})
}

// viewer is how the caller sees all that it may see.
func (v *visit) viewer(m *live.Moment) rules.Viewer {
	return view{seats: v.caller.seats}.viewer(m.Table.Over)
}

// game is the game as the caller may see it.
func (v *visit) game(ctx context.Context, m *live.Moment) *v1.Game {
	note(ctx).version = m.Version()
	return render.Game(m, v.Game, v.viewer(m), v.lang)
}

func gameOver() error { return fault.New(fault.GameOver, "the game is over") }

// shower shows records to the caller as they were seen at a moment.
func (v *visit) shower(s *Service, m *live.Moment, w view, proofs bool) *render.Records {
	return render.NewRecords(s.games, v.Game, m, w.viewer(m.Table.Over), v.lang, proofs)
}

// tableChange appends one change of the table.
func (s *Service) tableChange(
	ctx context.Context, l *live.Game, seat, id string, meta func(*logv1.GameMeta), events ...*logv1.TableEvent,
) (*live.Moment, error) {
	leaves, err := ledger.Table(events...)
	if err != nil {
		return nil, err
	}
	m, _, err := s.games.Commit(ctx, l,
		live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Seat: seat, CommandID: id, Leaves: leaves, Meta: meta})
	return m, err
}

// tableRetry finds what the id of a request has changed at the table before; nil if it is new. It must be what
// the request asks for.
func (s *Service) tableRetry(
	ctx context.Context, v *visit, id string, same func(*logv1.TableEvent) bool,
) (*ledger.Record, error) {
	r, err := s.games.Earlier(ctx, v.Game, id)
	if r == nil || err != nil {
		return nil, err
	}
	events, err := r.TableEvents()
	if err != nil {
		return nil, live.Corrupt(v.ID, r.Version(), err)
	}
	if len(events) == 0 || !same(events[0]) {
		return nil, live.Reused(r.Version())
	}
	return r, nil
}

// answer is what a call that changes a game returns: nothing of what was filled in before an error.
func answer[M any](out *M, err error) (*M, error) {
	if err != nil {
		return nil, err
	}
	return out, nil
}

// readCommand reads a command in either form.
func readCommand(g rules.Game, req *v1.SubmitCommandRequest) (rules.Command, error) {
	if f, ok := req.GetForm().(*v1.SubmitCommandRequest_Notation); ok {
		return g.ParseCommand(strings.TrimSpace(f.Notation))
	}
	m, err := commandMessage(g.Ruleset(), req.GetCommand())
	if err != nil {
		return rules.Command{}, err
	}
	return g.DecodeCommand(m)
}

func commandMessage(set rules.Ruleset, a *anypb.Any) (proto.Message, error) {
	m := set.NewCommand()
	if want := m.ProtoReflect().Descriptor().FullName(); a.MessageName() != want {
		return nil, rules.Malformed("the command is a %q, expected a %s", clip(a.GetTypeUrl()), want)
	}
	if err := proto.Unmarshal(a.GetValue(), m); err != nil {
		return nil, rules.Malformed("the command cannot be decoded")
	}
	if f := unknown.InMessage(m.ProtoReflect()); len(f) > 0 {
		return nil, rules.Malformed("the command has a field %s that this server does not know", f[0].Path)
	}
	return m, nil
}

// refused makes an error of what the rules or the dice said.
func (v *visit) refused(err error) error {
	var refusal *rules.Refusal
	if errors.As(err, &refusal) {
		return fault.Refused(v.About, refusal, v.lang)
	}
	if known := fault.Dice(v.About, err); known != nil {
		return known
	}
	return err
}

// payment returns how a command may be paid for; nil if there is no choice.
func (v *visit) payment(g rules.Game, seat rules.Seat, c rules.Command) *boardv1.Payment {
	p := g.Payment(seat, c)
	if p == nil {
		return nil
	}
	out := &boardv1.Payment{Due: int32(p.Due), Unit: v.text(p.Unit), Pattern: p.Pattern, Between: p.Between,
		OneSource: p.OneSource}
	for _, s := range p.Sources {
		out.Sources = append(out.Sources, &boardv1.Source{Space: s.Space, Piece: s.Piece, Name: v.text(s.Name),
			Have: int32(s.Have), Endless: s.Endless, Part: s.Part})
	}
	return out
}

// action is a command with what it touches.
func (v *visit) action(g rules.Game, seat rules.Seat, c rules.Command) *boardv1.Action {
	d := g.Describe(seat, c)
	a := &boardv1.Action{Kind: d.Kind, Label: v.About.Catalogue.Format(v.lang, d.Label), Command: g.FormatCommand(c),
		Pieces: d.Pieces, Spaces: d.Spaces}
	a.Forgoes, a.Idle = d.Forgoes, d.Idle
	if d.Cost.Key != "" {
		a.Cost = v.About.Catalogue.Format(v.lang, d.Cost)
	}
	if l := d.Lot; l.Verb != "" {
		a.Lot = &boardv1.Lot{Verb: l.Verb, Thing: l.Thing, Name: v.About.Catalogue.Format(v.lang, l.Name),
			Price: int32(l.Price), Purse: int32(l.Purse), Kinds: int32(l.Kinds),
			Most: int32(l.Most), Suggested: int32(l.Suggested), Due: l.Due}
	}
	a.Offer, a.Confirm = rules.IsOffer(g, c), rules.NeedsConfirmation(g, c)
	return a
}

package service

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/ledger"
)

// mostDifferences is how many values are told in which two positions differ.
const mostDifferences = 1000

// side is one of two lines that are compared.
type side struct {
	*visit
	m       *live.Moment
	place   uint64
	version uint64
	line    []uint64
	game    rules.Game
}

// CompareGames compares two lines.
func (s *historyServer) CompareGames(
	ctx context.Context, req *v1.CompareGamesRequest,
) (*v1.CompareGamesResponse, error) {
	var sh shape
	ids := [2]string{sh.game("left.name", req.GetLeft().GetName()), sh.game("right.name", req.GetRight().GetName())}
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = ids[0]
	visits, done, err := s.enterBoth(ctx, v1.HistoryService_CompareGames_FullMethodName, ids, lang)
	defer done()
	if err != nil {
		return nil, err
	}
	left, err := s.side(ctx, visits[0], req.GetLeft().GetVersion())
	if err != nil {
		return nil, err
	}
	right, err := s.side(ctx, visits[1], req.GetRight().GetVersion())
	if err != nil {
		return nil, err
	}
	if left.Created.Ruleset != right.Created.Ruleset || left.Digest != right.Digest {
		return nil,
			fault.New(fault.NotComparable, "one game is of %s/%s, the other of %s/%s",
				left.Created.Ruleset, left.Created.Scenario,
				right.Created.Ruleset, right.Created.Scenario).With("left", left.Digest, "right", right.Digest)
	}
	return s.compare(ctx, left, right)
}

// enterBoth is enter for two games. Each token must be of one of them. Call done whatever happened.
func (s *Service) enterBoth(
	ctx context.Context, method string, ids [2]string, lang rules.Lang,
) (visits [2]*visit, done func(), err error) {
	var dones []func()
	done = func() {
		for _, f := range dones {
			f()
		}
	}
	creds, err := s.credentials(ctx)
	if err != nil {
		return visits, done, err
	}
	for i, id := range ids {
		l, leave, err := s.games.Get(ctx, id)
		if err != nil {
			return visits, done, err
		}
		dones = append(dones, leave)
		visits[i] = &visit{Game: l, lang: lang, creds: credentials{person: creds.person}}
	}
	now := s.clock()
	for _, token := range creds.tokens {
		var failed error
		known := false
		for _, v := range visits {
			one := credentials{tokens: []string{token}}
			if _, err := identify(v.About, v.Current().Meta, one, now); err != nil {
				failed = err
				continue
			}
			known, v.creds.tokens = true, append(v.creds.tokens, token)
		}
		if !known {
			return visits, done, failed
		}
	}
	for _, v := range visits {
		if err := v.identify(method, now); err != nil {
			return visits, done, err
		}
	}
	return visits, done, nil
}

func (s *Service) side(ctx context.Context, v *visit, version uint64) (*side, error) {
	d := &side{visit: v, m: v.Current()}
	var err error
	if d.place, d.version, err = d.m.Place(version); err != nil {
		return nil, err
	}
	d.line = d.m.Tree.LineTo(d.place)
	d.game, err = s.positionOf(ctx, v.Game, d.m, d.place)
	return d, err
}

// both is who sees no more than is seen on either side, so that what differs is the games and not the sight.
func both(left, right *side) rules.Viewer {
	a, b := left.viewer(left.m), right.viewer(right.m)
	v := rules.Viewer{Seats: left.About.AllSeats(), All: a.All && b.All}
	if !a.All {
		v.Seats &= a.Seats
	}
	if !b.All {
		v.Seats &= b.Seats
	}
	return v
}

func (s *Service) compare(ctx context.Context, left, right *side) (*v1.CompareGamesResponse, error) {
	viewer := both(left, right)
	common, l, r, err := s.parting(ctx, left, right, viewer)
	if err != nil {
		return nil, err
	}
	out := &v1.CompareGamesResponse{Common: common}
	if out.Left, err = s.compared(ctx, left, l, viewer); err != nil {
		return nil, err
	}
	if out.Right, err = s.compared(ctx, right, r, viewer); err != nil {
		return nil, err
	}
	all := differences(left.game.View(viewer), right.game.View(viewer))
	shown := all[:min(len(all), mostDifferences)]
	out.Differences, out.OmittedDifferences = shown, int32(len(all)-len(shown))
	return out, nil
}

// compared shows one side.
func (s *Service) compared(
	ctx context.Context, d *side, parting *ledger.Record, viewer rules.Viewer,
) (*v1.ComparedLine, error) {
	position, err := anypb.New(d.game.View(viewer))
	if err != nil {
		return nil, err
	}
	out := &v1.ComparedLine{Version: d.version, Records: uint64(len(d.line)), Position: position}
	if viewer.All {
		out.Notation = d.game.Notation()
	}
	if parting != nil {
		show := render.NewRecords(s.games, d.Game, d.m, viewer, d.lang, false)
		out.Parting, err = show.Record(ctx, parting)
	}
	return out, err
}

// parting finds the first records that are not the same; nil for a line that ends before.
func (s *Service) parting(
	ctx context.Context, left, right *side, viewer rules.Viewer,
) (common uint64, l, r *ledger.Record, err error) {
	for ; ; common++ {
		l, r = nil, nil
		if common < uint64(len(left.line)) {
			if l, err = s.games.Record(ctx, left.ID, left.line[common]); err != nil {
				return 0, nil, nil, err
			}
		}
		if common < uint64(len(right.line)) {
			if r, err = s.games.Record(ctx, right.ID, right.line[common]); err != nil {
				return 0, nil, nil, err
			}
		}
		if l == nil || r == nil || l.Hash() != r.Hash() && !alike(l.Redact(viewer), r.Redact(viewer)) {
			return common, l, r, nil
		}
	}
}

// alike compares what happened in two records, as far as it is shown: who did what, which dice fell, what happened.
func alike(a, b *ledger.Record) bool {
	if a.Header().Kind != b.Header().Kind || a.Header().Seat != b.Header().Seat || len(a.Leaves()) != len(b.Leaves()) {
		return false
	}
	for i := range a.Leaves() {
		x, y := &a.Leaves()[i], &b.Leaves()[i]
		if i == 0 && a.Header().Kind == logv1.RecordKind_RECORD_KIND_CREATED {
			if !sameGame(a, b) {
				return false
			}
			continue
		}
		if x.Kind != y.Kind || x.Audience != y.Audience || x.Redacted != y.Redacted || x.Type != y.Type ||
			string(x.Data) != string(y.Data) {
			return false
		}
	}
	return true
}

// sameGame compares what is played. Titles and commitments are each game's own.
func sameGame(a, b *ledger.Record) bool {
	x, errX := a.Created()
	y, errY := b.Created()
	return errX == nil && errY == nil &&
		proto.Equal(&logv1.GameCreated{ScenarioDigest: x.ScenarioDigest, Options: x.Options},
			&logv1.GameCreated{ScenarioDigest: y.ScenarioDigest, Options: y.Options})
}

// differences lists the values in which two messages of one type differ, by path.
func differences(left, right proto.Message) []*v1.Difference {
	a, b := values{}, values{}
	a.message("", left.ProtoReflect())
	b.message("", right.ProtoReflect())
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	var out []*v1.Difference
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if a[path] != b[path] {
			out = append(out, &v1.Difference{Path: path, Left: a[path], Right: b[path]})
		}
	}
	return out
}

// values are the single values of a message, as text, by path.
type values map[string]string

func (v values) message(path string, m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := string(f.Name())
		if path != "" {
			at = path + "." + at
		}
		switch {
		case f.IsMap():
			value.Map().Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
				v.single(at+"["+key.String()+"]", f.MapValue(), value)
				return true
			})
		case f.IsList():
			v.list(at, f, value.List())
		default:
			v.single(at, f, value)
		}
		return true
	})
}

// list names elements by their id, if they have one, so that one that is missing does not make all after it differ.
func (v values) list(path string, f protoreflect.FieldDescriptor, list protoreflect.List) {
	for i := range list.Len() {
		at := fmt.Sprintf("%s[%d]", path, i)
		if id := idOf(f, list.Get(i)); id != "" {
			at = path + "[" + id + "]"
			if _, twice := v[at]; twice {
				at = fmt.Sprintf("%s[%s#%d]", path, id, i)
			}
			v[at] = "present"
		}
		v.single(at, f, list.Get(i))
	}
}

func idOf(f protoreflect.FieldDescriptor, element protoreflect.Value) string {
	if f.Kind() != protoreflect.MessageKind {
		return ""
	}
	m := element.Message()
	id := m.Descriptor().Fields().ByName("id")
	if id == nil || id.Kind() != protoreflect.StringKind || id.IsList() {
		return ""
	}
	return m.Get(id).String()
}

func (v values) single(path string, f protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		if _, listed := v[path]; !listed {
			v[path] = "present"
		}
		v.message(path, value.Message())
	case protoreflect.EnumKind:
		v[path] = fmt.Sprint(value.Enum())
		if known := f.Enum().Values().ByNumber(value.Enum()); known != nil {
			v[path] = string(known.Name())
		}
	case protoreflect.BytesKind:
		v[path] = fmt.Sprintf("%x", value.Bytes())
	default:
		v[path] = strings.ToValidUTF8(value.String(), "\uFFFD")
	}
}

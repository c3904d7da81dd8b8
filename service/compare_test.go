package service_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func TestCompareGames(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.finished()
	compare := func(left, right *v1.Line, tokens ...string) (*v1.CompareGamesResponse, error) {
		return h.history().CompareGames(as(tokens...), &v1.CompareGamesRequest{Left: left, Right: right})
	}
	at := func(g *table, version uint64) *v1.Line { return &v1.Line{Name: g.name, Version: version} }

	same, err := compare(at(g, 0), at(g, 0))
	must(t, err)
	if same.Common != same.Left.Records || same.Left.Parting != nil || len(same.Differences) != 0 ||
		same.Left.Notation == "" {
		t.Errorf("a line and itself: %v", same)
	}
	line := g.records(false)
	half, err := compare(at(g, 0), at(g, line[2].Version))
	must(t, err)
	if half.Common != 3 || half.Right.Parting != nil || half.Left.Parting.Version != line[3].Version ||
		len(half.Differences) == 0 {
		t.Errorf("a line and its beginning: %v", half)
	}
	for _, d := range half.Differences {
		if d.Path == "" || d.Left == d.Right {
			t.Errorf("difference %v", d)
		}
	}

	// A fork that goes another way parts where it left, and is seen by both.
	f, _, err := g.fork(func(r *v1.ForkGameRequest) { r.Version, r.Private = line[3].Version, true })
	must(t, err)
	token := f.tokenOf(f.game(f.owner).WaitingFor)
	f.do(token, f.legal(token).Actions[0].Command)
	_, err = compare(at(g, 0), at(f, 0))
	wantError(t, err, codes.NotFound, fault.GameNotFound)
	parted, err := compare(at(g, line[3].Version), at(f, 0), f.red, f.blue)
	must(t, err)
	if parted.Common != 4 || parted.Right.Parting.GetNotation() == "" || parted.Left.Parting != nil {
		t.Errorf("a fork beside its origin: %v", parted)
	}
	_, err = compare(at(g, 0), at(g, 0), f.red)
	wantError(t, err, codes.Unauthenticated, fault.TokenUnknown)
	_, err = compare(at(g, 999), at(g, 0))
	wantError(t, err, codes.OutOfRange, fault.VersionNotFound)
	other := h.create(func(r *v1.CreateGameRequest) { r.Source = &v1.CreateGameRequest_Scenario{Scenario: "ford"} })
	_, err = compare(at(g, 0), at(other, 0))
	wantError(t, err, codes.FailedPrecondition, fault.NotComparable)
	_, err = compare(nil, at(g, 0))
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

// TestCompareShowsWhatBothShow: a game that is over does not tell what a running one hides.
func TestCompareShowsWhatBothShow(t *testing.T) {
	t.Parallel()
	h := open(t)
	a, b := h.seated(), h.seated()
	a.do(a.red, "plan 0303")
	b.do(b.red, "plan 0503")
	compare := func(tokens ...string) *v1.CompareGamesResponse {
		out, err := h.history().CompareGames(as(tokens...),
			&v1.CompareGamesRequest{Left: &v1.Line{Name: a.name}, Right: &v1.Line{Name: b.name}})
		must(t, err)
		return out
	}
	hidden := compare()
	if seen := compare(a.red, b.red); len(seen.Differences) <= len(hidden.Differences) {
		t.Errorf("red sees %v, a stranger %v", seen.Differences, hidden.Differences)
	}
	equal(t, "with the token of one game", compare(a.red).Differences, hidden.Differences)
	must(t, second(h.games.CloseGame(as(a.owner), &v1.CloseGameRequest{Name: a.name, RequestId: id()})))
	equal(t, "when one is over", compare().Differences, hidden.Differences)
}

func TestResolveVersion(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	ticks := make(chan time.Time, 1)
	ticks <- now
	h := open(t, func(s *setting) {
		s.clock = func() time.Time {
			at := (<-ticks).Add(time.Second)
			ticks <- at
			return at
		}
	})
	g := h.seated()
	g.play(12, 4)
	resolve := func(change func(*v1.ResolveVersionRequest)) (uint64, error) {
		req := &v1.ResolveVersionRequest{Name: g.name}
		change(req)
		out, err := h.history().ResolveVersion(as(), req)
		return out.GetVersion(), err
	}
	turn := func(n int32) func(*v1.ResolveVersionRequest) {
		return func(r *v1.ResolveVersionRequest) { r.At = &v1.ResolveVersionRequest_Turn{Turn: n} }
	}
	at := func(at time.Time) func(*v1.ResolveVersionRequest) {
		return func(r *v1.ResolveVersionRequest) {
			r.At = &v1.ResolveVersionRequest_Time{Time: timestamppb.New(at)}
		}
	}
	for n := int32(1); n <= g.game().Turn; n++ {
		version, err := resolve(turn(n))
		must(t, err)
		if clock := g.board(version).Clock; clock.Turn != n {
			t.Errorf("version %d is in turn %d, not %d", version, clock.Turn, n)
		}
		if version > 1 && g.board(version-1).Clock.Turn >= n {
			t.Errorf("turn %d began before version %d", n, version)
		}
	}
	_, err := resolve(turn(g.game().Turn + 1))
	wantError(t, err, codes.OutOfRange, fault.VersionNotFound)
	for _, r := range g.records(true) {
		for after, want := range map[time.Duration]uint64{0: r.Version, time.Nanosecond: r.Version,
			-time.Nanosecond: r.Version - 1} {
			version, err := resolve(at(r.Time.AsTime().Add(after)))
			if want == 0 {
				wantError(t, err, codes.OutOfRange, fault.VersionNotFound)
			} else if err != nil || version != want {
				t.Errorf("%s after record %d is version %d, %v", after, r.Version, version, err)
			}
		}
	}
	_, err = resolve(func(*v1.ResolveVersionRequest) {})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	_, err = resolve(turn(-1))
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	_, err = resolve(func(r *v1.ResolveVersionRequest) {
		r.At = &v1.ResolveVersionRequest_Time{Time: &timestamppb.Timestamp{Nanos: -1}}
	})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

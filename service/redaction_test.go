package service_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// twins are two games that differ in nothing but red's plan, and in what follows from chance: ids, times and salts.
func twins(h *host, plans ...string) (games []*table) {
	for _, plan := range plans {
		g := h.seated(manual(1))
		g.do(g.red, "plan "+plan)
		g.do(g.blue, "plan 0503")
		g.do(g.red, "move r2 0304")
		g.do(g.red, "attack r2 b2", 1)
		g.do(g.red, "end")
		g.do(g.blue, "scout", 1)
		games = append(games, g)
	}
	return games
}

// shown is everything that a viewer can see of a game, without what differs between any two games.
func shown(g *table, tokens ...string) map[string]string {
	p := make(map[string]string)
	plain := func(m proto.Message) string {
		switch m := m.(type) {
		case *v1.Record:
			m.Hash, m.CommandId, m.Time, m.Proof = "", "", nil, nil
		case *v1.Game:
			m.Name, m.LastHash, m.CreateTime, m.UpdateTime = "", "", nil, nil
		}
		return text(m)
	}
	p["game"] = plain(g.game(tokens...))
	for _, r := range g.records(true, tokens...) {
		p["record "+r.Kind.String()+string(rune('0'+r.Version))] = plain(r)
	}
	for version := range g.game().Version {
		p["board "+string(rune('0'+version))] = plain(g.board(version+1, tokens...))
		position, err := g.games.GetPosition(as(tokens...),
			&v1.GetPositionRequest{Name: g.name, Version: version + 1, IncludeKnown: true})
		must(g.t, err)
		p["position "+string(rune('0'+version))] = plain(position)
	}
	if len(tokens) > 0 && tokens[0] != g.owner {
		list, err := g.games.ListLegalActions(as(tokens...),
			&v1.ListLegalActionsRequest{Name: g.name, IncludeCommands: true})
		must(g.t, err)
		p["legal"] = plain(list)
	}
	return p
}

func TestHiddenPlansStayHidden(t *testing.T) {
	t.Parallel()
	pair := twins(open(t, func(s *setting) { s.entropy = zeros{} }), "0303", "0301")
	a, b := pair[0], pair[1]
	equal(t, "a spectator's sight", shown(b), shown(a))
	equal(t, "blue's sight", shown(b, b.blue), shown(a, a.blue))
	equal(t, "the owner's sight", shown(b, b.owner), shown(a, a.owner))
	if red := shown(a, a.red); strings.Contains(red["record RECORD_KIND_COMMAND4"], "plan 0303") == false {
		t.Errorf("red does not see its own plan: %s", red["record RECORD_KIND_COMMAND4"])
	}
	if equalMaps(shown(a, a.red), shown(b, b.red)) {
		t.Error("red sees no difference, so the test proves nothing")
	}
}

// zeros gives all games the same secrets.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func equalMaps(a, b map[string]string) bool {
	for key := range a {
		if a[key] != b[key] {
			return false
		}
	}
	return true
}

// planBytes is how red's plan is stored: no answer to others may hold it.
func planBytes(t *testing.T, hex string) []byte {
	t.Helper()
	data, err := proto.Marshal(&toyv1.PlanMade{Seat: "red", Hex: hex})
	must(t, err)
	return data
}

func TestNoAnswerHoldsThePlan(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	secret := planBytes(t, "0303")
	for who, tokens := range map[string][]string{"spectator": nil, "blue": {g.blue}, "owner": {g.owner}} {
		wire := everything(g, tokens...)
		if bytes.Contains(wire, secret) || bytes.Contains(wire, []byte("plan 0303")) {
			t.Errorf("%s is told red's plan", who)
		}
	}
	if !bytes.Contains(everything(g, g.red), secret) {
		t.Error("red is not told its own plan, so the test proves nothing")
	}
	narrow := &v1.ListRecordsRequest{Name: g.name, WholeTree: true, Viewer: "spectator", IncludeProofs: true}
	out, err := g.games.ListRecords(as(g.red), narrow)
	must(t, err)
	if wire, _ := proto.Marshal(out); bytes.Contains(wire, secret) {
		t.Error("a spectator by choice is told red's plan")
	}

	must(t, second(g.games.Resign(as(g.blue), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	if !bytes.Contains(everything(g), secret) {
		t.Error("after the end the plan is still hidden")
	}
	if out, err = g.games.ListRecords(as(), narrow); err != nil {
		t.Fatal(err)
	}
	if wire, _ := proto.Marshal(out); bytes.Contains(wire, secret) {
		t.Error("who asks for less gets all after the end")
	}
}

// everything is the bytes of all that the server tells of a game: lists, proofs, boards, positions, a watch, an export.
func everything(g *table, tokens ...string) (wire []byte) {
	g.t.Helper()
	add := func(m proto.Message) {
		data, err := proto.Marshal(m)
		must(g.t, err)
		wire = append(wire, data...)
	}
	version := g.game(tokens...).Version
	for _, r := range g.records(true, tokens...) {
		add(r)
	}
	for v := range version {
		add(g.board(v+1, tokens...))
	}
	w := g.watch(after(0), tokens...)
	for m := w.next(); m.GetCaughtUp() == nil; m = w.next() {
		add(m)
	}
	w.stop()
	return append(wire, g.export(tokens...)...)
}

func (g *table) export(tokens ...string) (file []byte) {
	g.t.Helper()
	stream, err := g.games.ExportGame(as(tokens...), &v1.ExportGameRequest{Name: g.name})
	must(g.t, err)
	for {
		part, err := stream.Recv()
		if err != nil {
			return file
		}
		file = append(file, part.Data...)
	}
}

func TestExportsAudit(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	for _, tokens := range [][]string{nil, {g.red}, {g.blue}, {g.red, g.blue}} {
		e, err := ledger.ReadExport(bytes.NewReader(g.export(tokens...)))
		must(t, err)
		if h := e.Header(); !h.Redacted || h.Records != g.game().Version {
			t.Errorf("header %v", h)
		}
		sum := g.audit(tokens...)
		if sum.Errors != 0 || sum.Records != g.game().Version || len(sum.Unchecked) == 0 {
			t.Errorf("audit of %d seats: %v", len(tokens), sum)
		}
	}
}

func TestPositionsAreForViewers(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	ask := func(req *v1.GetPositionRequest, tokens ...string) (*v1.GetPositionResponse, *toyv1.Position) {
		t.Helper()
		req.Name = g.name
		out, err := g.games.GetPosition(as(tokens...), req)
		must(t, err)
		p := new(toyv1.Position)
		must(t, out.Position.UnmarshalTo(p))
		return out, p
	}
	if out, p := ask(&v1.GetPositionRequest{}, g.red); p.Seats[0].Plan != "0303" || p.Seats[1].Plan != "" ||
		out.Notation != "" {
		t.Errorf("red sees %v", p)
	}
	if out, _ := ask(&v1.GetPositionRequest{}, g.red); out.Known != "" {
		t.Errorf("red is told %q and has not asked", out.Known)
	}
	if out, _ := ask(&v1.GetPositionRequest{IncludeKnown: true}, g.red); !strings.Contains(out.Known, "0303") ||
		!strings.HasPrefix(out.Known, "outpost ") {
		t.Errorf("red knows %q", out.Known)
	}
	if _, p := ask(&v1.GetPositionRequest{Viewer: "spectator"}, g.red); p.Seats[0].Plan != "" {
		t.Errorf("red as a spectator sees %v", p)
	}
	if out, _ := ask(&v1.GetPositionRequest{}, g.red, g.blue); out.Notation != "" || out.Hash != "" {
		t.Errorf("both seats are not the auditor: %v", out)
	}
	must(t, second(g.games.Resign(as(g.blue), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	out, p := ask(&v1.GetPositionRequest{})
	if p.Seats[0].Plan != "0303" || !strings.Contains(out.Notation, "plan 0303") || len(out.Hash) != 64 {
		t.Errorf("after the end: %v %v", out, p)
	}
	if _, p := ask(&v1.GetPositionRequest{Viewer: "blue"}); p.Seats[0].Plan != "" {
		t.Errorf("as blue saw it: %v", p)
	}
}

func TestUnknownVersion(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	for _, version := range []uint64{4, 1 << 63} {
		wantError(t, second(g.games.GetBoard(as(), &v1.GetBoardRequest{Name: g.name, Version: version})),
			codes.OutOfRange, fault.VersionNotFound)
		wantError(t, second(g.games.GetPosition(as(), &v1.GetPositionRequest{Name: g.name, Version: version})),
			codes.OutOfRange, fault.VersionNotFound)
		out, err := g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, AfterVersion: version})
		must(t, err)
		if len(out.Records) != 0 || out.NextPageToken != "" {
			t.Errorf("records after %d: %v", version, out)
		}
	}
	narrations := map[string]string{"en": "Red sits down.", "ja": "赤軍が着席しました。"}
	for lang, want := range narrations {
		out, err := g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, WholeTree: true, LanguageCode: lang})
		must(t, err)
		if !slices.ContainsFunc(out.Records, func(r *v1.Record) bool { return r.Events[0].Narration == want }) {
			t.Errorf("nothing says %q", want)
		}
	}
}

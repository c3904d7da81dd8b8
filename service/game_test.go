package service_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

func TestWholeGames(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"memory", "bbolt"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(s *setting) {
				if engine == "bbolt" {
					bolt := openBolt(t, filepath.Join(t.TempDir(), "games.db"))
					t.Cleanup(func() { must(t, bolt.Close()) })
					s.store, s.network = bolt, true
				}
			})
			for seed := range uint64(3) {
				g := h.seated()
				if !g.play(2000, seed) {
					t.Fatalf("game %d is not over: %v", seed, g.game())
				}
				wantSoundLog(t, g)
			}
		})
	}
}

// wantSoundLog asserts that a finished game's records form a chain, with nothing hidden, and that it audits clean.
func wantSoundLog(t *testing.T, g *table) {
	t.Helper()
	var chain ledger.Chain
	for _, r := range g.records(true) {
		opened, err := ledger.OpenMessage(r.Proof)
		must(t, err)
		must(t, chain.Add(opened))
		if r.Hidden != 0 {
			t.Errorf("record %d hides %d leaves after the end", r.Version, r.Hidden)
		}
	}
	if chain.Released() == nil {
		t.Error("the secrets were not released")
	}
	sum := g.audit()
	thrown := g.game().Dice == logv1.DiceKind_DICE_KIND_MANUAL // which nobody can check
	if sum.Errors != 0 || !thrown && len(sum.Unchecked) != 0 || sum.Records != g.game().Version {
		t.Errorf("audit: %v", sum)
	}
}

// audit wants an audit without findings.
func (g *table) audit(tokens ...string) *v1.AuditSummary {
	g.t.Helper()
	sum, found := g.examined(tokens...)
	for _, f := range found {
		g.t.Errorf("finding: %v", f)
	}
	return sum
}

// examined is the summary and the findings of an audit.
func (g *table) examined(tokens ...string) (sum *v1.AuditSummary, found []*v1.Finding) {
	g.t.Helper()
	stream, err := g.games.AuditGame(as(tokens...), &v1.AuditGameRequest{Name: g.name})
	must(g.t, err)
	for {
		m, err := stream.Recv()
		must(g.t, err)
		if f := m.GetFinding(); f != nil {
			found = append(found, f)
		}
		if s := m.GetSummary(); s != nil {
			return s, found
		}
	}
}

func TestRestartChangesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "games.db")
	bolt := openBolt(t, path)
	h := open(t, func(s *setting) { s.store = bolt })
	g := h.seated()
	g.play(30, 5)
	before := picture(g)
	h.stop()
	must(t, bolt.Close())

	bolt = openBolt(t, path)
	t.Cleanup(func() { must(t, bolt.Close()) })
	g.host = open(t, func(s *setting) { s.store = bolt })
	if diff := cmp.Diff(before, picture(g)); diff != "" {
		t.Errorf("after a restart (-before +after):\n%s", diff)
	}
}

// picture is all that a game shows to each of its viewers: one text for each answer.
func picture(g *table) map[string]string {
	p := make(map[string]string)
	for who, tokens := range map[string][]string{"nobody": nil, "red": {g.red}, "blue": {g.blue},
		"both": {g.red, g.blue}, "owner": {g.owner}} {
		p[who+" game"] = text(g.game(tokens...))
		for _, whole := range []bool{false, true} {
			for _, r := range g.records(whole, tokens...) {
				p[fmt.Sprintf("%s record %d of %v", who, r.Version, whole)] = text(r)
			}
		}
		for version := uint64(0); version <= g.game().Version; version++ {
			p[fmt.Sprintf("%s board %d", who, version)] = text(g.board(version, tokens...))
		}
	}
	return p
}

// text is a message as stable text.
func text(m proto.Message) string {
	return prototext.MarshalOptions{}.Format(m)
}

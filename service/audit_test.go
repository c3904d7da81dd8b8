package service_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// findings are what an audit of a game finds.
func (g *table) findings(tokens ...string) (found []string) {
	g.t.Helper()
	stream, err := g.games.AuditGame(as(tokens...), &v1.AuditGameRequest{Name: g.name})
	must(g.t, err)
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return found
		}
		must(g.t, err)
		if f := m.GetFinding(); f != nil {
			found = append(found, f.Severity.String()+" "+f.Check+" "+f.Message)
		}
	}
}

// TestAuditOfConsent: an undo that all agreed to is in order, and one that a player of both seats made
// alone is worth a notice.
func TestAuditOfConsent(t *testing.T) {
	t.Parallel()
	h := open(t)
	for name, c := range map[string]struct {
		undo func(g *table)
		want string
	}{
		"agreed": {func(g *table) {
			out, err := g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, Target: 1, Ask: true, RequestId: id()})
			must(t, err)
			done, err := g.games.AnswerUndo(as(g.blue),
				&v1.AnswerUndoRequest{Name: g.name, Asked: out.Game.PendingUndo.Asked, Agree: true, RequestId: id()})
			must(t, err)
			if !done.Done {
				t.Error("the undo was not done")
			}
		}, ""},
		"alone": {func(g *table) {
			must(t, second(g.games.Undo(as(g.red, g.blue),
				&v1.UndoRequest{Name: g.name, Seat: "red", Target: 1, RequestId: id()})))
		}, "SEVERITY_NOTICE consent takes back record 5 "},
	} {
		t.Run(name, func(t *testing.T) {
			g := h.seated()
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0303")
			c.undo(g)
			must(t, second(h.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
			found := strings.Join(g.findings(), "\n")
			if c.want == "" && found != "" || !strings.HasPrefix(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

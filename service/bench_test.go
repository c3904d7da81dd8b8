package service_test

import (
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// BenchmarkFold measures how long it takes to get a game from its log into memory.
func BenchmarkFold(b *testing.B) {
	h := open(b)
	g := h.seated()
	g.play(200, 1)
	for b.Loop() {
		again := open(b, func(s *setting) { s.store = h.store })
		must(b, second(again.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})))
		again.stop()
	}
	b.ReportMetric(float64(g.game().Version), "records")
}

// BenchmarkCheckOnly measures a call that only checks a command: all but deciding and storing.
func BenchmarkCheckOnly(b *testing.B) {
	g := redBegins(open(b, func(s *setting) { s.network = true }))
	req := g.command("move r2 0304")
	req.ValidateOnly = true
	for b.Loop() {
		must(b, second(g.games.SubmitCommand(as(g.red), req)))
	}
}

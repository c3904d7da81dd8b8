//go:build unix

package service_test

import (
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestLongGameIsFoldedWhole reads a game of so many pages of its log anew that their memory is used again: it is the
// game that was played, at its head and before.
func TestLongGameIsFoldedWhole(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := grown(h, 2800)
	again := open(t, func(s *setting) { s.store = h.store })
	out, err := again.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})
	must(t, err)
	equal(t, "the game", out.Game, g.game())
	if out.Game.Version != 2800 {
		t.Errorf("the game has %d records", out.Game.Version)
	}
	for _, version := range []uint64{0, 255, 256, 257, 511, 513, 799, 1793, 2799} {
		out, err := again.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name, Version: version})
		must(t, err)
		equal(t, "the board", out.Board, g.board(version, g.red))
	}
}

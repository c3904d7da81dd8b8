package main

import (
	"slices"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// through gives the only answer to each question of the seat that has just one, and returns the records and the game
// after the last. It stops at a choice, and wherever an answer fails: then the player is asked as ever.
func (a *app) through(game *warledger.Game, g *v1.Game) (records []*v1.Record, after *v1.Game) {
	for !g.Over && g.PendingDice == nil && slices.Contains(g.WaitingFor, game.Seat()) {
		only, err := a.onlyAnswer(game)
		if err != nil || only == "" {
			break
		}
		resp, err := a.submit(game, warledger.Move{Notation: only, Expected: g.Version}, false)
		if err != nil {
			break
		}
		if resp.Record != nil {
			records = append(records, resp.Record)
		}
		g = resp.Game
	}
	return records, g
}

// onlyAnswer is the command of a seat that has just one, besides those that lead to nothing. It is empty if the seat
// has a choice, or may want to hide that it has none.
func (a *app) onlyAnswer(game *warledger.Game) (string, error) {
	board, err := game.Board(a.ctx, warledger.Look{Viewer: game.Seat()})
	if err != nil || slices.ContainsFunc(board.Board.GetPrompts(), func(p *boardv1.Prompt) bool {
		return p.Seat == game.Seat() && p.Discreet
	}) {
		return "", err
	}
	var only string
	for action, err := range game.Legal(a.ctx, warledger.LegalQuery{}) {
		switch {
		case err != nil:
			return "", err
		case action.Idle:
		case only != "" || action.Index == 0 && board.Version != action.Version:
			return "", nil
		default:
			only = action.Command
		}
	}
	return only, nil
}

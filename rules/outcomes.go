package rules

import "github.com/warledger/warledger/rules/dice"

// Outcomes plays a command once for each way that its dice can fall, the dice of automatic steps included, and visits
// the position and the outcome of each with its exact chance. The chances of all visits sum to 1. The game stays as it
// is; next and out are the visitor's to keep.
//
// It returns a *[Refusal] if the command is not legal, a [*dice.LimitError] if there are more than limit ways,
// and otherwise the first error of visit or of [dice.Enumerate]. Its cost is that of playing the command as many
// times as there are ways.
func Outcomes(
	game Game, seat Seat, c Command, limit int, visit func(chance dice.Chance, next Game, out *Outcome) error,
) error {
	if err := game.Check(seat, c); err != nil {
		return err
	}
	var next Game
	var out *Outcome
	return dice.Enumerate(limit, func(src dice.Source) (err error) {
		next, out, err = game.Play(seat, c, src)
		return err
	}, func(chance dice.Chance, _ []dice.Roll) error {
		return visit(chance, next, out)
	})
}

package main

import (
	"fmt"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type legalCmd struct {
	Game  string `arg:"" help:"Game."`
	Kind  string `help:"Only commands of this kind." placeholder:"KIND"`
	Piece string `help:"Only commands in which this piece acts, given by its id or name." placeholder:"PIECE"`
	Space string `help:"Only commands that aim at this space, given by its id or name." placeholder:"SPACE"`
	Limit int    `help:"Print at most as many; 0 for all." placeholder:"N"`

	All    bool `help:"Print a long list in full. Otherwise what a piece may do in many places is one line."`
	Offers bool `help:"List what may be said at any time instead, such as conceding. Offers have no numbers."`
}

// Run lists what may be done. The list is remembered, so that a number given to do means what was shown here.
func (c legalCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	if c.Space, err = a.spaceID(game, c.Space); err != nil {
		return err
	}
	if c.Piece, err = a.pieceID(game, c.Piece); err != nil {
		return err
	}
	query := warledger.LegalQuery{Kind: c.Kind, Piece: c.Piece, Space: c.Space, Typed: a.line.Output == "json"}
	if c.Offers {
		return a.offers(game, query)
	}
	actions, err := game.ListLegal(a.ctx, query)
	if err != nil {
		return err
	}
	total := len(actions)
	if c.Limit > 0 && c.Limit < total {
		actions = actions[:c.Limit]
	}
	groups := folded(actions, !c.All && c.Limit == 0 && c.Kind+c.Piece+c.Space == "" && a.line.Output != "json")
	if err := a.remember(game, c, groups); err != nil {
		return err
	}
	return a.message(listed(actions, total), func() {
		if total == 0 {
			a.whyNothing(game, c)
		}
		a.list(game, groups, len(actions))
		if len(actions) < total {
			a.say("      ... and %d more\n", total-len(actions))
		}
	})
}

// remember keeps the lines that are shown, so that do can take their numbers. Even an empty list replaces the one
// before. A list in JSON, which a script may ask for meanwhile, is kept beside the one that a person was shown.
func (a *app) remember(game *warledger.Game, c legalCmd, groups []group) error {
	shown := &credentials.Listing{Seat: game.Seat(), Kind: c.Kind, Piece: c.Piece, Space: c.Space}
	for _, g := range groups {
		shown.Version = g.list[0].Version
		for _, x := range g.list {
			shown.Mark(x.Command)
		}
		if len(g.list) > 1 {
			shown.Folded = append(shown.Folded, [2]int{g.first, g.first + len(g.list) - 1})
		}
	}
	return a.keep(game.Name(), false, func(g *credentials.Game) {
		if a.line.Output == "json" {
			if g.Scripts == nil {
				g.Scripts = map[string]*credentials.Listing{}
			}
			g.Scripts[shown.Seat] = shown
			return
		}
		delete(g.Scripts, shown.Seat)
		g.Listing = shown
	})
}

// spaceID is the id of a space or box that was given by its id or its name; empty for none given.
func (a *app) spaceID(game *warledger.Game, given string) (string, error) {
	if given == "" {
		return "", nil
	}
	resp, err := game.Board(a.ctx, warledger.Look{Viewer: game.Seat(), WithMap: true})
	if err != nil {
		return "", err
	}
	var alike []string
	try := func(id, name, reading string) bool {
		if strings.EqualFold(name, given) || reading == given {
			alike = append(alike, id)
		}
		return id == given
	}
	for _, s := range resp.Board.Map.GetSpaces() {
		if try(s.Id, s.Name, s.Reading) {
			return given, nil
		}
	}
	for _, b := range resp.Board.Map.GetBoxes() {
		if try(b.Id, b.Name, b.Reading) {
			return given, nil
		}
	}
	switch slices.Sort(alike); len(slices.Compact(alike)) {
	case 0:
		return "", usageError{fmt.Sprintf("there is no space %q: board draws them, with their ids", given)}
	case 1:
		return alike[0], nil
	}
	return "", usageError{fmt.Sprintf("%q is the name of several pieces: %s", given, join(slices.Compact(alike)))}
}

// whyNothing says why a list is empty: the seat is not asked, or may do something else.
func (a *app) whyNothing(game *warledger.Game, c legalCmd) {
	g, err := game.Get(a.ctx)
	switch {
	case err != nil:
		a.say("Nothing to do now.\n")
	case g.Over:
		a.say("%s\n", a.next(g))
	case g.PendingDice != nil || !slices.Contains(g.WaitingFor, game.Seat()):
		a.say("Nothing to do now: the game %s.\n", a.state(g))
		a.whatIsAsked(game, g)
	default:
		a.say("Nothing of that kind, by that piece or at that place may be done now; "+
			"without %s the list has what may.\n",
			narrowing(c))
		a.whatIsAsked(game, g)
	}
}

// narrowing names the flags that a list was narrowed by.
func narrowing(c legalCmd) string {
	var flags []string
	for _, f := range [...]struct{ name, value string }{
		{"--kind", c.Kind},
		{"--piece", c.Piece},
		{"--space", c.Space},
	} {
		if f.value != "" {
			flags = append(flags, f.name)
		}
	}
	return strings.Join(flags, " and ")
}

// offers lists what may be said outside the game's questions. It has no numbers, so that none can be sent
// by mistake for another.
func (a *app) offers(game *warledger.Game, q warledger.LegalQuery) error {
	list, err := game.Offers(a.ctx, q)
	if err != nil {
		return err
	}
	out := &v1.ListLegalActionsResponse{}
	for _, x := range list {
		out.Offers, out.Version = append(out.Offers, x.Action), x.Version
		if x.Typed != nil {
			out.OfferCommands = append(out.OfferCommands, x.Typed)
		}
	}
	return a.message(out, func() {
		if len(list) == 0 {
			a.say("There is nothing to offer now.\n")
		}
		for _, x := range list {
			a.say("      %-24s %s%s\n", x.Command, x.Label, price(x.Cost))
		}
	})
}

// listed is a list as a message.
func listed(actions []warledger.LegalAction, total int) *v1.ListLegalActionsResponse {
	out := &v1.ListLegalActionsResponse{TotalSize: int32(total)}
	for _, x := range actions {
		out.Actions, out.Version = append(out.Actions, x.Action), x.Version
		if x.Typed != nil {
			out.Commands = append(out.Commands, x.Typed)
		}
	}
	return out
}

func price(cost string) string {
	if cost == "" {
		return ""
	}
	return " (" + cost + ")"
}

// numbered finds the action of a number in the list that was shown last. expected is the version at which the number
// means that: the server takes it as long as nobody has played since, whatever others say from aside. A number means a
// line that was shown, not a place in the list: another server may sort differently.
func (a *app) numbered(game *warledger.Game, n int) (action warledger.LegalAction, expected uint64, err error) {
	held, err := a.held(game.Name())
	if err != nil {
		return action, 0, err
	}
	shown := held.Listing
	if script := held.Scripts[game.Seat()]; script != nil {
		switch {
		case shown == nil:
			shown = script
		case shown.Seat == game.Seat() && shown.Len() > 0 && !shown.Agrees(n, script):
			return action, 0, usageError{fmt.Sprintf(
				"a list in JSON was written since the list shown last, and %d is not the same action in both: "+
					"run legal again", n)}
		}
	}
	if shown == nil || shown.Seat != game.Seat() || shown.Len() == 0 {
		return action, 0, a.nothingShown(game, shown, n)
	}
	if span, ok := shown.FoldedAt(n); ok {
		return action, 0, usageError{fmt.Sprintf("the line %d-%d has several actions and %d was not shown by itself: "+
			"legal with --all, --kind, --piece or --space lists it", span[0], span[1], n)}
	}
	actions, err := game.ListLegal(a.ctx, warledger.LegalQuery{Kind: shown.Kind, Piece: shown.Piece,
		Space: shown.Space})
	if err != nil {
		return action, 0, err
	}
	return a.shownAs(game, shown, actions, n)
}

// nothingShown says why a number means nothing: the list that was shown last has no line for the seat.
func (a *app) nothingShown(game *warledger.Game, shown *credentials.Listing, n int) error {
	g, err := game.Get(a.ctx)
	switch {
	case err != nil:
		return err
	case g.Over:
		return usageError{a.next(g)}
	case !slices.Contains(g.WaitingFor, game.Seat()):
		return usageError{fmt.Sprintf(a.words("%s has nothing to do now: the game %s"), game.Seat(), a.state(g))}
	case shown != nil && shown.Seat == game.Seat():
		return usageError{fmt.Sprintf("%d means nothing, because the list shown last was empty: run legal again", n)}
	}
	return usageError{fmt.Sprintf("%d means nothing, because no list of %s was shown last: run legal first", n,
		game.Seat())}
}

// shownAs finds, among the current actions, the one that a list showed under a number.
func (a *app) shownAs(
	game *warledger.Game, shown *credentials.Listing, actions []warledger.LegalAction, n int,
) (action warledger.LegalAction, expected uint64, err error) {
	if at := shown.Find(n, actions); at >= 0 {
		return actions[at], shown.Version, nil
	}
	var now uint64
	if len(actions) > 0 {
		now = actions[0].Version
	} else {
		g, err := game.Get(a.ctx)
		if err != nil {
			return action, 0, err
		}
		now = g.Version
	}
	switch size := shown.Len(); {
	case now != shown.Version:
		return action, 0, moved{shown.Version, now}
	case n < 1 || n > size:
		return action, 0, noAction(n, size)
	}
	return action, 0, usageError{fmt.Sprintf("action %d may not be done any more: list again", n)}
}

// noAction says that a list has no action of a number.
func noAction(n, size int) error {
	return usageError{fmt.Sprintf("there is no action %d, the list that was shown has %d", n, size)}
}

// moved says that a number means something else by now.
type moved struct{ shown, now uint64 }

func (e moved) Error() string {
	return fmt.Sprintf("the game has moved on from version %d to %d since the list was shown: list again",
		e.shown, e.now)
}

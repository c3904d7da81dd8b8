package main

import (
	"fmt"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

const (
	// longList is how many actions are listed before those that belong together become one line.
	longList = 40
	// manyWays is how many actions of one kind by the same pieces make such a line.
	manyWays = 4
	// placesShown is how many of their places it names.
	placesShown = 6
	// briefList is how many lines a list after a command has at most. A longer one becomes one line a kind.
	briefList = 12
)

// folded makes the lines of a list of actions. With fold a long list has one line for what the same pieces may do in
// many places.
func folded(actions []warledger.LegalAction, fold bool) []group {
	if fold && len(actions) > longList {
		return together(actions)
	}
	return singly(actions)
}

// list prints groups of a number of actions, with their numbers.
func (a *app) list(game *warledger.Game, groups []group, actions int) {
	a.lines(game, groups)
	if len(groups) < actions {
		a.say("      legal --all lists each; --kind, --piece and --space narrow the list\n")
	}
}

// brief prints the shortest list that says what the seat may do: all of it if it is short, else a line for each piece,
// and if that is long too a line for each kind. The numbers are those of the whole list. Where the seat is not
// asked it is the list of another one that is held here, unless --as names the seat.
func (a *app) brief(game *warledger.Game, g *v1.Game) {
	if g.Over || g.PendingDice != nil {
		return
	}
	if !slices.Contains(g.WaitingFor, game.Seat()) && a.line.As == "" {
		if other, err := a.acting(game.Name()); err == nil {
			game = other
		}
	}
	if !slices.Contains(g.WaitingFor, game.Seat()) {
		return
	}
	actions, err := game.ListLegal(a.ctx, warledger.LegalQuery{})
	if err != nil || len(actions) == 0 || actions[0].Version != g.Version {
		return // what was done stands, and legal says what is wrong
	}
	groups := singly(actions)
	if len(groups) > briefList {
		groups = together(actions)
	}
	if len(groups) > briefList {
		groups = alike(actions, func(x, y warledger.LegalAction) bool { return x.Kind == y.Kind })
	}
	if a.remember(game, legalCmd{}, groups) != nil {
		return
	}
	a.lines(game, groups)
	if len(groups) < len(actions) {
		a.say("      legal lists more\n")
	}
}

// group is a part of a list that is one line: actions that follow each other, from a number on.
type group struct {
	first int
	list  []warledger.LegalAction
}

func singly(actions []warledger.LegalAction) (groups []group) {
	for i := range actions {
		groups = append(groups, group{i + 1, actions[i : i+1]})
	}
	return groups
}

// together groups actions of one kind by the same piece, if they are many. Others may act with it, such as cargo.
func together(actions []warledger.LegalAction) (groups []group) {
	for _, g := range alike(actions, func(x, y warledger.LegalAction) bool {
		return x.Kind == y.Kind && (len(x.Pieces) == 0) == (len(y.Pieces) == 0) &&
			(len(x.Pieces) == 0 || x.Pieces[0] == y.Pieces[0])
	}) {
		if len(g.list) >= manyWays && (len(g.list[0].Pieces) > 0 || len(g.list[0].Spaces) > 0) {
			groups = append(groups, g)
			continue
		}
		for i := range g.list {
			groups = append(groups, group{g.first + i, g.list[i : i+1]})
		}
	}
	return groups
}

// alike groups actions that follow each other and are the same to a caller.
func alike(actions []warledger.LegalAction, same func(x, y warledger.LegalAction) bool) (groups []group) {
	for i := 0; i < len(actions); {
		n := 1
		for i+n < len(actions) && same(actions[i], actions[i+n]) {
			n++
		}
		groups = append(groups, group{i + 1, actions[i : i+n]})
		i += n
	}
	return groups
}

// lines prints groups. The board is asked for only if a line needs its names.
func (a *app) lines(game *warledger.Game, groups []group) {
	var names *atlas
	for _, g := range groups {
		if x := g.list[0]; len(g.list) == 1 {
			a.say("%4d  %-24s %s%s\n", g.first, x.Command, x.Label, price(x.Cost))
			continue
		}
		if names == nil {
			names = a.atlas(game)
		}
		a.say("%4d-%-4d %s\n", g.first, g.first+len(g.list)-1, names.line(g.list))
	}
}

// atlas has the names of what is on a board. What has none is called by its id.
type atlas struct {
	// words are texts of the program in the language asked for.
	words  func(text string) string
	spaces map[string]string
	// pieces are names, at is where each is.
	pieces, at map[string]string
}

// atlas reads the names of a game. Without an answer things are called by their ids.
func (a *app) atlas(game *warledger.Game) *atlas {
	all := &atlas{words: a.words,
		spaces: map[string]string{}, pieces: map[string]string{}, at: map[string]string{}}
	resp, err := game.Board(a.ctx, warledger.Look{Viewer: game.Seat(), WithMap: true})
	if err != nil {
		return all
	}
	for _, s := range resp.Board.Map.GetSpaces() {
		all.spaces[s.Id] = s.Name
	}
	for _, b := range resp.Board.Map.GetBoxes() {
		all.spaces[b.Id] = b.Name
	}
	for _, p := range resp.Board.GetPieces() {
		all.pieces[p.Id], all.at[p.Id] = p.Name, p.Place
	}
	return all
}

// isHex reports whether an id is that of a hex: digits, perhaps with a point between them.
func isHex(id string) bool { return id != "" && strings.Trim(id, "0123456789.") == "" }

// space is a place by its name, with the number of a hex.
func (n *atlas) space(id string) string {
	switch name := n.spaces[id]; {
	case name == "" || name == id:
		return id
	case isHex(id):
		return name + " " + id
	default:
		return name
	}
}

// piece is a piece by its name, with the place where it is.
func (n *atlas) piece(id string) string {
	name := n.pieces[id]
	if name == "" {
		return id
	}
	if at := n.at[id]; at != "" {
		name = fmt.Sprintf(n.words("%[1]s in %[2]s"), name, n.space(at))
	}
	return name
}

// line says what belongs together: who acts, what they may do, in how many places and in which.
func (n *atlas) line(list []warledger.LegalAction) string {
	var firsts, places []string
	same, hexes := true, true
	for _, x := range list {
		same = same && slices.Equal(x.Pieces, list[0].Pieces)
		if len(x.Pieces) > 0 && !slices.Contains(firsts, x.Pieces[0]) {
			firsts = append(firsts, x.Pieces[0])
		}
		if len(x.Spaces) == 0 {
			continue
		}
		at := x.Spaces[len(x.Spaces)-1]
		if hexes = hexes && isHex(at); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	who := ""
	switch {
	case same && len(firsts) > 0:
		var names []string
		for _, p := range list[0].Pieces {
			names = append(names, n.piece(p))
		}
		who = strings.Join(names, ", ") + ": "
	case len(firsts) == 1:
		who = n.piece(firsts[0]) + ": "
	case len(firsts) > 0:
		who = fmt.Sprintf(n.words("%d pieces: "), len(firsts))
	}
	what := who + list[0].Kind + ", "
	if len(places) < 2 {
		return what + fmt.Sprintf(n.words("%d ways"), len(list))
	}
	if hexes {
		what += fmt.Sprintf(n.words("%d hexes: "), len(places))
	} else {
		what += fmt.Sprintf(n.words("%d places: "), len(places))
	}
	more := ""
	if m := len(places) - placesShown; m > 0 {
		places, more = places[:placesShown], fmt.Sprintf(n.words(", %d more"), m)
	}
	for i, at := range places {
		places[i] = n.space(at)
	}
	return what + strings.Join(places, ", ") + more
}

// pieceID is the id of a piece that was given by its id, its name, or its name and place as a list has it; empty for
// none given.
func (a *app) pieceID(game *warledger.Game, given string) (string, error) {
	if given == "" {
		return "", nil
	}
	names := a.atlas(game)
	if len(names.pieces) == 0 || names.pieces[given] != "" {
		return given, nil
	}
	var found []string
	for id, name := range names.pieces {
		if strings.EqualFold(name, given) || strings.EqualFold(names.piece(id), given) {
			found = append(found, id)
		}
	}
	switch slices.Sort(found); len(found) {
	case 0:
		return given, nil // an id that no board shows, as of a piece aboard another one
	case 1:
		return found[0], nil
	}
	return "", usageError{fmt.Sprintf("%q is the name of several pieces: %s", given, join(found))}
}

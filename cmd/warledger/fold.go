package main

import (
	"fmt"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
)

const (
	// longList is how many actions are listed before those that belong together become one line.
	longList = 40
	// manyPlaces is how many actions of one kind by the same pieces make such a line.
	manyPlaces = 4
	// placesShown is how many of their places it names.
	placesShown = 6
)

// list prints actions with their numbers. With fold a long list has one line for what the same pieces may do in many
// places.
func (a *app) list(actions []warledger.LegalAction, fold bool) {
	fold = fold && len(actions) > longList
	folded := false
	for i := 0; i < len(actions); {
		n := 1
		if fold {
			n = together(actions[i:])
		}
		if x := actions[i]; n < manyPlaces {
			a.say("%4d  %-24s %s%s\n", i+1, x.Command, x.Label, price(x.Cost))
			i++
			continue
		}
		a.say("%s\n", foldedLine(i+1, actions[i:i+n]))
		i, folded = i+n, true
	}
	if folded {
		a.say("      legal --all lists each; --kind, --piece and --space what is meant\n")
	}
}

// together is how many actions at the beginning of a list are of one kind and by the same pieces, in one place each.
func together(list []warledger.LegalAction) (n int) {
	for n < len(list) && len(list[n].Spaces) > 0 && list[n].Kind == list[0].Kind &&
		slices.Equal(list[n].Pieces, list[0].Pieces) {
		n++
	}
	return n
}

// foldedLine is the line of actions that belong together: their numbers, who acts, in how many places and in which.
func foldedLine(first int, list []warledger.LegalAction) string {
	var places []string
	for _, x := range list {
		if at := x.Spaces[len(x.Spaces)-1]; !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	more := ""
	if n := len(places) - placesShown; n > 0 {
		places, more = places[:placesShown], fmt.Sprintf(", %d more", n)
	}
	who := strings.TrimSpace(list[0].Kind + " " + strings.Join(list[0].Pieces, ","))
	return fmt.Sprintf("%4d-%-4d %s: %d ways, to %s%s", first, first+len(list)-1, who, len(list),
		strings.Join(places, " "), more)
}

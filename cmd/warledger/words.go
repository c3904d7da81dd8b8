package main

import (
	"maps"
	"slices"
	"strings"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// pairs lists options in order.
func pairs(m map[string]string) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return strings.Join(list, " ")
}

// chosen are the options of a game that differ from what the server's ruleset gives where nobody asks for anything. If
// the server does not know the ruleset it is all of them.
func chosen(g *v1.Game, set *v1.Ruleset) map[string]string {
	list := maps.Clone(g.Options)
	for _, o := range set.GetOptions() {
		if len(o.Values) > 0 && list[o.Id] == o.Values[0] {
			delete(list, o.Id)
		}
	}
	return list
}

// yours lists what is held of a game.
func yours(owner bool, seats map[string]string) []string {
	list := slices.Sorted(maps.Keys(seats))
	if owner {
		list = append([]string{"owner"}, list...)
	}
	return list
}

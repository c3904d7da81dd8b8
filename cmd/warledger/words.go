package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/warledger/warledger/cmd/internal/rulesets"
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

// chosen are the options of a game that differ from what the ruleset gives where nobody asks for anything. Of a ruleset
// that this program does not know it is all of them.
func chosen(g *v1.Game) map[string]string {
	list := maps.Clone(g.Options)
	known, err := rulesets.Registry(true)
	if err != nil {
		return list
	}
	if set, ok := known.Find(short(g.Ruleset)); ok {
		for _, o := range set.About().Options {
			if list[o.ID] == o.Values[0] {
				delete(list, o.ID)
			}
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

package main

import (
	"maps"
	"slices"
	"strings"
)

// pairs lists options in order.
func pairs(m map[string]string) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return strings.Join(list, " ")
}

// yours lists what is held of a game.
func yours(owner bool, seats map[string]string) []string {
	list := slices.Sorted(maps.Keys(seats))
	if owner {
		list = append([]string{"owner"}, list...)
	}
	return list
}

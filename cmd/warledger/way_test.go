package main

import "testing"

// A move of several hexes is given by where it ends: the listed way is taken, and what leads nowhere is said.
func TestWayTo(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create ocs first-steps --take red,blue")
	p.do("do . end --as red")
	for range 4 { // set-up and the segments before the first move
		p.do("do . end --as blue")
	}
	p.do("do . move bl-1-inf to 13.06", `move bl-1-inf 11\.08>`, "1 Inf: .* to 13.06")
	p.fails(exitUsage, "do . move bl-1-inf to 25.25", "no space|finds no way")
	p.fails(exitUsage, "do . move nobody to 13.06", "finds no way to 13.06")
}

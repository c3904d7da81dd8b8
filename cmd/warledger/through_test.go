package main

import (
	"strings"
	"testing"
)

// TestThrough: Blue is in its first Movement Segment after one command instead of four, and Red is still asked in the
// Reaction Phase, where an answer at once would tell that it has no reserves.
func TestThrough(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		flag     string
		commands int
	}{{"", 4}, {" --through", 1}} {
		p := newPerson(t, serve(t))
		p.do("create ocs first-steps --take red,blue")
		p.do("do . end --as red")
		commands := 0
		for asked := ""; !strings.Contains(asked, "Move"); commands++ {
			_, asked, _ = p.run(strings.Fields("do . end --as blue" + x.flag)...)
			if commands > 10 {
				t.Fatalf("no Movement Segment comes: %s", asked)
			}
			asked = asked[strings.LastIndex(asked, "?"):]
		}
		if commands != x.commands {
			t.Errorf("do . end%s: %d commands to the first move, want %d", x.flag, commands, x.commands)
		}
		if x.flag == "" {
			continue
		}
		p.do("do . end --as blue --through")
		p.do("do . end --as blue --through", `\? Red: `) // of the barrage segment; the Supply Phase has one answer
		p.do("do . end --as red --through", `\? Red: `)  // the Reaction Phase has another segment
	}
}

package main

import (
	"strings"
	"testing"
)

// A long list has a line for each piece and says how to see the rest; numbers stay those of the list.
func TestLongListsAreFolded(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create ocs first-steps --take red,blue")
	p.do("do . end --as red")
	for range 4 {
		p.do("do . end --as blue")
	}
	_, all, _ := p.run("legal", ".", "--as", "blue", "--all")
	_, folded, _ := p.run("legal", ".", "--as", "blue")
	if n, m := strings.Count(all, "\n"), strings.Count(folded, "\n"); n < 80 || m > n/2 {
		t.Errorf("%d lines in full, %d folded", n, m)
	}
	if !strings.Contains(folded, "move bl-1-inf: ") || !strings.Contains(folded, "legal --all") {
		t.Errorf("no line of moves, or no word of --all:\n%s", folded)
	}
	if strings.Contains(all, "legal --all") {
		t.Errorf("--all folds:\n%s", all)
	}
	for _, line := range strings.Split(all, "\n") { // a single entry has the same number in both
		if strings.Contains(line, "  end ") && !strings.Contains(folded, line) {
			t.Errorf("not in the folded list: %q", line)
		}
	}
	_, few, _ := p.run("legal", ".", "--as", "blue", "--kind", "move", "--piece", "bl-1-inf")
	if strings.Contains(few, " ways, to ") {
		t.Errorf("what was asked for is folded:\n%s", few)
	}
}

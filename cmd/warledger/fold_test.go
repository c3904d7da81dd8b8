package main

import (
	"regexp"
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
	if !strings.Contains(folded, "1 Inf in 10.07: move, 46 hexes: 09.07, ") ||
		!strings.Contains(folded, "legal --all") {
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
	if strings.Contains(few, " hexes: ") {
		t.Errorf("what was asked for is folded:\n%s", few)
	}
	for _, name := range []string{"1 Inf", "1 inf in 10.07"} {
		if _, named, _ := p.run("legal", ".", "--as", "blue", "--kind", "move", "--piece", name); named != few {
			t.Errorf("--piece %q lists\n%s, want\n%s", name, named, few)
		}
	}
}

// TestFoldedListsNameWhatTheyHave: a line has the names of pieces, areas and named hexes, in every ruleset.
func TestFoldedListsNameWhatTheyHave(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create anniversary 1942 --take germany,japan,italy,soviet-union,united-kingdom,united-states")
	p.do("do . research 0 --as japan")
	p.do("do . end --as japan")
	p.do("legal . --as japan", `fighter \(Japan\) in Formosa: move, 7 places: Buryatia S.S.R., Fukien, .*1 more`,
		`transport \(Japan\) in Sea Zone 62: ship, 5 places: .*, Midway, Alaska`)
	p.do("legal . --as japan --piece Nobody", "Nothing of that kind")
	code, _, errs := p.run("legal", ".", "--as", "japan", "--piece", "fighter (Japan)")
	if code != exitUsage || !strings.Contains(errs, "is the name of several pieces: ") {
		t.Errorf("a name of several: exit code %d, %s", code, errs)
	}
}

// TestDoPrintsTheShortestList: after a command stands what comes next, for whom, and a short list whose numbers are
// those of the whole one. A seat that is not asked is given none.
func TestDoPrintsTheShortestList(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create ocs first-steps --take red,blue")
	if out := p.do("do . end --as red", `\? Blue: Choose`); strings.Contains(out, "   1  ") {
		t.Errorf("Red is given a list that is Blue's:\n%s", out)
	}
	out := ""
	for range 4 {
		out = p.do("do . end --as blue", `\? Blue: `, "   1  end ")
	}
	_, rest, _ := strings.Cut(out, "? Blue: ")
	if n := strings.Count(rest, "\n"); n < 8 || n > briefList+4 {
		t.Errorf("%d lines after the question:\n%s", n, rest)
	}
	if !strings.Contains(rest, "1 Inf in 10.07: move, 46 hexes: ") ||
		!strings.Contains(rest, "3 pieces: fuel, 3 ways") {
		t.Errorf("not grouped by names:\n%s", rest)
	}
	inside := regexp.MustCompile(`(?m)^ *(\d+)-\d+ +1 Inf in 10.07: move`).FindStringSubmatch(rest)
	p.fails(exitUsage, "do . "+inside[1]+" --as blue", "has several actions", "--all")
	p.do("legal . --as blue --kind fuel")
	p.do("do . 1 --as blue", "1T")
	p.do("do . 1 --as blue --check", "may be done") // a number of the list that the command before printed
	p.fails(exitUsage, "do . 2 --as blue", "has several actions")
	p.do("legal . --as blue --all")
	p.do("do . 2 --as blue", "move bl-1-inf 09.07")
}

// A number means the line that a person was shown. A script may list in JSON meanwhile, for the same person: then a
// number that means something else there is refused, whoever of the two gives it. As long as no list was shown,
// a seat's numbers mean the lines of its list in JSON.
func TestNumbersOfTwoListsAreRefused(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue")
	var list map[string]any
	p.json(&list, "legal . --as blue")
	p.json(&list, "legal . --as red --space 0503")
	p.do("do . 1 --as red", "plan 0503")
	p.do("legal . --as blue", "1  plan 0103")
	p.json(&list, "legal . --as blue")
	p.do("preview . 1 --as blue", "0103")
	p.json(&list, "legal . --as blue --space 0503")
	p.fails(2, "do . 1 --as blue", "1 is not the same action in both: run legal again")
	p.run("legal", ".", "--as", "red")
	p.fails(2, "do . 1 --as blue", "no list of blue was shown last")
	p.do("legal . --as blue", "1  plan 0103")
	p.do("do . 1 --as blue", "plan 0103")
}

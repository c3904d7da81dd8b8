package ocs

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// tutorialPage is the tutorial: prose, and fenced blocks of commands with what the game tells of them.
const tutorialPage = "../../docs/tutorials/ocs-first-steps.md"

// The tutorial is current: its commands are played in order, with its dice, and the outcome that it shows is what the
// game tells. -rewrite writes that anew.
func TestTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(tutorialPage)
	if err != nil {
		t.Fatal(err)
	}
	got, commands := playTutorial(t, begun(t, "first-steps"), string(page))
	if commands < 20 {
		t.Errorf("the tutorial has %d commands only", commands)
	}
	for _, word := range []string{"supply", "fuel", "move ", "air-barrage", "barrage ", "attack ", "Exploitation",
		"advance"} {
		if !strings.Contains(got, word) {
			t.Errorf("the tutorial says nothing about %q", word)
		}
	}
	if f := flag.Lookup("rewrite"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(tutorialPage, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(page) {
		have, want := strings.Split(string(page), "\n"), strings.Split(got, "\n")
		for i := range want {
			if i >= len(have) || have[i] != want[i] {
				t.Fatalf("%s is not current from line %d on; write it with go test -run %s -rewrite\nwant %s",
					tutorialPage, i+1, t.Name(), want[i])
			}
		}
		t.Fatalf("%s has lines too many", tutorialPage)
	}
}

// playTutorial plays the commands of a page and gives the page with what is told now. A command is a line "blue> move
// …", its dice the next line "dice 3 4".
func playTutorial(t *testing.T, g *table, page string) (now string, commands int) {
	t.Helper()
	var b strings.Builder
	inside := false
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "```") {
			inside = line == "```text"
			b.WriteString(line + "\n")
			continue
		}
		who, command, found := strings.Cut(line, "> ")
		switch {
		case !inside:
			b.WriteString(line + "\n")
			continue
		case !found || who != "blue" && who != "red":
			continue // told before
		}
		b.WriteString(line + "\n")
		var throws []uint32
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "dice ") {
			i++
			b.WriteString(lines[i] + "\n")
			for _, w := range strings.Fields(lines[i])[1:] {
				n, err := strconv.ParseUint(w, 10, 32)
				if err != nil {
					t.Fatalf("line %d: %v", i+1, err)
				}
				throws = append(throws, uint32(n))
			}
		}
		seat := rules.Seat(Blue)
		if who == "red" {
			seat = Red
		}
		commands++
		out, err := g.try(seat, command, throws...)
		if err != nil {
			t.Fatalf("line %d: %s: %v; asked is %v", i+1, line, explain(err), g.fact("asks"))
		}
		for _, e := range out.Events {
			if text := narrate(g.sc, e.Event.(*event)); text.Key != "" {
				b.WriteString("  " + about.Catalogue.Format(rules.English, text) + "\n")
			}
		}
	}
	return b.String(), commands
}

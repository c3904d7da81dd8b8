package rulestest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// GoldenSights compares what viewers are given of the positions of stored logs with what they were given: the typed
// view for spectators and seats, and the numbers for bots. Who has trained a bot relies on these numbers. Of each log,
// the positions are those at which something is asked for the first time, and the last one.
//
// RULESTEST_GOLDEN=1 writes them for the logs that have none; a file that exists stays. The words of boards and labels
// are left out, so that they can be improved.
func GoldenSights(t *testing.T, set rules.Ruleset, logs, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(logs, "*.log"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no logs", logs)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := goldenSights(set, data)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, strings.TrimSuffix(filepath.Base(file), ".log")+".txt")
			want, err := os.ReadFile(path)
			if os.IsNotExist(err) && os.Getenv("RULESTEST_GOLDEN") != "" {
				if err = os.MkdirAll(dir, 0o755); err == nil {
					err = os.WriteFile(path, []byte(got), 0o644)
				}
				want = []byte(got)
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s (-stored +today):\n%s", path, diff)
			}
		})
	}
}

// goldenSights writes the positions of a log, each as the lines that are other than at the one before. Viewers are
// numbers: 0 spectators, 1 the first seat.
func goldenSights(set rules.Ruleset, data []byte) (string, error) {
	g := &golden{set: set}
	asked := map[string]bool{}
	var b strings.Builder
	fmt.Fprintf(&b, "schema %d\n", set.About().SchemaVersion)
	var before []string
	show := func(head string) {
		now := sightLines(g.game)
		fmt.Fprintf(&b, "# %s\n", head)
		writeMissing(&b, "-", before, now)
		writeMissing(&b, "+", now, before)
		before = now
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "hash ") {
			fresh := false
			for _, d := range g.game.Decisions() {
				fresh = fresh || !asked[d.Kind]
				asked[d.Kind] = true
			}
			if fresh {
				show(g.head)
			}
			continue
		}
		if err := g.line(lines.Text()); err != nil {
			return "", fmt.Errorf("line %d: %w", n, err)
		}
	}
	show("the end")
	return b.String(), lines.Err()
}

// writeMissing writes the lines that another list does not have.
func writeMissing(b *strings.Builder, sign string, list, other []string) {
	has := map[string]int{}
	for _, line := range other {
		has[line]++
	}
	for _, line := range list {
		if has[line]--; has[line] < 0 {
			b.WriteString(sign + line + "\n")
		}
	}
}

// sightLines are the view of each viewer and the numbers of each seat, with the first rows and then ever fewer. A line
// begins with those who have it.
func sightLines(g rules.Game) []string {
	about := g.Ruleset().About()
	var order []string
	who := map[string]string{}
	note := func(name, text string) {
		times := map[string]int{}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if times[line]++; times[line] > 1 {
				line = fmt.Sprintf("%s (%d)", line, times[line])
			}
			if who[line] == "" {
				order = append(order, line)
			}
			who[line] += name
		}
	}
	note("0", viewLines(g, rules.Spectator))
	for i := range about.Seats {
		seat := rules.Seat(i)
		var b strings.Builder
		writeNumbers(&b, g, seat, func(row int) bool { return row < 4 || row&(row-1) == 0 })
		note(fmt.Sprint(i+1), b.String()+viewLines(g, rules.SeatViewer(seat)))
	}
	for i, line := range order {
		order[i] = who[line] + " " + line
	}
	return order
}

func viewLines(g rules.Game, v rules.Viewer) string {
	var b strings.Builder
	view := g.View(v).ProtoReflect()
	for _, f := range setFields(view) {
		if !f.IsList() {
			fmt.Fprintf(&b, "view %s %s\n", f.Name(), valueText(f, view.Get(f)))
			continue
		}
		for i, list := 0, view.Get(f).List(); i < list.Len(); i++ {
			fmt.Fprintf(&b, "view %s %s\n", f.Name(), scalarText(f, list.Get(i)))
		}
	}
	return b.String()
}

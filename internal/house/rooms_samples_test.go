package house

import (
	"slices"
	"strings"
)

// room is a ruleset with all of its files, those given among them.
func room(files string, without ...string) string {
	all := "-- rules/x/rulebook.tsv --\nXX 1\n" + files
	for _, name := range append([]string{"scenario_load.go"}, furniture...) {
		if !slices.Contains(without, name) && !strings.Contains(files, "/"+name+" ") {
			all += "-- rules/x/" + name + " --\npackage x\n"
		}
	}
	return all
}

const refereeFile = `-- rules/x/referee.go --
package x

import "fmt"

type Referee struct{}

var _ fmt.Stringer = Referee{}

func New() Referee { return Referee{} }

func (r *Referee) About() {}
`

var roomSamples = []sample{
	{"furnished", room(refereeFile +
		"-- rules/x/movement.go --\npackage x\n\ntype mover struct{}\n\nfunc (mover) About() {}\n"), nil},
	{"two files missing", room("", "board.go", "state.go"),
		[]string{"rules/x/rulebook.tsv:1", "rules/x/rulebook.tsv:1"}},
	{"no loader", room("", "scenario_load.go"), []string{"rules/x/rulebook.tsv:1"}},
	{"a loader in a package of its own",
		room("-- rules/x/scenario/load.go --\npackage scenario\n", "scenario_load.go"), nil},
	{"methods elsewhere", room(refereeFile + "-- rules/x/board.go --\npackage x\n\nfunc (Referee) Board() {}\n"),
		[]string{"rules/x/board.go:3"}},
	{"other things in it",
		room(refereeFile + "\nfunc helper() {}\n\nvar table, row = 1, 2\n\ntype mover int\n\nfunc (mover) Move() {}\n"),
		[]string{"rules/x/referee.go:13", "rules/x/referee.go:15", "rules/x/referee.go:17", "rules/x/referee.go:19"}},
	{"no ruleset", "-- rules/hex/hex.go --\npackage hex\n\ntype Referee struct{}\n\nfunc (Referee) About() {}\n", nil},
	{"tests of one", room("-- rules/x/x_test.go --\npackage x\n\nfunc (referee) Spoilt() {}\n"), nil},
}

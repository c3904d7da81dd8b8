package toy_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// facing is a position in which red may attack, move and rally.
const facing = `outpost ridge length=scenario pursuit=false
turn 1 act first red active red begun
seat red supply 2 score 0 plan 0103
seat blue supply 2 score 0 plan 0503
unit r1 0203 1
unit r2 0204 1
unit r3 0102 3
unit b1 0303 2
unit b2 0404 1
unit b3 0502 3
holds 0103 red
holds 0303 blue
`

func ridge(t *testing.T) rules.Game {
	t.Helper()
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	g, err := set.ParsePosition(sc, facing)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The ground has 1 for the outposts of the scenario and the terrain of the map, and 0 elsewhere.
func TestGroundIsThatOfTheMap(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	about := g.Ruleset().Tensors(g.Scenario())
	terrain := map[string]string{}
	for _, s := range g.Ruleset().Map(g.Scenario(), rules.English).Spaces {
		terrain[s.Id] = s.Terrain
	}
	seen := map[string]int{}
	for plane, column := range about.Ground {
		for i, id := range about.Spaces {
			want := int16(0)
			if terrain[id] == column.ID ||
				column.ID == "outpost" && slices.Contains([]string{"0103", "0301", "0303", "0503"}, id) {
				want = 1
				seen[column.ID]++
			}
			if got := about.GroundValues[plane*len(about.Spaces)+i]; got != want {
				t.Errorf("%s of %s is %d, want %d", column.ID, id, got, want)
			}
		}
	}
	if seen["rough"] == 0 || seen["outpost"] != 4 {
		t.Errorf("the map has %v", seen)
	}
}

// A piece on the board is one unit, with the marks of what it has done.
func TestPiecesAreSingleUnits(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	g, err := set.ParsePosition(ridge(t).Scenario(), strings.NewReplacer("r1 0203 1", "r1 0203 1 moved fought",
		"r2 0204 1", "r2 0204 1 moved").Replace(facing))
	if err != nil {
		t.Fatal(err)
	}
	marks := map[string][]string{}
	for _, p := range g.Board(rules.Spectator, rules.English).Pieces {
		if p.Kind == "unit" && p.Count != 1 {
			t.Errorf("%s counts %d", p.Id, p.Count)
		}
		marks[p.Id] = p.Marks
	}
	for id, want := range map[string]string{"r1": "moved fought", "r2": "moved", "r3": "", "b1": ""} {
		if got := strings.Join(marks[id], " "); got != want {
			t.Errorf("%s is marked %q, want %q", id, got, want)
		}
	}
}

// The row of a command says where its unit stands and where it goes, as its notation does.
func TestRowsNameTheirHexes(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	about := g.Ruleset().Tensors(g.Scenario())
	list := g.List(toy.Red, rules.Filter{}, nil)
	rows, width := g.Rows(toy.Red, list, nil), len(about.Row)
	kinds := map[string]int{}
	for i := range list.Len() {
		words, row := strings.Fields(g.FormatCommand(list.At(i))), rows[i*width:(i+1)*width]
		from, to := "", ""
		if at := row[rules.RowFrom]; at >= 0 {
			from = about.Spaces[at]
		}
		if at := row[rules.RowTo]; at >= 0 {
			to = about.Spaces[at]
		}
		kinds[words[0]]++
		stands := map[string]string{"r1": "0203", "r2": "0204", "r3": "0102"}
		switch words[0] {
		case "move":
			if from != stands[words[1]] || to != words[2] {
				t.Errorf("%v has a row from %q to %q", words, from, to)
			}
		case "rally":
			if from != stands[words[1]] || to != "" {
				t.Errorf("%v has a row from %q to %q", words, from, to)
			}
		}
	}
	if kinds["move"] == 0 || kinds["rally"] == 0 {
		t.Errorf("the list holds %v", kinds)
	}
}

// An event of an attack does not fold where nobody attacks.
func TestEventsOfNoAttackDoNotFold(t *testing.T) {
	t.Parallel()
	event, err := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_AttackRolled{AttackRolled: &toyv1.AttackRolled{
		Result: toyv1.AttackResult_ATTACK_RESULT_NO_EFFECT,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ridge(t).Fold(event); err == nil || !strings.Contains(err.Error(), "belongs to an attack") {
		t.Errorf("got %v", err)
	}
}

// What a scenario says in Japanese is shown in Japanese, and in no other language.
func TestScenariosSpeakTheirLanguages(t *testing.T) {
	t.Parallel()
	sc := ridge(t).Scenario()
	en, ja := sc.ScenarioTitle(rules.English), sc.ScenarioTitle(rules.Japanese)
	if en == ja || en != sc.ScenarioTitle("zxx") || en == "" ||
		!strings.ContainsFunc(ja, func(r rune) bool { return r > unicode.MaxASCII }) {
		t.Errorf("the title is %q in English, %q in Japanese and %q in French", en, ja, sc.ScenarioTitle("zxx"))
	}
}

package kit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// row is what a row of a table fills in.
type row struct {
	Name   string
	Points int  `doc:"us_cp,1,20"`
	Ban    bool `doc:"ban"`
	Cap    int  `doc:"air_cap,0,5"`
}

func TestFill(t *testing.T) {
	t.Parallel()
	five, six := uint32(5), uint32(6)
	for _, test := range []struct {
		name   string
		from   *downfallv1.KamikazeRow
		want   row
		faults rules.Faults
	}{
		{"within bounds", &downfallv1.KamikazeRow{UsCp: 20, Ban: true, AirCap: &five},
			row{"as it was", 20, true, 5}, nil},
		{"a field that is not there", &downfallv1.KamikazeRow{UsCp: 1}, row{"as it was", 1, false, 99}, nil},
		{"beyond bounds, in the order of the struct", &downfallv1.KamikazeRow{AirCap: &six},
			row{"as it was", 1, false, 0}, rules.Faults{
				{Path: "rows[0].us_cp", What: "0, expected 1 to 20"},
				{Path: "rows[0].air_cap", What: "6, expected 0 to 5"}}},
	} {
		l, got := &Loader{}, row{Name: "as it was", Cap: 99}
		l.Fill("rows[0]", test.from, &got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.faults, l.Faults); diff != "" {
			t.Errorf("%s: faults (-want +got)\n%s", test.name, diff)
		}
	}
	var signed struct {
		Attack int `doc:"us_attack,-9,9"`
	}
	l := &Loader{}
	if l.Fill("river", &downfallv1.RiverRow{UsAttack: -9}, &signed); signed.Attack != -9 || l.Faults != nil {
		t.Errorf("a number with a sign is %d: %v", signed.Attack, l.Faults)
	}
	l.Fill("river", &downfallv1.RiverRow{UsAttack: -10}, &signed)
	if diff := cmp.Diff(rules.Faults{{Path: "river.us_attack", What: "-10, expected -9 to 9"}}, l.Faults); diff != "" ||
		signed.Attack != 0 {
		t.Errorf("%d (-want +got)\n%s", signed.Attack, diff)
	}
}

// unitRow is a row with an id, words, characters, enumerations and a bound that has a name.
type unitRow struct {
	ID    string              `doc:"id,4"`
	Name  *downfallv1.Words   `doc:"name,3"`
	Short string              `doc:"short,1,2"`
	Size  downfallv1.UnitSize `doc:"size,one of the sizes"`
	Turn  int                 `doc:"turn,1,last"`
}

func TestFillWords(t *testing.T) {
	t.Parallel()
	l := &Loader{Bounds: map[string]int{"last": 3}}
	name, division := &downfallv1.Words{En: "abc"}, downfallv1.UnitSize_UNIT_SIZE_DIVISION
	for i, u := range []*downfallv1.ScenarioUnit{
		{Id: "a-1", Name: name, Short: "長い", Size: division, Turn: 3},
		{Id: "a-1", Name: &downfallv1.Words{En: "abcd"}, Short: "abc", Size: 0, Turn: 4},
		{Id: "-1", Size: 99},
		{Id: "Ab"}, {Id: "abcde"}, {},
	} {
		var got unitRow
		l.Fill(fmt.Sprintf("units[%d]", i), u, &got)
		want := unitRow{ID: u.Id, Name: u.Name, Short: u.Short, Size: u.Size, Turn: max(1, int(u.Turn)%4)}
		if got != want {
			t.Errorf("%d: %v, want %v", i, got, want)
		}
		if i == 2 {
			l.Fill("others[0]",
				&downfallv1.ScenarioUnit{Id: "a-1", Name: name, Short: "x", Size: division, Turn: 1}, &got)
		}
	}
	id := ", expected 1 to 4 lower-case letters, digits and dashes"
	want := rules.Faults{
		{Path: "units[1].id", What: `"a-1" is given twice`},
		{Path: "units[1].name", What: "4 characters, expected at most 3"},
		{Path: "units[1].short", What: "3 characters, expected 1 to 2"},
		{Path: "units[1].size", What: "UNIT_SIZE_UNSPECIFIED, expected one of the sizes"},
		{Path: "units[1].turn", What: "4, expected 1 to 3"},
		{Path: "units[2].id", What: `"-1"` + id}, {Path: "units[2].name", What: "no English text"},
		{Path: "units[2].short", What: "0 characters, expected 1 to 2"},
		{Path: "units[2].size", What: "99, expected one of the sizes"},
		{Path: "units[2].turn", What: "0, expected 1 to 3"},
		{Path: "units[3].id", What: `"Ab"` + id}, {Path: "units[4].id", What: `"abcde"` + id},
		{Path: "units[5].id", What: `""` + id},
	}
	got := slices.DeleteFunc(l.Faults, func(f rules.Fault) bool {
		return f.Path > "units[3]" && !strings.HasSuffix(f.Path, ".id") // as in the row before
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got)\n%s", diff)
	}
}

func TestCover(t *testing.T) {
	t.Parallel()
	l := &Loader{}
	at := Cover(l, "rows", []*downfallv1.KamikazeRow{{From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 9}}, 4)
	if diff := cmp.Diff([]int{-1, 0, 0, 1, -1}, at); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want := rules.Faults{
		{Path: "rows[1]", What: "holds 2, which rows[0] holds as well"},
		{Path: "rows[2]", What: "holds 3 to 9, expected a run within 1 to 4"},
		{Path: "rows", What: "no row holds 4"},
	}
	if diff := cmp.Diff(want, l.Faults); diff != "" {
		t.Errorf("faults (-want +got)\n%s", diff)
	}
}

func TestLoader(t *testing.T) {
	t.Parallel()
	l := &Loader{}
	if l.Warn("a", "b"); !l.Done() {
		t.Error("a warning makes a document useless")
	}
	for range MaxFaults + 2 {
		l.Fault("x", "y")
	}
	if l.Warn("c", "d"); l.Done() || len(l.Faults) != MaxFaults+1 ||
		l.Faults[MaxFaults].What != "3 more faults are not listed" {
		t.Errorf("%d faults, the last %v", len(l.Faults), l.Faults[len(l.Faults)-1])
	}
	for _, test := range []struct{ doc, want string }{
		{`{"id": "x"}`, ""},
		{`{"idd": "x"}`, `unknown field "idd"`},
		{strings.Repeat(" ", MaxDocument+1), "the document has 4194305 bytes, expected at most 4194304"},
	} {
		l := &Loader{}
		if ok := l.Read([]byte(test.doc), &downfallv1.Scenario{}); ok != (test.want == "") ||
			!ok && !strings.Contains(l.Faults[0].What, test.want) {
			t.Errorf("%.20q: %t, %v", test.doc, ok, l.Faults)
		}
	}
	l = &Loader{Limit: 3}
	if l.Read([]byte("{  }"), &downfallv1.Scenario{}) ||
		l.Faults[0].What != "the document has 4 bytes, expected at most 3" {
		t.Errorf("a limit of its own: %v", l.Faults)
	}
	l = &Loader{}
	if l.Tolerate("old", "%d", 1); !l.Done() || !l.Faults.Refused() {
		t.Errorf("a fault that stored games may have: %v", l.Faults)
	}
	for range MaxFaults + 1 {
		l.Tolerate("old", "again")
	}
	if !l.Done() || len(l.Faults) != MaxFaults {
		t.Errorf("%d faults that stored games may have, and it is done: %v", len(l.Faults), l.Done())
	}
	l = &Loader{}
	l.Words("w", &downfallv1.Words{Ja: "長い", En: " "}, 1)
	l.Words("w", &downfallv1.Words{En: "a\n"}, 9)
	l.Count("n", 3, 1, 2)
	want := rules.Faults{
		{Path: "w", What: "no English text"}, {Path: "w", What: "2 characters, expected at most 1"},
		{Path: "w", What: "control characters in the text"}, {Path: "n", What: "3 entries, expected 1 to 2"},
	}
	if diff := cmp.Diff(want, l.Faults); diff != "" {
		t.Errorf("faults (-want +got)\n%s", diff)
	}
}

// Ids have digits, letters and dashes from the first to the last of each, and a document may have one of its own.
func TestIDs(t *testing.T) {
	t.Parallel()
	type row struct {
		ID string `doc:"id,4"`
	}
	for _, test := range []struct {
		id   string
		good bool
	}{
		{"a", true}, {"z0-9", true}, {"0az9", true}, {"a--", true}, {"-a", false}, {"a/b", false}, {"a:b", false},
		{"a`b", false},
		{"a{b", false}, {"", false}, {"a.b", false}, {"aé", false},
	} {
		for _, path := range []string{"", "rows[0]"} {
			l, to := &Loader{}, row{}
			l.Fill(path, &downfallv1.ScenarioUnit{Id: test.id}, &to)
			if got := len(l.Faults) == 0; got != test.good || to.ID != test.id {
				t.Errorf("%q at %q: good %t, kept %q: %v", test.id, path, got, to.ID, l.Faults)
			}
			if at := strings.TrimPrefix(path+".id", "."); !test.good && l.Faults[0].Path != at {
				t.Errorf("%q at %q: the fault is at %q", test.id, path, l.Faults[0].Path)
			}
		}
	}
}

// Numbers with a sign and texts are checked at both ends; a bound that is no number is a slip of the ruleset.
func TestBounds(t *testing.T) {
	t.Parallel()
	l := &Loader{}
	for n, want := range map[int32]int{-3: -3, 3: 3, -4: 0, 4: 0} {
		if got := l.Modifier("m", n, 3); got != want {
			t.Errorf("%d is kept as %d", n, got)
		}
	}
	if len(l.Faults) != 2 {
		t.Errorf("%d faults of modifiers, expected 2", len(l.Faults))
	}
	l = &Loader{}
	l.Words("w", &downfallv1.Words{En: "\tabc"}, 4)
	if want := (rules.Faults{{Path: "w", What: "control characters in the text"}}); cmp.Diff(want, l.Faults) != "" {
		t.Errorf("a text that begins with a tab: %v", l.Faults)
	}
	l = &Loader{}
	if l.Number("n", 1, 2, 2); len(l.Faults) != 1 || l.Faults[0].What != "1, expected 2" {
		t.Errorf("one number that may be: %v", l.Faults)
	}
	if l.Count("c", 1, 2, 2) || l.Faults[1].What != "1 entries, expected 2" {
		t.Errorf("one length that may be: %v", l.Faults)
	}
	defer func() {
		if recover() == nil {
			t.Error("a bound that is no number is taken")
		}
	}()
	var slip struct {
		Turn int `doc:"turn,1,later"`
	}
	l.Fill("", &downfallv1.ScenarioUnit{}, &slip)
}

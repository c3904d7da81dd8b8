package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// table is one of three kinds; nothing is what a command of none says.
var table = Kinds[*Phrase, struct{}]{
	1: {ID: "move", Answers: Bits(uint8(2), 5), Generating: true, Note: "One at a time."},
	3: {ID: "pass", Field: "end_turn", Answers: Bits(0), Offer: true},
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		got, want any
	}{
		{"found by its ID", table.Find("pass"), 3},
		{"not by its field", table.Find("end_turn"), 0},
		{"no ID is the ID of nothing", table.Find(""), 0},
		{"chosen by its field", table.Chosen("end_turn"), 3},
		{"a field is called as the ID by default", table.Chosen("move"), 1},
		{"an ID is no field where there is another", table.Chosen("pass"), 0},
		{"the ID", table.ID(1), "move"},
		{"the ID of a row left out", table.ID(2), ""},
		{"the ID beyond the table", table.ID(4), ""},
		{"a question answered", table.Answers(1, 5), true},
		{"a question not answered", table.Answers(1, 4), false},
		{"a question of a kind beyond the table", table.Answers(4, 0), false},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
	want := []rules.CommandKind{{ID: "move", Generating: true, Note: "One at a time."}, {ID: "pass", Offer: true}}
	if diff := cmp.Diff(want, table.List()); diff != "" {
		t.Errorf("listed (-want +got)\n%s", diff)
	}
}

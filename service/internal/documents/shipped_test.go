package documents

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/warledger/warledger/rules/rulestest/toy"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		" { \"b\" : [1.0,\t2e3 ] ,\"a\":\"\\u0041<\\/é\\n\"}\r\n": "{\"a\":\"A</é\\n\",\"b\":[1.0,2e3]}",
		`123456789012345678901234567890.5`:                        `123456789012345678901234567890.5`,
		// no JSON: as it came
		`{"a":1}}`: `{"a":1}}`, `{"a":1} {}`: `{"a":1} {}`, ``: ``, `{`: `{`, "\xff": "\xff",
	} {
		if got := string(canonical([]byte(given))); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
	set := toy.Ruleset()
	var s shipped
	for _, d := range set.ScenarioDocuments() {
		form := canonical(d.Data)
		if _, faults := set.LoadScenario(form); faults.Fatal() || len(form) >= len(d.Data) {
			t.Errorf("%s: %d bytes for %d: %v", d.ID, len(form), len(d.Data), faults)
		}
		if got := s.Canonical(set, form); !bytes.Equal(got, d.Data) || !s.Has(set, got) || s.Has(set, form) {
			t.Errorf("%s is not known again", d.ID)
		}
	}
}

// FuzzCanonical checks that a document and its canonical form say the same, and that the canonical form of the form is
// itself.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b": [1, 2.50, null, true], "a": {"x": "\u00e9\ud83d\ude00"}}`, `[]`, `"\ud800"`,
		`{"a":1,"a":2}`, `nul`, "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, given []byte) {
		form := canonical(given)
		if !bytes.Equal(canonical(form), form) {
			t.Fatalf("%q becomes %q and then %q", given, form, canonical(form))
		}
		var before, after any
		if json.Unmarshal(given, &before) != nil {
			return
		}
		if err := json.Unmarshal(form, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q becomes %q: %v", given, form, err)
		}
	})
}

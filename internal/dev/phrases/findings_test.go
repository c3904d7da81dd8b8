package phrases

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFindings: sentences are found however they are put together, with a place for each value.
func TestFindings(t *testing.T) {
	t.Parallel()
	texts, err := fromFindings([]byte(`package p
type t struct { a int ` + "`help:\"Help of a flag.\" json:\"not this one\"`" + ` }
func f(path string, n int) []string {
	bad := "others can read %s"
	x.Contains(path, "not read aloud")
	return []string{"word", path + " is not there: " + fmt.Sprintf("%d of them", n), fmt.Sprintf(bad, "no such thing"),
		"all of it is 100% here", "check " + path}
}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range texts {
		got = append(got, x.English)
	}
	want := []string{"Help of a flag.", "others can read %s", "%s is not there: %d of them", "no such thing",
		"all of it is 100%% here", "check %s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

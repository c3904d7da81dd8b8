package anniversary

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestCoverage(t *testing.T) {
	t.Parallel()
	rulestest.Coverage(t, New(), ".", "../../docs/reference/rulesets/anniversary-coverage.md")
}

// Every rule that the code refuses by is one that some test has a command refused by, and not only a name.
func TestRefusalsAreProvoked(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	refuses := regexp.MustCompile(`"(AA [0-9.]+)", "refuse\.`)
	provoked := regexp.MustCompile(`(?:refused|refusedTo)\((?:[^"]*, )?"(AA [0-9.]+)"|r\.Rule != "(AA [0-9.]+)"`)
	in, tried := map[string]string{}, map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			for _, m := range refuses.FindAllSubmatch(data, -1) {
				in[string(m[1])] = file
			}
			continue
		}
		for _, m := range provoked.FindAllSubmatch(data, -1) {
			for _, id := range m[1:] {
				tried[string(id)] = true
			}
		}
	}
	if len(in) < 60 {
		t.Fatalf("only %d rules are found in the code", len(in))
	}
	for id, file := range in {
		if !tried[id] {
			t.Errorf("%s refuses by %s, and no test has a command refused by it", file, id)
		}
	}
}

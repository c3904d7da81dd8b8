package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/warledger/warledger/service/fault"
)

// boundRow is a row of the table of bounds: setting, default, what it bounds and protects, and what the caller is told.
var boundRow = regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| `([^`]*)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// TestBoundsAreAsDocumented walks the table of bounds in docs/reference/settings.md: each is a setting with that
// default, the reasons are in the table of errors, and no setting among the limits is left out.
func TestBoundsAreAsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(new(settings), kong.Name("warledgerd"), kong.Vars{"version": ""},
		kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]*kong.Flag{}
	for _, f := range parser.Model.Flags {
		if f.Group != nil && f.Group.Key == "limits" && f.Name != "free-addresses" && f.Name != "trusted-proxies" ||
			f.Name == "db-bytes" {
			if !f.IsBool() { // such as whether there is talk at all
				left[f.Name] = f
			}
		}
	}
	rows := boundRow.FindAllStringSubmatch(string(page), -1)
	for _, row := range rows {
		flag := left[row[1]]
		if flag == nil {
			t.Errorf("--%s is no setting, or is there twice", row[1])
			continue
		}
		delete(left, row[1])
		if flag.Default != row[2] {
			t.Errorf("--%s is %s, the table says %s", row[1], flag.Default, row[2])
		}
		for _, reason := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(row[5], -1) {
			if _, ok := fault.Find(fault.Reason(reason[1])); !ok {
				t.Errorf("--%s: there is no reason %s", row[1], reason[1])
			}
		}
	}
	for name := range left {
		t.Errorf("the table does not name --%s", name)
	}
	if len(rows) < 15 {
		t.Errorf("%d rows are found, so the test proves nothing", len(rows))
	}
}

// TestTuneMemory: the garbage collector stays below a limit that somebody set, or that the machine gives.
func TestTuneMemory(t *testing.T) {
	limit, err := tuneMemory(80)
	if err != nil || limit < 64<<20 {
		t.Errorf("%d bytes, %v", limit, err)
	}
	t.Setenv("GOMEMLIMIT", "1GiB") // the runtime read it at its start; what stands is left alone
	again, err := tuneMemory(10)
	if err != nil || again != limit {
		t.Errorf("with GOMEMLIMIT %d bytes, %v, want %d", again, err, limit)
	}
}

// TestRoomForGames: the last tenth of the file is kept for existing games.
func TestRoomForGames(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/x.db"
	for size, want := range map[int]bool{899: true, 900: false, 1000: false} {
		if err := os.WriteFile(path, []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		for bound, want := range map[int]bool{1000: want, 0: true} {
			if got := roomForGames(&settings{DB: path, DBBytes: bound})(); got != want {
				t.Errorf("%d of %d bytes: %t, want %t", size, bound, got, want)
			}
		}
	}
}

package main

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// variables are the environment variables that the server reads.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	parser, err := kong.New(new(settings), kong.Name("warledgerd"), kong.DefaultEnvars("WARLEDGER"), kong.Vars{"version": ""})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range parser.Model.Flags {
		for _, name := range f.Envs {
			known[name] = true
		}
	}
	return known
}

// TestDeploymentsSetWhatThereIs has the unit and the container file use flags and variables that the server knows.
func TestDeploymentsSetWhatThereIs(t *testing.T) {
	t.Parallel()
	known := variables(t)
	_, help, _ := try("--help")
	for _, file := range []string{"Containerfile", "warledgerd.service"} {
		data, err := os.ReadFile("../../docs/operations/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range regexp.MustCompile(`\b(WARLEDGER_[A-Z_]+)=`).FindAllStringSubmatch(string(data), -1) {
			found++
			if !known[m[1]] {
				t.Errorf("%s sets %s, which the server does not read", file, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^Exec.* (--[a-z-]+) `).FindAllStringSubmatch(string(data), -1) {
			found++
			if !strings.Contains(help, m[1]) {
				t.Errorf("%s uses %s, which is no flag", file, m[1])
			}
		}
		if found == 0 {
			t.Errorf("%s sets nothing, so the test proves nothing", file)
		}
	}
}

// TestUnitIsSound asks systemd, where there is one, what it thinks of the unit.
func TestUnitIsSound(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd here")
	}
	out, _ := exec.Command(program, "verify", "../../docs/operations/warledgerd.service").CombinedOutput()
	for line := range strings.Lines(string(out)) {
		// The program is not installed where the test runs; what else is wrong is told with the unit's name.
		if strings.Contains(line, "warledgerd.service") && !strings.Contains(line, "is not executable") && !strings.Contains(line, "Failed to") {
			t.Error(line)
		}
	}
}

// TestEverySettingIsDocumented has docs/running.md name each flag.
func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(new(settings), kong.Name("warledgerd"), kong.Vars{"version": ""}, kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parser.Model.Flags {
		if !f.Hidden && f.Name != "help" && f.Name != "version" && !strings.Contains(string(data), "`--"+f.Name+"`") {
			t.Errorf("docs/running.md does not name --%s", f.Name)
		}
	}
}

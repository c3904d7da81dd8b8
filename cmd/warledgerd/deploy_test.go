package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// variables are the environment variables that the server reads.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	parser, err := kong.New(new(settings), kong.Name("warledgerd"), kong.DefaultEnvars("WARLEDGER"),
		kong.Vars{"version": ""})
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
	for _, file := range []string{"Containerfile", "warledgerd.service", "warledgerd-database.conf", "compose.yaml"} {
		data, err := os.ReadFile("../../docs/operations/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range regexp.MustCompile(`\b(WARLEDGER_[A-Z_]+)(?:=|: )`).FindAllStringSubmatch(string(data), -1) {
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

// containerSteps are the instructions of a container file, lines that go on put together.
func containerSteps(t *testing.T) (steps [][2]string) {
	t.Helper()
	data, err := os.ReadFile("../../docs/operations/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.ReplaceAll(string(data), "\\\n", " ")) {
		if verb, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok && verb != "#" {
			steps = append(steps, [2]string{verb, strings.TrimSpace(rest)})
		}
	}
	return steps
}

// TestContainerFileFits reads the container file as a builder would: it copies what is there, builds programs that are
// there with a compiler that is new enough, takes over what it built, and starts one of them as nobody in particular,
// with its games in the volume and its ports exposed.
func TestContainerFileFits(t *testing.T) {
	t.Parallel()
	made, copied := map[string]bool{}, map[string]bool{}
	var stage int
	last := map[string]string{}
	for _, step := range containerSteps(t) {
		verb, rest := step[0], step[1]
		fields := strings.Fields(rest)
		switch verb {
		case "FROM":
			stage++
			last["FROM"] = rest
			if stage == 1 {
				newEnough(t, rest)
			}
		case "COPY":
			copiesWhatIsThere(t, fields, made, copied)
		case "RUN":
			if stage > 1 {
				t.Errorf("the last stage has no shell to run %s", rest)
			}
			makes(t, rest, made)
		default:
			last[verb] = rest
		}
	}
	if stage != 2 || !strings.Contains(last["FROM"], "static") || !strings.HasSuffix(last["FROM"], ":nonroot") {
		t.Errorf("%d stages, the last from %s: expected a second one without anything, for a user that is not root",
			stage, last["FROM"])
	}
	program := strings.Trim(last["ENTRYPOINT"], `["]`)
	if !copied[program] || !strings.HasSuffix(program, "/warledgerd") {
		t.Errorf("it starts %q, and holds %v", program, copied)
	}
	if volume := last["VOLUME"]; volume == "" || !copied[volume] ||
		!strings.Contains(last["ENV"], "WARLEDGER_DB="+volume+"/") {
		t.Errorf("the games are not in the volume %q: %s", volume, last["ENV"])
	}
	for _, m := range regexp.MustCompile(`WARLEDGER_(?:LISTEN|WEB|OPS)=:(\d+)`).FindAllStringSubmatch(last["ENV"], -1) {
		if !slices.Contains(strings.Fields(last["EXPOSE"]), m[1]) {
			t.Errorf("port %s is not exposed: %s", m[1], last["EXPOSE"])
		}
	}
	if n := strings.Count(last["ENV"], "=:"); n != 3 || len(strings.Fields(last["EXPOSE"])) != 3 ||
		last["STOPSIGNAL"] != "SIGTERM" {
		t.Errorf("%d ports are set, exposed are %s, it is stopped by %s", n, last["EXPOSE"], last["STOPSIGNAL"])
	}
}

// newEnough wants the compiler that go.mod asks for.
func newEnough(t *testing.T, from string) {
	t.Helper()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	if want == nil || !strings.Contains(from, "golang:"+want[1]+" ") {
		t.Errorf("it builds with %s, go.mod wants %v", from, want)
	}
}

// copiesWhatIsThere checks the sources of a COPY: files of the checkout, or of what was made before.
func copiesWhatIsThere(t *testing.T, fields []string, made, copied map[string]bool) {
	t.Helper()
	built := false
	for len(fields) > 0 && strings.HasPrefix(fields[0], "--") {
		built = built || strings.HasPrefix(fields[0], "--from=")
		fields = fields[1:]
	}
	to := fields[len(fields)-1]
	for _, from := range fields[:len(fields)-1] {
		if !built {
			if _, err := os.Stat(filepath.Join("../..", from)); err != nil {
				t.Errorf("it copies %s: %v", from, err)
			}
			continue
		}
		if !made[from] {
			t.Errorf("it takes over %s, which nothing made: %v", from, made)
		}
		if strings.HasSuffix(to, "/") {
			copied[to+filepath.Base(from)] = true
		} else {
			copied[to] = true
		}
	}
}

// makes notes what a step of building makes: programs, each of a package that is there, and folders.
func makes(t *testing.T, run string, made map[string]bool) {
	t.Helper()
	for _, command := range strings.Split(run, "&&") {
		words := strings.Fields(command)
		if at := slices.Index(words, "-o"); slices.Contains(words, "build") && at > 0 {
			if !slices.Contains(words, "CGO_ENABLED=0") {
				t.Errorf("the programs need libraries that the last stage does not have: %s", command)
			}
			for _, name := range words[at+2:] {
				if _, err := os.Stat(filepath.Join("../..", name, "main.go")); err != nil {
					t.Errorf("it builds %s: %v", name, err)
				}
				made[words[at+1]+filepath.Base(name)] = true
			}
		}
		if at := slices.Index(words, "mkdir"); at >= 0 {
			made[words[at+1]] = true
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
		if strings.Contains(line, "warledgerd.service") && !strings.Contains(line, "is not executable") &&
			!strings.Contains(line, "Failed to") {
			t.Error(line)
		}
	}
}

// TestEverySettingIsDocumented has docs/reference/settings.md name each flag.
func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/reference/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(new(settings), kong.Name("warledgerd"), kong.Vars{"version": ""},
		kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parser.Model.Flags {
		if !f.Hidden && f.Name != "help" && f.Name != "version" && !strings.Contains(string(data), "`--"+f.Name+"`") {
			t.Errorf("docs/reference/settings.md does not name --%s", f.Name)
		}
	}
}

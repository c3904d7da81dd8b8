package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newTroubled makes a checkout whose package has one mutant in line 3, which makes Same false, and tests of it.
func newTroubled(t *testing.T, tests string) checkout {
	t.Helper()
	c := newMutable(t, "")
	write(t, c, "p/p.go", "package p\n\nfunc Same(a, b int) bool { return a == b }\n")
	write(t, c, "p/p_test.go", "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n\n"+tests)
	return c
}

const (
	// flickers passes when it is recorded by itself and with the others, and fails ever after.
	flickers = `
func TestFlickers(t *testing.T) {
	Same(1, 1)
	runs, _ := os.ReadFile("runs")
	if len(runs) >= 2 {
		t.Error("the disk is slow")
	}
	if err := os.WriteFile("runs", append(runs, '.'), 0o600); err != nil {
		t.Fatal(err)
	}
}
`
	notices = "func TestNotices(t *testing.T) {\n\tif !Same(1, 1) {\n\t\tt.Error(\"wrong\")\n\t}\n}\n"
)

func TestMutateCreditsOnlyATestThatFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ tests, want string }{
		"a test fails":    {notices, ""},
		"a subtest fails": {"func TestX(t *testing.T) {\n\tt.Run(\"of it\", TestNotices)\n}\n" + notices, ""},
		"a test panics":   {"func TestX(t *testing.T) {\n\tif !Same(1, 1) {\n\t\tpanic(\"wrong\")\n\t}\n}\n", ""},
		"its goroutine panics": {`
func TestX(t *testing.T) {
	done := make(chan bool)
	go look(done)
	<-done
}

func look(done chan bool) {
	if !Same(1, 1) {
		panic("wrong")
	}
	close(done)
}

func TestY(t *testing.T) { Same(1, 1) }
`, ""},
		"it exits": {"func TestX(t *testing.T) {\n\tif !Same(1, 1) {\n\t\tos.Exit(3)\n\t}\n}\n",
			"exit status 3, which no test accounts for"},
		"it is killed": {`
func TestX(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if !Same(1, 1) && err == nil {
		self.Kill()
		select {}
	}
}
`, "which no test accounts for"},
		"memory runs out": {`
func TestX(t *testing.T) {
	if !Same(1, 1) {
		os.Stderr.WriteString("fatal error: runtime: out of memory\n")
		os.Exit(2)
	}
}
`, "which no test accounts for"},
		"another notices what one exits for": {
			"func TestX(t *testing.T) {\n\tif !Same(1, 1) {\n\t\tos.Exit(3)\n\t}\n}\n" + notices, ""},
		"it fails unchanged too": {flickers, "TestFlickers fails without the change too"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := mutate(t.Context(), newTroubled(t, tt.tests), []string{"./p", "-least", "1"})
			if tt.want == "" && err == nil {
				return
			}
			if tt.want == "" || err == nil || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), "0 of 1 noticed") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestMutateTellsOfATestThatFlickersWhereAnotherNotices(t *testing.T) {
	t.Parallel()
	err := mutate(t.Context(), newTroubled(t, flickers+notices), []string{"./p", "-least", "100"})
	if err == nil || err.Error() != "TestFlickers of github.com/warledger/warledger/p fails without any change" {
		t.Errorf("got %v", err)
	}
}

func TestMutateTakesATimeOutForANoticeOnlyIfTheTestIsQuickOtherwise(t *testing.T) {
	t.Parallel()
	const hangs = "func TestX(t *testing.T) {\n\tif !Same(1, 1) {\n\t\tselect {}\n\t}\n}\n"
	// Without the change it is quick when it is recorded, and slow from then on.
	const slow = `
func TestX(t *testing.T) {
	Same(1, 1)
	runs, _ := os.ReadFile("runs")
	if err := os.WriteFile("runs", append(runs, '.'), 0o600); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); len(runs) >= 2 && time.Since(began) < most[len(runs)%2]; {
		runtime.Gosched()
	}
}

var most = [2]time.Duration{time.Hour, time.Second}
`
	c := newTroubled(t, "")
	write(t, c, "p/p_test.go", "package p\n\nimport \"testing\"\n\n"+hangs)
	if err := mutate(t.Context(), c, []string{"./p", "-least", "100", "-patience", "5s"}); err != nil {
		t.Errorf("a mutant that hangs: %v", err)
	}
	c = newTroubled(t, "")
	write(t, c, "p/p_test.go", "package p\n\nimport (\n\t\"os\"\n\t\"runtime\"\n\t\"testing\"\n\t\"time\"\n)\n\n"+slow)
	err := mutate(t.Context(), c, []string{"./p", "-least", "1", "-patience", "2s"})
	if err == nil || !strings.Contains(err.Error(), "without the change") || !strings.Contains(err.Error(), "0 of 1") {
		t.Errorf("a machine that hangs: %v", err)
	}
}

func TestJudgeNamesTheTestsThatEndAProgram(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		out  string
		want ending
		by   []string
	}{
		"nothing":       {"", lost, nil},
		"plain exit":    {"FAIL\n", lost, nil},
		"out of memory": {"fatal error: runtime: out of memory\n\ngoroutine 7 [running]:\np.TestX(0x1)\n", lost, nil},
		"no thread":     {"fatal error: newosproc\n", lost, nil},
		"fails": {"--- FAIL: TestX (0.00s)\n    --- FAIL: TestX/one (0.00s)\nFAIL\n", failed,
			[]string{"TestX", "TestX"}},
		"example": {"--- FAIL: ExampleX (0.00s)\ngot:\n", failed, []string{"ExampleX"}},
		"panics":  {"--- FAIL: TestX (0.00s)\npanic: wrong [recovered]\n", failed, []string{"TestX"}},
		"panics elsewhere": {"panic: wrong\n\ngoroutine 7 [running]:\np.look()\ncreated by " +
			"p.TestX.func1 in goroutine 6\n",
			panicked, []string{"TestX"}},
		"panics without a name": {"panic: wrong\n\ngoroutine 7 [running]:\np.look()\n", panicked, nil},
		"reads a file that was cut": {"unexpected fault address 0x7f\nfatal error: " +
			"fault\n[signal SIGBUS]\np.TestX(0x1)\n",
			panicked, []string{"TestX"}},
		"no end to its calls": {"fatal error: stack overflow\n\np.f()\np.TestX(0x1)\n", panicked, []string{"TestX"}},
		"leaves a goroutine":  {"PASS\ngoleak: Errors on successful test run: found\n", panicked, nil},
		"times out": {"panic: test timed out after 1s\n\trunning tests:\n\t\tTestX (1s)\n\t\tTestY/one (1s)\n",
			timedOut, []string{"TestX", "TestY"}},
		"says so itself": {"wrong: panic: test timed out after 1s\n", lost, nil},
	} {
		end, by := judge([]byte(tt.out), exited(t))
		if diff := cmp.Diff(tt.by, by); end != tt.want || diff != "" {
			t.Errorf("%s: ending %d, want %d; names (-want +got):\n%s", name, end, tt.want, diff)
		}
	}
}

// exited is the error of a program that has failed.
func exited(t *testing.T) *exec.ExitError {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-no-such-flag")
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		t.Fatalf("got %v, want that it fails", err)
	}
	return exit
}

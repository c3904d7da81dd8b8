//go:build unix

package pages

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what is printed into the pages where they show something else")

// elsewhere are pages that other tests play.
var elsewhere = map[string]string{"ocs-first-steps.md": "rules/ocs plays every line of it"}

// adds are pages that add files to the checkout.
var adds = map[string]bool{"adding-a-ruleset.md": true}

// goInCheckout is a go command for the folder of a page. Packages are only in the checkout, so it works there; what it
// runs, runs where the reader is.
const goInCheckout = `#!/bin/sh
for word; do
  shift
  case "$word" in
    run) set -- "$@" run -exec "${0}here" ;;
    *.go) set -- "$@" "$PAGE/$word" ;;
    *) set -- "$@" "$word" ;;
  esac
done
cd "$CHECKOUT" && exec "%s" "$@"
`

// here runs a program in the folder of the page.
const here = `#!/bin/sh
cd "$PAGE" && exec "$@"
`

// TestPages runs every command of README and the tutorials, and compares every output.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs programs that are built without the race detector")
	}
	t.Parallel()
	bin := tools(t)
	files, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tutorials, %v", len(files), err)
	}
	for _, file := range append(files, "../../README.md") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if why := elsewhere[filepath.Base(file)]; why != "" {
				t.Skip(why)
			}
			t.Parallel()
			follow(t, file, bin)
		})
	}
}

// follow does all that a page says.
func follow(t *testing.T, file, bin string) {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := blocksOf(string(page))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := stepsOf(blocks)
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"python3", "curl"} {
		if _, err := exec.LookPath(program); err != nil && strings.Contains(string(page), program+" ") {
			t.Skipf("the page needs %s, which is not here", program)
		}
	}
	r := newReader(t, bin, adds[filepath.Base(file)])
	lines, grown := strings.Split(string(page), "\n"), 0
	r.differ = func(s step, got []string) {
		lines = slices.Replace(lines, s.line+grown, s.line+grown+len(s.want), got...)
		grown += len(got) - len(s.want)
	}
	for _, s := range steps {
		if err := r.do(s); err != nil && (!*rewrite || !s.shown) {
			t.Fatalf("%s:%d: %v", file, s.line, err)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tools makes a folder with the programs, as `go install` would fill it, and with the go command of the pages.
func tools(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	install := exec.Command(goCommand, "install", "./cmd/warledger", "./cmd/warledgerd")
	install.Dir, install.Env = "../..", append(os.Environ(), "GOBIN="+bin)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, script := range map[string]string{"go": fmt.Sprintf(goInCheckout, goCommand), "gohere": here} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

package mutation

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program has a change in every kind of place. It prints what one can tell the changes by.
const program = `package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const width = 3

type row [width]int

var first = 5

func main() {
	var r row
	r[2] = 1
	sum := 0
	for i := 0; i*i < 16; i++ {
		sum += i // a comment
	}
	var b strings.Builder
	if b.WriteString("x"); sum == 6 {
		b.WriteString("six")
	}
	for fmt.Fprint(&b, "<"); b.Len() < 9; fmt.Fprint(&b, ">") {
		b.WriteString(
			"9")
	}
	var wait time.Duration = 2 * time.Second
	var half float64 = 7 / 2
	mode := os.ModePerm // of a package that is not imported here
	fmt.Println(len(r), r, first, sum, b.String()+"", wait, half, mode&1, wait > 0 && sum<<1 > 3)
}
`

// load writes files of a module and loads one of its packages.
func load(t *testing.T, path string, files map[string]string) *Source {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files["go.mod"] = "module example.org/m\n\ngo 1.26\n"
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := Load(t.Context(), root, path)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// build makes a program of chosen files.
func build(t *testing.T, s *Source, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for name, text := range files {
		changed := filepath.Join(dir, filepath.Base(name))
		replace[filepath.Join(s.root, name)] = changed
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay="+filepath.Join(dir, "overlay"),
		"-o", filepath.Join(dir, "program"), s.Path())
	cmd.Dir = s.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "program")
}

func TestOneProgramHoldsEveryMutant(t *testing.T) {
	t.Parallel()
	s := load(t, ".", map[string]string{"p.go": program})
	mutants, err := s.Mutants()
	if err != nil {
		t.Fatal(err)
	}
	choice, err := s.Choose(mutants)
	if err != nil {
		t.Fatal(err)
	}
	exe := build(t, s, choice.Files)
	run := func(env ...string) string {
		cmd := exec.CommandContext(t.Context(), exe)
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "breaks"
		}
		return strings.TrimSpace(string(out))
	}
	if got, want := run(), "3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true"; got != want {
		t.Errorf("without a mutant: %s, want %s", got, want)
	}
	var got []string
	for n, m := range mutants {
		line := strings.TrimPrefix(m.Says, "condition ")
		switch {
		case choice.Alone[n]:
			line += ": alone"
		case choice.Refused[n]:
			line += ": refused"
		default:
			line += ": " + run(Variable+"="+strconv.Itoa(n+1))
		}
		got = append(got, line)
	}
	want := []string{
		"3 becomes 4: alone",
		"5 becomes 6: 3 [0 0 1] 6 6 xsix<9>9> 2s 3 ---------x true",
		"2 becomes 3: breaks",
		"1 becomes 2: 3 [0 0 2] 5 6 xsix<9>9> 2s 3 ---------x true",
		"0 becomes 1: 3 [0 0 1] 5 7 x<9>9>9>9> 2s 3 ---------x true",
		"0 becomes 1: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"< becomes <=: 3 [0 0 1] 5 10 x<9>9>9>9> 2s 3 ---------x true",
		"* becomes +: 3 [0 0 1] 5 28 x<9>9>9>9> 2s 3 ---------x true",
		"16 becomes 17: 3 [0 0 1] 5 10 x<9>9>9>9> 2s 3 ---------x true",
		"++ becomes --: 3 [0 0 1] 5 -6 x<9>9>9>9> 2s 3 ---------x false",
		"+= becomes -=: 3 [0 0 1] 5 -6 x<9>9>9>9> 2s 3 ---------x false",
		"negated: 3 [0 0 1] 5 6 x<9>9>9>9> 2s 3 ---------x true",
		"call dropped: 3 [0 0 1] 5 6 six<9>9>9> 2s 3 ---------x true",
		"== becomes !=: 3 [0 0 1] 5 6 x<9>9>9>9> 2s 3 ---------x true",
		"6 becomes 7: 3 [0 0 1] 5 6 x<9>9>9>9> 2s 3 ---------x true",
		"call dropped: 3 [0 0 1] 5 6 x<9>9>9>9> 2s 3 ---------x true",
		"call dropped: 3 [0 0 1] 5 6 xsix9>9>9> 2s 3 ---------x true",
		"< becomes <=: 3 [0 0 1] 5 6 xsix<9>9>9> 2s 3 ---------x true",
		"9 becomes 10: 3 [0 0 1] 5 6 xsix<9>9>9> 2s 3 ---------x true",
		"call dropped: 3 [0 0 1] 5 6 xsix<9999 2s 3 ---------x true",
		"call dropped: 3 [0 0 1] 5 6 xsix<>>>> 2s 3 ---------x true",
		"* becomes +: 3 [0 0 1] 5 6 xsix<9>9> 1.000000002s 3 ---------x true",
		"2 becomes 3: 3 [0 0 1] 5 6 xsix<9>9> 3s 3 ---------x true",
		"/ becomes *: 3 [0 0 1] 5 6 xsix<9>9> 2s 14 ---------x true",
		"7 becomes 8: 3 [0 0 1] 5 6 xsix<9>9> 2s 4 ---------x true",
		"2 becomes 3: 3 [0 0 1] 5 6 xsix<9>9> 2s 2 ---------x true",
		"call dropped: ",
		"+ becomes -: refused",
		"& becomes |: alone",
		"1 becomes 2: alone",
		"&& becomes ||: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"> becomes >=: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"0 becomes 1: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"> becomes >=: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"<< becomes >>: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x false",
		"1 becomes 2: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
		"3 becomes 4: 3 [0 0 1] 5 6 xsix<9>9> 2s 3 ---------x true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	record := filepath.Join(t.TempDir(), "record")
	if err := os.WriteFile(record, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := run(Variable+"=-1", RecordVariable+"="+record), run(); got != want {
		t.Errorf("with a record it prints %s, want %s", got, want)
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	reached := strings.Fields(string(text))
	for n, m := range mutants {
		if built := !choice.Alone[n] && !choice.Refused[n]; slices.Contains(reached, strconv.Itoa(n+1)) != built {
			t.Errorf("%v: built in is %v, the record says otherwise: %v", m, built, reached)
		}
	}
}

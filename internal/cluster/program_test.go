//go:build linux

package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// programs are the server as it is, and as it is built to have faults.
var programs struct {
	mu      sync.Mutex
	folder  string
	product string
	planted string
}

// source is the folder of the program.
const source = "../../cmd/warledgerd"

// product builds the server, once for all tests.
func product(t testing.TB) string {
	t.Helper()
	return built(t, &programs.product, "warledgerd")
}

// withFaults builds the server with faults that the environment turns on. The product has no such switches: the build
// puts another text in the place of one of its files.
func withFaults(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	path, err := filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(path, "assemble.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	for _, change := range [][2]string{
		{"Store: store.Store,", "Store: planted(store.Store), Clock: plantedClock,"},
		{"\tsvc, err := service.New(", "\tnotices.Alarm = plantedAlarm\n\tsvc, err := service.New("},
	} {
		if strings.Count(changed, change[0]) != 1 {
			t.Fatalf("assemble.go does not have %q once, where faults are planted", change[0])
		}
		changed = strings.Replace(changed, change[0], change[1], 1)
	}
	plants, err := filepath.Abs("testdata/planted.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	assembled, overlay := filepath.Join(folder, "assemble.go"), filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(path, "assemble.go"): assembled, filepath.Join(path, "planted.go"): plants,
	}})
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string]string{assembled: changed, overlay: string(list)} {
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return built(t, &programs.planted, "warledgerd-planted", "-overlay", overlay)
}

func built(t testing.TB, where *string, name string, flags ...string) string {
	t.Helper()
	programs.mu.Lock()
	defer programs.mu.Unlock()
	if *where != "" {
		return *where
	}
	if programs.folder == "" {
		var err error
		if programs.folder, err = os.MkdirTemp("", "wlcluster"); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(programs.folder, name)
	args := append(append([]string{"build", "-o", out}, flags...), source)
	if said, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	*where = out
	return out
}

// began is the moment from which quick clocks run, the same for all.
var began = time.Now().Unix()

// node is a server.
type node struct {
	*machine
	path    string
	planted string
	args    []string
}

const (
	publicPort = "7480"
	opsPort    = "7481"
)

// newNode starts a server on databases.
func newNode(t testing.TB, n *network, i int, path, planted, store, key string, more ...string) *node {
	t.Helper()
	m := newMachine(t, n, fmt.Sprintf("10.77.0.1%d", i))
	host := m.address.String()
	node := &node{machine: m, path: path, planted: planted, args: append([]string{
		"--listen", host + ":" + publicPort, "--web", "off", "--ops", host + ":" + opsPort, "--store", store,
		"--signing-key", key, "--with-toy", "--free-addresses", "10.77.0.0/24",
		"--webhook-networks",
		"10.77.0.0/24", "--deadline-grace", "1s", "--log-level", "warn", "--memory-percent", "10",
	}, more...)}
	node.begin()
	return node
}

func (n *node) begin() {
	cmd := exec.Command(n.path, n.args...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { // which are settings of the program
		return strings.HasPrefix(v, "WARLEDGER_")
	}), "PLANTED="+n.planted)
	n.start(cmd)
}

// target is where clients call it.
func (n *node) target() string { return n.address.String() + ":" + publicPort }

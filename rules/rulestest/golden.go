package rulestest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// GoldenLogs folds every log stored in a directory and compares the position after each record with the one that the
// log had when it was written. Stored logs are never regenerated: what was stored folds to the same positions for ever,
// also when rules are corrected. A record that would be decided otherwise today is only logged.
//
// RULESTEST_GOLDEN=1 plays a random game of each scenario, with all options on, and stores it beside those that are
// there, by the version of the ruleset; a file that exists stays.
//
// A log is text: a header, then for each record the command, rolls, events in base64 with their text
// behind, and the hash.
func GoldenLogs(t *testing.T, set rules.Ruleset, dir string, cfg Config) {
	t.Helper()
	if os.Getenv("RULESTEST_GOLDEN") != "" {
		writeGolden(t, set, dir, cfg.withDefaults())
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no logs; RULESTEST_GOLDEN=1 writes some", dir)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			notes, err := foldGolden(set, data)
			for _, note := range notes {
				t.Log(note)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func writeGolden(t *testing.T, set rules.Ruleset, dir string, cfg Config) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, doc := range set.ScenarioDocuments() {
		for i, choice := range choices(set.About(), 1) {
			name := fmt.Sprintf("%s-v%d-%s.log", doc.ID, set.About().Version, [...]string{"plain", "options"}[i])
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				continue
			}
			data, err := playGolden(set, doc, choice, cfg)
			if err == nil {
				err = os.WriteFile(path, data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// playGolden plays a random game and writes its log.
func playGolden(set rules.Ruleset, doc rules.Document, choice map[string]string, cfg Config) ([]byte, error) {
	sc, faults := set.LoadScenario(doc.Data)
	if faults.Fatal() {
		return nil, faults
	}
	options, err := set.About().NewOptions(choice)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	about := set.About()
	fmt.Fprintf(&b, "ruleset %s version %d schema %d\nscenario %s\noptions %s\n",
		about.Name, about.Version, about.SchemaVersion, doc.ID, optionText(options.Map()))
	m := &match{cfg: cfg, set: set, about: about, sc: sc, options: options, rnd: dice.NewSeeded(1)}
	m.game = set.New(sc, options)
	out, err := m.game.Start(m.rnd)
	if err != nil {
		return nil, err
	}
	writeRecord(&b, m, "start", out)
	for range cfg.Commands {
		if m.game.Ending() != nil {
			break
		}
		t := m.choose(m.game)
		next, out, err := m.game.Play(t.seat, t.c, m.rnd)
		if err != nil {
			return nil, err
		}
		m.game = next
		writeRecord(&b, m, "command "+about.SeatID(t.seat)+" "+t.text, out)
	}
	return b.Bytes(), nil
}

func writeRecord(b *bytes.Buffer, m *match, head string, out *rules.Outcome) {
	b.WriteString(head + "\n")
	for _, r := range out.Rolls {
		fmt.Fprintf(b, "roll %d %d %s\n", r.Sides, r.Value, r.Reason)
	}
	for _, e := range out.Events {
		fmt.Fprintf(b, "event %s # %s\n", base64.StdEncoding.EncodeToString(encode(e.Event)), MessageText(e.Event))
	}
	hash := m.game.Hash()
	fmt.Fprintf(b, "hash %s\n", hex.EncodeToString(hash[:]))
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

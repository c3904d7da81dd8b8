package rulestest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// GoldenLogs folds every log stored in a directory and compares the position after each record with the one that the log had when
// it was written. Stored logs are never regenerated: what was stored folds to the same positions for ever, also when rules are
// corrected. A record that would be decided otherwise today is only logged.
//
// RULESTEST_GOLDEN=1 plays a random game of each scenario, with all options on, and stores it beside those that are there, by the
// version of the ruleset; a file that exists stays.
//
// A log is text: a header, then for each record the command, rolls, events in base64 with their text behind, and the hash.
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
	fmt.Fprintf(&b, "ruleset %s version %d schema %d\nscenario %s\noptions %s\n", about.Name, about.Version, about.SchemaVersion, doc.ID, optionText(options.Map()))
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

// golden is a log that is being folded.
type golden struct {
	set     rules.Ruleset
	sc      rules.Scenario
	options rules.Options
	game    rules.Game // by folding
	before  rules.Game // at the beginning of the record
	head    string
	rolls   []dice.Roll
	events  [][]byte
	notes   []string
}

// foldGolden folds a log. Notes say where today's rules decide otherwise.
func foldGolden(set rules.Ruleset, data []byte) (notes []string, err error) {
	g := &golden{set: set}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if err := g.line(lines.Text()); err != nil {
			return g.notes, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return g.notes, lines.Err()
}

func (g *golden) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "ruleset":
		if name, _, _ := strings.Cut(rest, " "); name != g.set.About().Name {
			return fmt.Errorf("a log of the ruleset %s", name)
		}
	case "scenario":
		return g.scenario(rest)
	case "options":
		values := map[string]string{}
		for _, part := range strings.Split(rest, ",") {
			if id, value, ok := strings.Cut(part, "="); ok {
				values[id] = value
			}
		}
		var err error
		g.options, err = g.set.About().NewOptions(values)
		return err
	case "start", "command":
		if g.game == nil {
			g.game = g.set.New(g.sc, g.options)
		}
		g.head, g.before, g.rolls, g.events = line, g.game.Clone(), nil, nil
	case "roll":
		var sides, value uint8
		if _, err := fmt.Sscanf(rest, "%d %d", &sides, &value); err != nil {
			return err
		}
		g.rolls = append(g.rolls, dice.Roll{Index: uint32(len(g.rolls)), Sides: sides, Value: value})
	case "event":
		return g.event(rest)
	case "hash":
		hash := g.game.Hash()
		if got := hex.EncodeToString(hash[:]); got != rest {
			return fmt.Errorf("after %q the log folds to another position than it did:\n%s", g.head, g.game.Notation())
		}
		if note := g.decide(); note != "" {
			g.notes = append(g.notes, note)
		}
	default:
		return fmt.Errorf("unknown line %q", word)
	}
	return nil
}

func (g *golden) scenario(id string) error {
	for _, doc := range g.set.ScenarioDocuments() {
		if doc.ID == id {
			var faults rules.Faults
			if g.sc, faults = g.set.LoadScenario(doc.Data); faults.Fatal() {
				return faults
			}
			return nil
		}
	}
	return fmt.Errorf("the ruleset has no scenario %s any more", id)
}

func (g *golden) event(rest string) error {
	text, _, _ := strings.Cut(rest, " ")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	g.events = append(g.events, data)
	for _, lang := range langs {
		g.set.Narrate(g.sc, lang, data)
	}
	return g.game.Fold(data)
}

// decide decides the record again and says how today's rules differ.
func (g *golden) decide() string {
	src := dice.NewScript(g.rolls)
	out := new(rules.Outcome)
	var err error
	if g.head == "start" {
		out, err = g.before.Start(src)
	} else {
		err = g.command(src, out)
	}
	if err == nil {
		err = src.Done()
	}
	if err != nil {
		return fmt.Sprintf("today's rules decide %q otherwise: %v", g.head, err)
	}
	var events [][]byte
	for _, e := range out.Events {
		events = append(events, encode(e.Event))
	}
	if !bytes.Equal(bytes.Join(events, []byte{0}), bytes.Join(g.events, []byte{0})) {
		return fmt.Sprintf("today's rules decide %q otherwise", g.head)
	}
	return ""
}

func (g *golden) command(src dice.Source, out *rules.Outcome) error {
	parts := strings.SplitN(g.head, " ", 3)
	if len(parts) != 3 {
		return errors.New("expected a seat and a command")
	}
	seat, _ := g.set.About().SeatByID(parts[1])
	c, err := g.before.ParseCommand(parts[2])
	if err != nil {
		return err
	}
	return g.before.Apply(seat, c, src, out)
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

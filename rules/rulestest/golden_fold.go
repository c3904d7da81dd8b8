package rulestest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

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

package rulestest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// RunCases runs rule cases that are data: every file under a directory, each as a parallel subtest. A file says with
// comments which paragraphs it proves, at most six a line, each line above the directives that prove them,
//
//	# rules: TY 4.1, TY 4.2
//
// and is a list of directives with their expected answers, which -rewrite writes anew, to be read as a diff:
//
//	new scenario=ridge [seed=1] [dice=(3,4)] [pursuit=true ...]   begin a game; every other argument is an option
//	position scenario=ridge    the input is a position in its notation
//	start [dice=(5)]           the automatic steps up to the first decision: for a position in which nobody is
//	                           asked anything
//	edit                       the input is lines "old => new"; old is found in the position's notation once
//	play seat=red [dice=(5)]   the input is commands; the answer is rolls, events or refusals, and what is then asked
//	check seat=red             the input is commands; the answer is whether each is legal
//	legal seat=red [kind=move] [piece=r1] [space=0202]    the commands that are legal
//	outcomes seat=red [limit=1000]    the input is a command; the answer is its outcomes with their chances
//	prompts [viewer=red]       what is asked, by viewer: a seat, spectator, or (if left out) auditor
//	view [viewer=red]          the view, a line for each field
//	notation                   the position
//	diff                       the lines of the position that changed since the last new, position, edit or diff
//	perft depth=3 [seed=1]     counts of command sequences; see [Perft]
//
// Dice are taken from dice= in order; what is asked for beyond them is an answer, and so is what is left over.
func RunCases(t *testing.T, set rules.Ruleset, dir string) {
	t.Helper()
	files := 0
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		files++
		t.Parallel()
		lines, err := caseRules(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, ids := range lines {
			Proves(t, set, ids...)
		}
		c := &cases{set: set}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return c.run(t, d) })
	})
	if files == 0 {
		t.Errorf("%s has no case files", dir)
	}
}

// caseRules returns the paragraphs that a case file claims to prove, line by line.
func caseRules(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lines [][]string
	for _, line := range strings.Split(string(data), "\n") {
		rest, ok := strings.CutPrefix(line, "# rules:")
		if !ok {
			continue
		}
		var ids []string
		for _, id := range strings.Split(rest, ",") {
			ids = append(ids, strings.TrimSpace(id))
		}
		lines = append(lines, ids)
	}
	return lines, nil
}

// cases is what the directives of a file share.
type cases struct {
	set  rules.Ruleset
	game rules.Game
	mark string // notation that diff starts from
}

func (c *cases) run(t *testing.T, d *datadriven.TestData) string {
	if c.game == nil && d.Cmd != "new" && d.Cmd != "position" {
		d.Fatalf(t, "begin with new or position")
	}
	switch d.Cmd {
	case "new":
		return c.begin(t, d)
	case "position":
		return c.place(t, d, c.scenario(t, d), d.Input+"\n")
	case "start":
		return c.start(t, d)
	case "edit":
		return c.edit(t, d)
	case "play":
		return c.play(t, d)
	case "check":
		return c.check(t, d)
	case "legal":
		return c.legal(t, d)
	case "outcomes":
		return c.outcomes(t, d)
	case "prompts":
		return c.prompts(t, d)
	case "view":
		return c.view(t, d)
	case "notation":
		return c.game.Notation()
	case "diff":
		now := c.game.Notation()
		diff := lineDiff(c.mark, now)
		c.mark = now
		return orNothing(diff)
	case "perft":
		return c.perft(t, d)
	}
	d.Fatalf(t, "there is no directive %s", d.Cmd)
	return ""
}

func orNothing(s string) string {
	if s == "" {
		return "nothing\n"
	}
	return s
}

func (c *cases) scenario(t *testing.T, d *datadriven.TestData) rules.Scenario {
	var id string
	d.ScanArgs(t, "scenario", &id)
	for _, doc := range c.set.ScenarioDocuments() {
		if doc.ID == id {
			sc, faults := c.set.LoadScenario(doc.Data)
			if faults.Fatal() {
				d.Fatalf(t, "%v", faults)
			}
			return sc
		}
	}
	d.Fatalf(t, "the ruleset has no scenario %s", id)
	return nil
}

func (c *cases) begin(t *testing.T, d *datadriven.TestData) string {
	sc := c.scenario(t, d)
	seed, values := uint64(1), map[string]string{}
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "scenario", "dice":
		case "seed":
			arg.Scan(t, 0, &seed)
		default:
			values[arg.Key] = arg.SingleVal(t)
		}
	}
	options, err := c.set.About().NewOptions(values)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	c.game = c.set.New(sc, options)
	var src dice.Source = dice.NewSeeded(seed)
	if d.HasArg("dice") {
		src = dice.NewManual(diceArg(t, d))
	}
	out, err := c.game.Start(src)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	c.mark = c.game.Notation()
	return c.told(out) + c.asked()
}

func (c *cases) place(t *testing.T, d *datadriven.TestData, sc rules.Scenario, text string) string {
	g, err := c.set.ParsePosition(sc, text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	c.game, c.mark = g, g.Notation()
	return c.asked()
}

// start continues a position that waits for nobody. Unused dice are part of the answer.
func (c *cases) start(t *testing.T, d *datadriven.TestData) string {
	thrown := dice.NewManual(diceArg(t, d))
	out, err := c.game.Start(thrown)
	if err != nil {
		return err.Error() + "\n"
	}
	if err := thrown.Done(); err != nil {
		return err.Error() + "\n"
	}
	return c.told(out) + c.asked()
}

func (c *cases) edit(t *testing.T, d *datadriven.TestData) string {
	text := c.game.Notation()
	for _, line := range strings.Split(d.Input, "\n") {
		before, after, ok := strings.Cut(line, " => ")
		if n := strings.Count(text, before); !ok || n != 1 {
			d.Fatalf(t, "%q: expected \"old => new\" with old in the position once, not %d times", line, n)
		}
		text = strings.Replace(text, before, after, 1)
	}
	return c.place(t, d, c.game.Scenario(), text)
}

func (c *cases) play(t *testing.T, d *datadriven.TestData) string {
	seat, thrown := c.seat(t, d), dice.NewManual(diceArg(t, d))
	var b strings.Builder
	for _, text := range strings.Split(d.Input, "\n") {
		fmt.Fprintf(&b, "> %s\n", text)
		command, err := c.game.ParseCommand(text)
		if err != nil {
			b.WriteString(refusalText(err))
			continue
		}
		next, out, err := c.game.Play(seat, command, thrown)
		if err != nil {
			b.WriteString(refusalText(err))
			continue
		}
		c.game = next
		b.WriteString(c.told(out))
	}
	if err := thrown.Done(); err != nil {
		fmt.Fprintf(&b, "dice: %v\n", err)
	}
	return b.String() + c.asked()
}

func (c *cases) check(t *testing.T, d *datadriven.TestData) string {
	seat := c.seat(t, d)
	var b strings.Builder
	for _, text := range strings.Split(d.Input, "\n") {
		command, err := c.game.ParseCommand(text)
		if err == nil {
			err = c.game.Check(seat, command)
		}
		if err != nil {
			fmt.Fprintf(&b, "%s: %s", text, refusalText(err))
		} else {
			fmt.Fprintf(&b, "%s: legal\n", text)
		}
	}
	return b.String()
}

func refusalText(err error) string {
	var r *rules.Refusal
	if !errors.As(err, &r) {
		return fmt.Sprintf("dice: %v\n", err)
	}
	return fmt.Sprintf("refused: %s: %v\n", r.Reason, r)
}

func (c *cases) legal(t *testing.T, d *datadriven.TestData) string {
	var f rules.Filter
	d.MaybeScanArgs(t, "kind", &f.Kind)
	d.MaybeScanArgs(t, "piece", &f.Piece)
	d.MaybeScanArgs(t, "space", &f.Space)
	var b strings.Builder
	for command := range c.game.Legal(c.seat(t, d), f) {
		b.WriteString(c.game.FormatCommand(command) + "\n")
	}
	return orNothing(b.String())
}

func (c *cases) seat(t *testing.T, d *datadriven.TestData) rules.Seat {
	var id string
	d.ScanArgs(t, "seat", &id)
	seat, ok := c.set.About().SeatByID(id)
	if !ok {
		d.Fatalf(t, "the ruleset has no seat %s", id)
	}
	return seat
}

func (c *cases) viewer(t *testing.T, d *datadriven.TestData) rules.Viewer {
	id := "auditor"
	d.MaybeScanArgs(t, "viewer", &id)
	switch id {
	case "auditor":
		return rules.Auditor
	case "spectator":
		return rules.Spectator
	}
	seat, ok := c.set.About().SeatByID(id)
	if !ok {
		d.Fatalf(t, "there is no viewer %s", id)
	}
	return rules.SeatViewer(seat)
}

func diceArg(t *testing.T, d *datadriven.TestData) []uint32 {
	arg, ok := d.Arg("dice")
	if !ok {
		return nil
	}
	values := make([]uint32, len(arg.Vals))
	for i := range arg.Vals {
		arg.Scan(t, i, &values[i])
	}
	return values
}

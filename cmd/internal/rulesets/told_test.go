package rulesets

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// TestRollsAddUp plays random games of every shipped scenario and reads what is told of each roll: the dice or their
// sum, each modifier with its name in brackets, and what that comes to. Whoever adds it up gets the same.
func TestRollsAddUp(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("rules start no goroutines: the run without the race detector reads all rolls")
	}
	for _, set := range Offered() {
		for _, doc := range set.ScenarioDocuments() {
			for _, all := range []bool{false, true} {
				name := set.About().Name + "/" + doc.ID
				if all {
					name += "/options"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					sc, faults := set.LoadScenario(doc.Data)
					if sc == nil {
						t.Fatal(faults)
					}
					o, err := set.About().NewOptions(everyOption(set.About(), all))
					if err != nil {
						t.Fatal(err)
					}
					l := &listener{set: set, sc: sc, wrong: map[string]string{}, seen: map[string]int{},
						tens: o.On("d10_from_2d6")}
					l.play(t, set.New(sc, o), dice.NewSeeded(7), toldDecisions)
					l.report(t)
				})
			}
		}
	}
}

// toldDecisions is how many decisions of each game are made.
const toldDecisions = 300

// toldLater are the reasons of dice that are told once a choice is made for which they ask: among equal air units their
// owner chooses who is hit (OCS 14.4f).
var toldLater = map[string]bool{"mission-loss": true}

// everyOption chooses the last value of each option, if all is true, which often is that it is on.
func everyOption(a *rules.About, all bool) map[string]string {
	if !all {
		return nil
	}
	chosen := map[string]string{}
	for _, o := range a.Options {
		chosen[o.ID] = o.Values[len(o.Values)-1]
	}
	return chosen
}

// listener hears what is told of rolls.
type listener struct {
	set rules.Ruleset
	sc  rules.Scenario
	// seen counts rolls by their reason, and wrong has what is wrong with those of a reason, once each.
	seen  map[string]int
	wrong map[string]string
	// owed are dice that the next record tells.
	owed [][]rules.Rolled
	// tens says that two six-sided dice make a ten-sided one (DF 15.5).
	tens bool
}

// pairs are the ten-sided dice that two six-sided ones make: the first adds 5 from 4 on, and a 6 of the second is
// thrown again.
func pairs(run []rules.Rolled) (made []rules.Rolled) {
	for i := 0; i+1 < len(run); i++ {
		one := run[i]
		for i++; i+1 < len(run) && run[i].Value == 6; i++ {
		}
		one.Value = one.Value/4*5 + run[i].Value
		made = append(made, one)
	}
	return made
}

// play makes random decisions and hears their outcomes.
func (l *listener) play(t *testing.T, g rules.Game, d *dice.Seeded, decisions int) {
	t.Helper()
	playRandomly(t, g, d, decisions, l.hear)
}

// playRandomly makes random decisions, of each list a kind first, and has the outcome of each heard.
func playRandomly(
	t *testing.T, g rules.Game, d *dice.Seeded, decisions int, hear func(*testing.T, *rules.Outcome),
) {
	t.Helper()
	first, err := g.Start(d)
	if err != nil {
		t.Fatal(err)
	}
	hear(t, first)
	var list rules.Listing
	for range decisions {
		seat := rules.NoSeat
		for s := range g.Waiting().Each {
			seat = s
			break
		}
		if seat == rules.NoSeat {
			return
		}
		list = g.List(seat, rules.Filter{}, list)
		byKind := map[string][]rules.Command{}
		for i := range list.Len() {
			if c := list.At(i); !rules.IsOffer(g, c) {
				byKind[g.KindOf(c)] = append(byKind[g.KindOf(c)], c)
			}
		}
		kinds := slices.Sorted(maps.Keys(byKind))
		of := byKind[kinds[d.Below(uint32(len(kinds)))]]
		out := new(rules.Outcome)
		if err := g.Apply(seat, of[d.Below(uint32(len(of)))], d, out); err != nil {
			t.Fatal(err)
		}
		hear(t, out)
	}
}

// hear compares each run of dice of one reason with what is told after it.
func (l *listener) hear(t *testing.T, out *rules.Outcome) {
	t.Helper()
	told := make([]string, len(out.Events))
	for i, e := range out.Events {
		data, err := proto.Marshal(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		told[i] = l.set.Narrate(l.sc, rules.English, data)
	}
	for _, run := range l.owed {
		reason := run[0].Reason
		if l.owed = nil; !strings.Contains(strings.Join(told, "\n"), fmt.Sprintf("die %d", run[0].Value)) {
			l.wrong["roll: "+reason] = fmt.Sprintf("%d is not told after the choice in %q", run[0].Value, told)
		}
	}
	for i := 0; i < len(out.Rolls); {
		end := i + 1
		for end < len(out.Rolls) && out.Rolls[end].Reason == out.Rolls[i].Reason {
			end++
		}
		var after []string
		for k, e := range out.Events {
			if e.RollsBefore > i {
				after = append(after, told[k])
			}
		}
		l.roll(out.Rolls[i:end], strings.Join(after, "\n"))
		i = end
	}
	for _, text := range told {
		for _, wrong := range misadded(text) {
			l.wrong["sum: "+shape.ReplaceAllString(text, "#")] = wrong + " in " + text
		}
	}
}

// roll checks that dice are told, each or their sum.
func (l *listener) roll(run []rules.Rolled, after string) {
	reason := run[0].Reason
	l.seen[reason]++
	numbers := map[int]bool{}
	for _, n := range number.FindAllString(after, -1) {
		v, _ := strconv.Atoi(n)
		numbers[v] = true
	}
	var dice []string
	for _, r := range run {
		dice = append(dice, strconv.Itoa(int(r.Value)))
	}
	// Each die, or the sums of two by two, as where each side throws two, or the sum of all.
	if !told(run, 1, numbers) && !told(run, 2, numbers) && !told(run, len(run), numbers) &&
		!(l.tens && told(pairs(run), 1, numbers)) {
		if toldLater[reason] {
			l.owed = append(l.owed, run)
			return
		}
		l.wrong["roll: "+reason] = fmt.Sprintf("%s is not told in %q", strings.Join(dice, " + "), after)
	}
}

// told reports whether the sums of dice, so many at a time, are among numbers.
func told(run []rules.Rolled, many int, numbers map[int]bool) bool {
	if len(run)%many != 0 {
		return false
	}
	for i := 0; i < len(run); i += many {
		sum := 0
		for _, r := range run[i : i+many] {
			sum += int(r.Value)
		}
		if !numbers[sum] {
			return false
		}
	}
	return true
}

func (l *listener) report(t *testing.T) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(l.wrong)) {
		t.Errorf("%s: %s", key, l.wrong[key])
	}
	t.Log(l.seen)
}

var (
	number = regexp.MustCompile(`\d+`)
	shape  = regexp.MustCompile(`\d+`)
	// equation is a sum with what it comes to. Each part but the first dice has its name in brackets.
	equation = regexp.MustCompile(`(−?\d+(?: \([^)]*\))?(?: [+−] \d+(?: \([^)]*\))?)*) = (-?−?\d+)`)
	part     = regexp.MustCompile(`(^−?| [+−] )(\d+)( \([^)]*\))?`)
	// unnamed is a modifier that is told only as a number.
	unnamed = regexp.MustCompile(`(?i)\bmodif(?:ier|iers|ied):? -?−?\d+`)
)

// misadded finds what is wrong with the sums in a sentence: they come to something else, an amount has no name, or
// nothing says what a modifier is made of.
func misadded(text string) (wrong []string) {
	for _, m := range equation.FindAllStringSubmatch(text, -1) {
		sum, named := 0, false
		for i, p := range part.FindAllStringSubmatch(m[1], -1) {
			n, _ := strconv.Atoi(p[2])
			if strings.Contains(p[1], "−") {
				n = -n
			}
			sum += n
			if p[3] != "" {
				named = true
			} else if i > 0 && (named || n < 0) {
				wrong = append(wrong, fmt.Sprintf("%d has no name", n))
			}
		}
		if want := strings.NewReplacer("−", "-").Replace(m[2]); want != strconv.Itoa(sum) {
			wrong = append(wrong, fmt.Sprintf("%s is %d", m[0], sum))
		}
	}
	if m := unnamed.FindString(text); m != "" {
		wrong = append(wrong, fmt.Sprintf("%q has no parts", m))
	}
	slices.SortFunc(wrong, cmp.Compare[string])
	return wrong
}

// TestMisadded: what the test above looks for is found where it is.
func TestMisadded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"roll 7 + 1 (air base) − 2 (far) = 6; hit":        0,
		"Surprise: 3 + 4 − 1 (hedgehog) = 6, no surprise": 0,
		"shift 0 − 2 (no unit spots) = -2, so":            0,
		"shift 0 = 0, so":                                 0,
		"roll 7 + 1 (air base) = 9":                       1,
		"roll 7 + 1 (air base) + 2 = 10":                  1,
		"roll 7 − 2 = 5":                                  1,
		"roll 7, modifier 3; hit":                         1,
		"the die shows 3, modified 5":                     1,
	} {
		if got := misadded(text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

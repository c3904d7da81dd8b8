package rulesets

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// ended is how a procedure of a ruleset ends: by an event that is told by a sentence of its outcome.
type ended struct {
	// event ends it, and says is what its sentence must have.
	event, says string
	// after are the events of the same procedure that tell the outcome, if the last sentence only says that it is over:
	// one of them at least must have been told since the event that began it.
	began string
	after []string
	// alone is in a last sentence that needs none before it: a sweep that meets nobody has done nothing else.
	alone string
	// rare says that few random games have it.
	rare bool
}

// endings are the procedures of each ruleset by the events that end them.
var endings = map[string][]ended{
	"ocs": {
		{event: "combat_ended", says: `^The combat in .+ is over: (Red|Blue|Axis|Soviets?) stands? in the hex\.$|` +
			`^The combat in .+ is over: no combat unit is left in the hex\.$`},
		{event: "overrun_ended", says: ` enter .+\.$|is over: nobody enters the hex\.$`},
		{event: "losses_taken", says: ` loses \d+ steps? and (retreats \d+ hex(es)?|ignores its options)`},
		{event: "units_retreated", says: ` retreats?: .+; \d+ steps? lost`},
		{event: "barrage_resolved", says: `DG: (yes|no); steps lost: \d+`},
		{event: "port_barraged", says: `\d+ hits?, \d+ in all`},
		{event: "air_base_barraged", says: `level \d now|it stays`},
		{event: "ship_barraged", says: `hits \d+, DG (yes|no)`},
		{event: "flak_rolled", says: `hit: (yes|no)`},
		{event: "air_round", says: `Aborts: .+ (yes|no), .+ (yes|no);.* step loss (yes|no)`},
		{event: "air_combat_ended", says: `^The air combat over .+ is over\.$`, began: "air_combat_joined",
			after: []string{"air_units_aborted", "air_round", "air_step_lost", "air_unit_returned"}},
		{event: "mission_ended", says: `^The mission of (Red|Blue|Axis|Soviets?) to .+ is over: .+\.$`,
			began: "mission_flown", after: []string{"barrage_resolved", "port_barraged", "air_base_barraged",
				"ship_barraged", "train_busted", "cargo_landed", "cargo_lost", "drop_rolled", "air_unit_returned",
				// who aims at none of the ships that a barrage shows is told no more than that they are there
				"air_combat_ended", "air_step_lost", "air_units_aborted", "stack_shown"}, alone: "fighter sweep"},
		{event: "cargo_landed", says: `^Unloaded at .+: [^,].*\.$`},
		{event: "cargo_handled", says: `loads at .+: [^,].*\.$`},
		{event: "drop_rolled", says: `landed: (yes|no)|lost`, rare: true},
		{event: "landing_rolled", says: `all land|are lost|fails|none`},
		{event: "attrition_rolled", says: `\d+ steps? lost`},
		{event: "breakout_tried", says: `breaks out .* returns in turn \d+|fails to break out`},
		{event: "capture_rolled", says: `\w`, rare: true},
	},
	"downfall": {
		{event: "combat_ended", says: `^The combat in .+ is over: (Japan|United States) holds the hex\.$|` +
			`^The combat in .+ is over: nobody`},
		{event: "shot_fired", says: `a (hit|miss)|no effect|eliminated`},
		{event: "bomb_rolled", says: `explodes .*\d+ steps? of losses|is a dud`},
		{event: "exploded", says: `is laid waste`, rare: true},
		{event: "bomb_losses", says: `Steps lost to the bomb: .+ \d`, rare: true},
		{event: "kamikaze_rolled", says: `The US gets \d+ CP`},
		{event: "fleet_rolled", says: `is (there|away)`},
		{event: "army_rolled", says: `becomes available|does not come yet`, rare: true},
		{event: "supply_settled", says: `out of supply|Out of supply: .+`},
		{event: "landing_cancelled", says: `cancels|did not take place`},
		{event: "corps_landed", says: `lands|land`, rare: true},
		{event: "landing_failed", says: `fails`, rare: true},
		{event: "division_dropped", says: `\w`, rare: true},
	},
	"anniversary": {
		{event: "battle_ended", says: ` (wins in|holds|has left) |nobody has won`},
		{event: "bombarded", says: `\d+ hits?|No ship`},
		{event: "antiaircraft_fired", says: `shot down: |no hit|nothing|0 hits`},
		{event: "complex_raided", says: `\d+ damage`},
		{event: "rocket_launched", says: `\d+ damage`},
		{event: "research_rolled", says: `^$|breakthrough`},
		{event: "retreated", says: `retreats to .+: .+|break off`},
		{event: "territory_taken", says: `takes .+`},
		{event: "air_units_lost", says: `lost: .+`},
		{event: "transports_sunk", says: `destroyed: .+`},
		{event: "income_collected", says: `collects \d+ IPC`},
		{event: "landing_failed", says: `\w`, rare: true},
	},
}

// kindOf is the kind of an event: the field of its union that is set.
func kindOf(e proto.Message) string {
	m := e.ProtoReflect()
	for _, union := range []protoreflect.Name{"kind", "fact"} {
		if one := m.Descriptor().Oneofs().ByName(union); one != nil && m.WhichOneof(one) != nil {
			return string(m.WhichOneof(one).Name())
		}
	}
	return ""
}

// TestProceduresEndInWords plays random games of every shipped scenario: each event that ends a procedure is told by a
// sentence of its outcome, and where that only says that it is over the outcome was told before.
func TestProceduresEndInWords(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("rules start no goroutines: the run without the race detector reads all endings")
	}
	for _, set := range Offered() {
		t.Run(set.About().Name, func(t *testing.T) {
			t.Parallel()
			a := &audience{set: set, seen: map[string]int{}, since: map[string]map[string]bool{}}
			for _, e := range endings[set.About().Name] {
				a.ends = append(a.ends, e)
				a.says = append(a.says, regexp.MustCompile(e.says))
			}
			for _, doc := range set.ScenarioDocuments() {
				sc, faults := set.LoadScenario(doc.Data)
				if sc == nil {
					t.Fatal(faults)
				}
				o, err := set.About().NewOptions(nil)
				if err != nil {
					t.Fatal(err)
				}
				for seed := range uint64(2) {
					a.sc = sc
					clear(a.since)
					playRandomly(t, set.New(sc, o), dice.NewSeeded(11+seed), 2*toldDecisions, a.hear)
				}
			}
			for i, e := range a.ends {
				if a.seen[e.event] == 0 && !e.rare {
					t.Errorf("%s (%d): no random game has it", e.event, i)
				}
			}
			for _, wrong := range a.wrong {
				t.Error(wrong)
			}
			t.Log(a.seen)
		})
	}
}

// audience hears how procedures end.
type audience struct {
	set  rules.Ruleset
	sc   rules.Scenario
	ends []ended
	says []*regexp.Regexp
	seen map[string]int
	// since are the events that were told since the one that last began each procedure.
	since map[string]map[string]bool
	wrong []string
}

func (a *audience) hear(t *testing.T, out *rules.Outcome) {
	t.Helper()
	for _, e := range out.Events {
		data, err := proto.Marshal(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		kind, text := kindOf(e.Event), a.set.Narrate(a.sc, rules.English, data)
		for i, end := range a.ends {
			switch {
			case end.began != "" && kind == end.began:
				a.since[end.event] = map[string]bool{}
			case kind == end.event:
				a.seen[kind]++
				a.judge(end, a.says[i], text)
			case text != "" && a.since[end.event] != nil:
				a.since[end.event][kind] = true
			}
		}
	}
}

// judge notes what is wrong with the sentence of an ending, once for each event.
func (a *audience) judge(end ended, says *regexp.Regexp, text string) {
	wrong := ""
	switch {
	case !says.MatchString(text):
		wrong = fmt.Sprintf("%s: %q does not say how it ended", end.event, text)
	case len(end.after) > 0 && (end.alone == "" || !strings.Contains(text, end.alone)) &&
		!slices.ContainsFunc(end.after, func(k string) bool { return a.since[end.event][k] }):
		wrong = fmt.Sprintf("%s: %q, and nothing before it says how it ended", end.event, text)
	}
	known := slices.ContainsFunc(a.wrong, func(w string) bool { return strings.HasPrefix(w, end.event+":") })
	if wrong != "" && !known {
		a.wrong = append(a.wrong, wrong)
	}
}

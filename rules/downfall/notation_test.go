package downfall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// same compares positions field by field, apart from the scenario and its tables.
func same(t *testing.T, want, got *Position) {
	t.Helper()
	a, b := want.Clone(), got.Clone()
	a.sc, b.sc, a.tab, b.tab = nil, nil, nil, nil
	if !a.fight.on { // what a combat left behind means nothing
		a.fight, b.fight = fight{}, fight{}
	}
	if !a.decl.on {
		a.decl, b.decl = declaration{}, declaration{}
	}
	clear(a.bombTargets[a.bombCount:])
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(Position{}, declaration{}, fight{}, sideSets{})); diff != "" {
		t.Fatalf("the position that was read differs (-written +read)\n%s\n%s", diff, want.format())
	}
}

// Positions and commands of random games come back from their notation, and commands from their messages,
// whatever the options.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for seed := range uint64(12) {
		opt := (OptionSet(dice.NewSeeded(seed).Next()) & (1<<len(optionList) - 1)).withBid(int(seed % 9))
		t.Run(optionNames(opt), func(t *testing.T) {
			t.Parallel()
			n := 0
			last := wander(t, sc, opt, seed, func(p *Position, list []Command) {
				if n++; n%5 == 0 {
					reread(t, p)
				}
				for i := n % 7; i < len(list); i += 1 + len(list)/9 {
					commandRoundTrip(t, p, list[i])
				}
			})
			reread(t, last)
		})
	}
}

// wander plays random commands, one kind as likely as another, up to the end or to a number of decisions, and shows
// every position that waits.
func wander(t testing.TB, sc *Scenario, opt OptionSet, seed uint64, visit func(p *Position, list []Command)) *Position {
	t.Helper()
	var ref referee
	rng, out := dice.NewSeeded(seed), new(rules.Outcome)
	p := newPosition(sc, opt)
	if err := rules.Start(ref, p, rng, out); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		_, who := p.ask()
		var list []Command
		have := map[Kind][]Command{}
		var order []Kind
		p.Legal(who, rules.Filter{}, func(c Command) bool {
			if list = append(list, c); !kinds[c.Kind].Offer {
				if have[c.Kind] == nil {
					order = append(order, c.Kind)
				}
				have[c.Kind] = append(have[c.Kind], c)
			}
			return true
		})
		visit(p, list)
		if p.over() {
			break
		}
		kind := order[rng.Below(uint32(len(order)))]
		if kind == KindEnd && len(order) > 1 { // put off the end of a phase
			kind = order[rng.Below(uint32(len(order)))]
		}
		c := have[kind][rng.Below(uint32(len(have[kind])))]
		if err := rules.Play(ref, p, who, c, rng, out); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, p.formatCommand(c), err)
		}
	}
	return p
}

func optionNames(opt OptionSet) string {
	var names []string
	for i := range optionList {
		if opt&(1<<i) != 0 {
			names = append(names, optionList[i].ID)
		}
	}
	return strings.Join(names, ",")
}

func reread(t *testing.T, p *Position) {
	t.Helper()
	text := p.format()
	q, err := parsePosition(p.sc, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	same(t, p, q)
}

func commandRoundTrip(t *testing.T, p *Position, c Command) {
	t.Helper()
	text := p.formatCommand(c)
	for _, spelling := range []string{text, "  " + strings.ToUpper(text) + " "} {
		back, r := p.parseCommand(spelling)
		if r != nil || p.formatCommand(back) != text {
			t.Fatalf("%q is read as %q: %v", spelling, p.formatCommand(back), r)
		}
	}
	data, err := proto.Marshal((referee{}).EncodeCommand(p, c))
	if err != nil {
		t.Fatal(err)
	}
	m := &downfallv1.Command{}
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	back, r := (referee{}).DecodeCommand(p, m)
	if r != nil || p.formatCommand(back) != text {
		t.Fatalf("the message of %q is read as %q: %v", text, p.formatCommand(back), r)
	}
}

// goldenPosition shows every section of the notation at once.
const goldenPosition = `df1 olympic airborne_11th secret_bomb_count
turn 5 us-actions cp 2 vp 1 consecutive
awards towns-2 miyakonojo:barred kanoya:lost
kamikaze cp 4 air 3 naval 3 mf 3 jp 1
air 2
naval 1:limousine 2:roadstar:used 3:limousine:gone 4:town-car
airsupply 2621
bombs 3 used 2 die 2 declared 1
exploded 2514
attacked 2720 2819
ixcorps 2417 turn 8 made 4
orders airborne 2515 turn 22
beachheads 2621 2804 holding 2013
consecutive us 2819 declared begun 1 naval 4
entry 2719 us-i-25 us-i-art
entry 2820 us-i-33
combat us 2719 2819 japan-fire supported air chemical 3 modifier -1 shooter jp-25-div shots 1
attackers us-i-25 us-i-art
defenders jp-25-div
hurt us-i-25
offer japan
2621 us-i-41+arrived
2719 us-i-25:1+acted us-i-art+acted
2819 jp-25-div
2820 us-i-33+coast
holding us-v-2 us-v-3 us-v-5 us-v-art us-ix-81 us-ix-98 us-ix-77 us-ix-art us-xi-1c us-xi-43 us-xi-am us-xi-art us-rsv-7 us-rsv-96 us-rsv-6 us-rsv-11 us-6-asco
not-available jp-56a-57-div jp-56a-145-div jp-56a-216-div jp-56a-312-div jp-56a-351-div jp-56a-4-tk jp-56a-118-imb jp-56a-122-imb
eliminated jp-77-div jp-86-div jp-146-div jp-154-div jp-156-div jp-206-div jp-212-div jp-303-div jp-98-imb jp-125-imb jp-5-tk jp-6-tk jp-36a-81-div jp-36a-93-div jp-36a-201-div jp-36a-202-div jp-36a-209-div jp-36a-214-div jp-36a-1-armd jp-36a-4-armd
out us-rsv-11abn
`

// golden is the position of the golden text.
func golden(t testing.TB) *Position {
	t.Helper()
	p, err := parsePosition(olympic(t), goldenPosition)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGoldenPosition(t *testing.T) {
	t.Parallel()
	p := golden(t)
	if diff := cmp.Diff(goldenPosition, p.format()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	u := p.tab.unit["us-i-25"]
	if p.zoc[US][p.tab.hexOf(2819)] == 0 || p.at[p.tab.hexOf(2719)].Len() != 2 || !p.onMap.Has(u) || p.steps[u] != 1 {
		t.Error("what follows from the places of the units was not derived")
	}
}

// A position that is not as it should be is refused with what is wrong.
func TestBadPositions(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for _, c := range []struct{ old, new, want string }{
		{"df1 ", "df2 ", "expected df1"},
		{" olympic ", " coronet ", "not of"},
		{"airborne_11th ", "winged_11th ", "left over"},
		{"turn 5", "turn 0", "not one of us-actions"},
		{"turn 5", "turn 31", "from 0 to 30"},
		{"us-actions", "us-siesta", "expected one of"},
		{"cp 2", "cp two", "expected a number"},
		{"towns-2", "towns-3", "not as it is written"},
		{"beachheads 2621", "beachheads 9999", "expected a hex or box"},
		{"beachheads 2621", "beachheads eliminated", "a beachhead is in"},
		{"beachheads 2621", "beachheads 2819", "can't be in 2819"},
		{"1:limousine", "19:limousine", "expected a naval marker"},
		{"us-i-25:1+acted", "us-i-25:3+acted", "at most 2"},
		{"us-i-25:1+acted", "us-i-25:0+acted", "0 steps"},
		{"us-i-25:1+acted", "us-i-25:1+happy", "unknown mark"},
		{"us-i-25:1+acted", "us-i-25:1+acted jp-5-tk", "given twice"},
		{"us-i-33+coast", "us-i-33+none", "supply state none"},
		{"2819 jp-25-div", "2719 jp-25-div", "both sides"},
		{"holding us-v-2", "available us-v-2", "can't be in the box"},
		{"offer japan", "offer china", "expected one of"},
		{"attackers us-i-25", "attackers jp-6-tk", "wrong side"},
		{"hurt us-i-25", "hurt us-i-33", "not in the combat"},
		{" shots 1", "", "a unit with shots"},
		{"begun 1", "begun 3", "more begun than there are"},
		{"begun 1", "begun 1 air 128", "from 0 to 127"},
		{"entry 2820", "entry -", "has no hex"},
		{"ixcorps 2417 turn 8", "ixcorps 2417", "a hex and a turn"},
		{"kamikaze cp 4 air 3 naval 3 mf 3 jp 1\n", "", "before the kamikaze die"},
		{"air 2\n", "air 2\nair 2\n", "not as it is written"},
		{"out us-rsv-11abn\n", "out us-rsv-11abn", "not as it is written"},
		{goldenPosition, "", "expected df1"},
		{goldenPosition, strings.Repeat("x", maxNotation+1), "bytes"},
	} {
		text := strings.Replace(goldenPosition, c.old, c.new, 1)
		if _, err := parsePosition(sc, text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

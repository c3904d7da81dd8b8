package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// same compares positions field by field, apart from the scenario and its tables, and from what means
// nothing between turns.
func same(t *testing.T, want, got *Position) {
	t.Helper()
	a, b := want.Clone(), got.Clone()
	for _, p := range [...]*Position{a, b} {
		p.sc, p.tab = nil, nil
		if p.power == NoPower {
			p.startOwner, p.startHostile, p.startComplex, p.canals, p.home = [MaxSpaces]Power{}, SpaceSet{}, SpaceSet{},
				0, [MaxSpaces]uint8{}
		}
		if !p.request.on() {
			p.request = request{}
		}
		if len(p.plan) == 0 {
			p.plan = nil
		}
		if len(p.battle.picks) == 0 {
			p.battle.picks = nil
		}
		if len(p.groups) == 0 {
			p.groups = nil
		}
	}
	unexported := cmp.AllowUnexported(Position{}, setting{}, options{}, tally{}, planned{}, battle{}, pick{}, request{},
		standing{})
	if diff := cmp.Diff(a, b, unexported); diff != "" {
		t.Fatalf("the position that was read differs (-written +read)\n%s\n%s", diff, want.format())
	}
}

// Positions and commands of random games come back from their notation, and commands from their messages,
// whatever the options.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for i, given := range []map[string]string{
		{}, {"victory_cities": "13", "research": "false", "official_2009": "true"},
		{"victory_cities": "18", "objectives": "false", "rocket_limit": "true"}, {},
	} {
		doc := [...]string{"1941", "1942"}[i%2]
		t.Run(doc, func(t *testing.T) {
			t.Parallel()
			n := 0
			last := wander(t, shippedScenario(t, doc), given, uint64(i), func(p *Position, list []Command) {
				if n++; n%7 == 0 {
					reread(t, p)
				}
				for i := n % 7; i < len(list); i += 1 + len(list)/5 {
					commandRoundTrip(t, p, list[i])
				}
			})
			reread(t, last)
		})
	}
}

// wander plays random commands, one kind as likely as another, up to a number of decisions, and shows
// every position that waits.
func wander(
	t testing.TB, sc *Scenario, given map[string]string, seed uint64, visit func(p *Position, list []Command),
) *Position {
	t.Helper()
	o, err := about.NewOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	ref, rng, out := referee{}, dice.NewSeeded(seed), new(rules.Outcome)
	p := ref.New(sc, o)
	if err := rules.Start(ref, p, rng, out); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		var list []Command
		have := map[Kind][]Command{}
		var order []Kind
		seat := rules.NoSeat
		for s := range ref.Waiting(p).Each {
			seat = s
			break
		}
		ref.Legal(p, seat, rules.Filter{}, func(c Command) bool {
			if list = append(list, c); !kinds[c.Kind].Offer {
				if have[c.Kind] == nil {
					order = append(order, c.Kind)
				}
				have[c.Kind] = append(have[c.Kind], c)
			}
			return true
		})
		visit(p, list)
		if p.over() || len(order) == 0 {
			break
		}
		kind := order[rng.Below(uint32(len(order)))]
		if kind == KindEnd && len(order) > 1 { // put off the end of a phase
			kind = order[rng.Below(uint32(len(order)))]
		}
		c := have[kind][rng.Below(uint32(len(have[kind])))]
		if err := rules.Play(ref, p, seat, c, rng, out); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, grammar.Format(p, c), err)
		}
	}
	return p
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
	text := grammar.Format(p, c)
	for _, spelling := range []string{text, "  " + strings.ToUpper(text) + " "} {
		back, r := p.parseCommand(spelling)
		if r != nil || grammar.Format(p, back) != text {
			t.Fatalf("%q is read as %q: %v", spelling, grammar.Format(p, back), r)
		}
	}
	data, err := proto.Marshal((referee{}).EncodeCommand(p, c))
	if err != nil {
		t.Fatal(err)
	}
	m := &anniversaryv1.Command{}
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	back, r := (referee{}).DecodeCommand(p, m)
	if r != nil || grammar.Format(p, back) != text {
		t.Fatalf("the message of %q is read as %q: %v", text, grammar.Format(p, back), r)
	}
}

// goldenMove and goldenBattle show every section of the notation between them.
const goldenMove = `aa1 1941 victory_cities=13 objectives=false rocket_limit
turn 3 5 united-states combat-move 0 acting china second chinafirst entries 3
power germany ipc 31 tokens 2 tech advanced-artillery,heavy-bombers pool 3 infantry 1 tank
power united-states ipc 4
power china pool 2 infantry
control germany karelia-ssr
complexes germany russia
damage germany:3
start soviet-union karelia-ssr
startcomplexes germany
hostile sz-5 sz-7
canals panama-canal
fought sz-8
rocketfrom eastern-united-states
rocketat germany
placed eastern-united-states:2
denied united-kingdom
planned 2 1 yunnan china infantry > suiyuan china infantry+moved<hupeh via hupeh
request united-states united-kingdom 1 eastern-united-states united-states infantry > - ship sz-10 united-kingdom transport > sz-10 united-kingdom transport[infantry:united-states+loaded]
orders germany losses infantry,battleship-hull retreat 50 submarines strike bombard divert agree carriers never transports ask
conceded italy
at eastern-united-states united-states 2 infantry 1 antiaircraft-gun+captured
at suiyuan china 1 infantry+moved<hupeh
at sz-10 united-kingdom 1 transport 2 transport[tank+lands,infantry:united-states+loaded]/1>norway
`

const goldenBattle = `aa1 1942
turn 2 2 germany combat 3
battle ukraine defender-losses round 2 landed 1 attackerdestroyer defenderdestroyer hits 1 0 2 chooser soviet-union listed retreated
origins poland
shores sz-16
dived germany
agreed soviet-union
pick 1 ukraine soviet-union infantry
pick 1 ukraine soviet-union tank damage
at ukraine germany 3 infantry+moved<poland
at ukraine soviet-union 2 infantry 1 tank
at sz-5 germany 1 aircraft-carrier[fighter:italy]
`

const goldenOver = "aa1 1942\nturn 9 6 - start 0\npower germany ipc 31\nover axis " +
	"cities\nat germany germany 1 infantry\n"

// golden is the position of a golden text.
func golden(t testing.TB, text string) *Position {
	t.Helper()
	p, err := parsePosition(shippedScenario(t, text[4:8]), text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGoldenPositions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{goldenMove, goldenBattle, goldenOver} {
		p := golden(t, text)
		if diff := cmp.Diff(text, p.format()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		same(t, p, p.Clone())
	}
	p := golden(t, goldenBattle)
	if u := p.tab.space["ukraine"]; p.tallies[u][Axis].any != 3 || len(p.at(u)) != 3 ||
		p.home[u] != 0 && p.home[u] != 1 {
		t.Error("what follows from the units was not derived")
	}
}

// lacking leaves the line of a word out of a text; the text itself if none exists.
func lacking(text, word string) string {
	a := strings.Index(text, "\n"+word+" ") + 1
	if a == 0 {
		return text
	}
	return text[:a] + text[a+strings.Index(text[a:], "\n")+1:]
}

// A position in mid-turn that leaves out which sea zones were hostile, or which canals were open, when the turn began
// is refused wherever it would be another position (AA 2.4.3, AA 4.2.6, AA 8.1.4).
func TestStartOfTurnIsNotLeftOut(t *testing.T) {
	t.Parallel()
	german := func() *table { return on1941(t).put("8", UnitedKingdom, "destroyer") }
	for _, c := range []struct {
		name, word string
		g          *table
		written    bool // with spaces or canals, not "-"
	}{
		{"hostile now", "hostile", german().turn(Germany, PhaseMove), true},
		{"hostile since", "hostile", on1941(t).turn(Germany, PhaseMove).put("8", UnitedKingdom, "destroyer"), false},
		{"sunk since", "hostile", sunkAt8(t, true), true},
		{"being sunk", "hostile", sunkAt8(t, false), true},
		{"transports sunk", "hostile", fought8(t), false},
		{"canals open", "canals", on1941(t).turn(UnitedStates, PhaseMove), true},
		{"canals closed", "canals", closed(t), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.g.p.format()
			less := lacking(text, c.word)
			if less == text || strings.Contains(text, "\n"+c.word+" -\n") == c.written {
				t.Fatalf("written as\n%s", text)
			}
			want := "expected line"
			if _, err := parsePosition(c.g.sc, less); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("without the line: %v", err)
			}
			p, err := parsePosition(c.g.sc, text)
			if err != nil || p.setting != c.g.p.setting {
				t.Errorf("with it: %v", err)
			}
		})
	}
	for name, g := range map[string]*table{"no enemy at sea": on1941(t).turn(Germany, PhaseMove),
		"no canal": german().turn(Germany, PhaseMove)} {
		text := g.p.format()
		if strings.Contains(text, "\nhostile -") || strings.Contains(text, "\ncanals -") {
			t.Errorf("%s is written as\n%s", name, text)
		}
	}
}

// sunkAt8 is a turn in which the warship of the only hostile zone is sunk: with all, or while a combat with a submarine
// goes on.
func sunkAt8(t *testing.T, all bool) *table {
	g := on1941(t).put("8", UnitedKingdom, "destroyer")
	if !all {
		g.put("8", UnitedKingdom, "submarine")
	}
	g.put("7", Germany, "2 battleship destroyer").turn(Germany, PhaseMove)
	g.do("move 2 battleship 1 destroyer sz-7>sz-8")
	if all {
		g.do("end", 1, 6, 6, 6)
		return g.want("at 8", "germany 2 battleship destroyer")
	}
	g.do("end", 1, 6, 6)
	g.do("lose 1 destroyer", 6, 6)
	return g.want("at 8", "germany 2 battleship destroyer; united-kingdom submarine", "asks", "press")
}

// fought8 is a turn with a combat at sea against no warships.
func fought8(t *testing.T) *table {
	g := on1941(t).turn(Germany, PhaseMove)
	g.p.fought.Add(g.space("8"))
	return g
}

// closed is a turn in which no canal is open, although the side held them when it began.
func closed(t *testing.T) *table {
	g := on1941(t).turn(UnitedStates, PhaseMove)
	g.p.canals = 0
	return g
}

// In games the lines are always written where leaving them out would be another position.
func TestNoLineOfTheStartOfTurnIsNeeded(t *testing.T) {
	t.Parallel()
	sc, tried := shippedScenario(t, "1942"), map[string]int{}
	for seed := range uint64(2) {
		wander(t, sc, nil, seed, func(p *Position, _ []Command) {
			if p.power == NoPower {
				return
			}
			text := p.format()
			for _, word := range [...]string{"hostile", "canals"} {
				if strings.Contains(text, "\n"+word+" -") {
					tried[word+" -"]++
				}
				less := lacking(text, word)
				if less == text {
					continue
				}
				tried[word]++
				if _, err := parsePosition(sc, less); err == nil {
					t.Fatalf("accepted without the line %s:\n%s", word, less)
				}
			}
		})
	}
	if tried["hostile"] == 0 || tried["canals"] == 0 {
		t.Errorf("tried %v", tried)
	}
}

// A position that is not as it should be is refused with what is wrong.
func TestBadPositions(t *testing.T) {
	t.Parallel()
	move := goldenMove
	for _, c := range []struct{ text, old, new, want string }{
		{move, "control germany karelia-ssr", "control italy eire", "controlled by italy"},
		{move, "aa1 ", "aa2 ", "expected aa1"},
		{move, " 1941 ", " 1940 ", "not of"},
		{move, "victory_cities=13", "victory_cities=14", "must be one of"},
		{move, "rocket_limit", "rocket_limits", "not an option"},
		{move, "turn 3 5", "turn 3 4", "place 4"},
		{move, "turn 3 5", "turn 0 5", "before the first round"},
		{move, "acting china", "acting japan", "japan acts"},
		{move, "combat-move", "siesta", "expected one of"},
		{move, "ipc 31", "ipc 99999", "from 1 to 60000"},
		{move, "tech advanced-artillery", "tech advanced-poetry", "expected one of"},
		{move, "complexes germany russia", "complexes germany russia sz-5", "an industrial complex in sz-5"},
		{move, "startcomplexes germany", "startcomplexes germany sz-5", "an industrial complex in sz-5"},
		{move, "placed eastern-united-states:2", "placed sz-5:2", "an industrial complex in sz-5"},
		{move, "placed eastern-united-states:2", "placed sz-5:1", "an industrial complex in sz-5"},
		{move, "damage germany:3", "damage france:3", "without an industrial complex"},
		{move, "canals panama-canal", "canals kiel-canal", "no canal"},
		{move, "hostile sz-5", "hostile france sz-5", "france among the sea zones"},
		{move, "planned 2 1", "planned 3 1", "entry 3 of 3"},
		{move, "request united-states united-kingdom", "request united-states japan", "asks japan"},
		{move, "denied united-kingdom", "denied narnia", "expected one of"},
		{move, "2 infantry 1 antiaircraft", "2 infantry 1 infantry 1 antiaircraft", "given twice"},
		{move, "1 antiaircraft-gun+captured", "1 cruiser", "cruiser in eastern-united-states"},
		{move, "1 antiaircraft-gun+captured", "1 industrial-complex", "no unit on the map"},
		{move, "+captured", "+happy", "expected one of"},
		{move, "tank+lands", "cruiser+lands", "can't be aboard"},
		{move, "tank+lands", "tank+lands,tank", "3 units aboard"},
		{move, "infantry:united-states+loaded]/1", "infantry:japan+loaded]/1", "the other side aboard"},
		{move, "at suiyuan china 1 infantry", "at sz-5 china 1 infantry", "infantry in sz-5"},
		{move, "at suiyuan china 1 infantry", "at turkey china 1 infantry", "nobody may enter"},
		{move, "losses infantry,battleship-hull", "losses infantry,infantry", "twice in the order"},
		{move, "conceded italy\n", "conceded italy\nconceded italy\n", "not as it is written"},
		{goldenBattle, "combat 3", "mobilize 0", "a combat in mobilize"},
		{goldenBattle, "pick 1 ukraine soviet-union tank", "pick 2 ukraine soviet-union tank", "not there"},
		{goldenBattle, "battle ukraine defender-losses", "battle ukraine none", "without a step"},
		{goldenBattle, "fighter:italy", "fighter", "never cargo"},
		{goldenBattle, "1 aircraft-carrier[", "101 aircraft-carrier[", "more than 100 carriers"},
		{goldenOver, "9 6 - start", "9 6 - combat", "between turns"},
		{goldenOver, "over axis cities\n", "over nobody cities\n", "expected one of"},
		{goldenOver, goldenOver, "", "expected aa1"},
		{goldenOver, goldenOver, "aa1 1942\n", "and a turn"},
		{goldenOver, goldenOver, strings.Repeat("x", maxNotation+1), "bytes"},
		{goldenOver, "infantry\n", "infantry", "not as it is written"},
	} {
		text := strings.Replace(c.text, c.old, c.new, 1)
		if text == c.text {
			t.Errorf("%q is not in the text", c.old)
		}
		if _, err := parsePosition(shippedScenario(t, c.text[4:8]), text); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

package downfall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// seen is all that a viewer is shown of a position, in both languages: board, typed view, questions and the list of
// commands of the seats held.
func seen(p *Position, v rules.Viewer) string {
	var b strings.Builder
	for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
		b.WriteString(prototext.MarshalOptions{Multiline: true}.Format(p.Board(v, lang)))
	}
	b.WriteString(prototext.MarshalOptions{Multiline: true}.Format(p.view(v)))
	for _, d := range p.Decisions() {
		if v.MaySee(d.Audience) {
			b.WriteString(catalogue.Format(rules.English, d.Text) + strings.Join(append(d.Pieces, d.Spaces...), " "))
		}
	}
	for seat := range seatIDs {
		if !v.Holds(rules.Seat(seat)) {
			continue
		}
		p.Legal(rules.Seat(seat), rules.Filter{}, func(c Command) bool {
			d := p.Describe(rules.Seat(seat), c)
			b.WriteString(p.formatCommand(c) + catalogue.Format(rules.English, d.Label) +
				strings.Join(append(d.Pieces, d.Spaces...), " "))
			return true
		})
	}
	return b.String()
}

// secretPairs are pairs of games that differ in one hidden fact of Part 3 alone.
var secretPairs = []struct {
	name string
	opt  OptionSet
	a, b func(*Position)
}{
	{"DF 8.6-a: the IX Corps plan", 0,
		func(p *Position) { p.ixHex, p.ixTurn = p.tab.hexOf(2417), 9 },
		func(p *Position) { p.ixHex, p.ixTurn = p.tab.hexOf(3624), 12 }},
	{"DF 15.6-a: the mode of the 11th Division", Airborne11,
		func(p *Position) { p.mode = modeInfantry },
		func(p *Position) { p.mode = modeAirborne }},
	{"DF 15.6-b: that a drop is planned", Airborne11,
		func(p *Position) { p.mode = modeAirborne },
		func(p *Position) { p.mode, p.dropHex, p.dropTurn = modeAirborne, p.tab.hexOf(2514), 22 }},
	{"DF 15.6-b: the drop plan", Airborne11,
		func(p *Position) { p.mode, p.dropHex, p.dropTurn = modeAirborne, p.tab.hexOf(3013), 25 },
		func(p *Position) { p.mode, p.dropHex, p.dropTurn = modeAirborne, p.tab.hexOf(2514), 22 }},
	{"DF 15.6-d: that orders were given this turn", Airborne11,
		func(p *Position) { p.ordersGiven = true },
		func(p *Position) {}},
	{"DF 15.7: the die of the bombs and how many are left", SecretBombs,
		func(p *Position) { p.bombDie, p.bombsLeft, p.bombsUsed = 1, 0, 4 },
		func(p *Position) { p.bombDie, p.bombsLeft, p.bombsUsed = 6, 5, 4 }},
}

// atActions is a game of olympic in the actions of a side of turn 5.
func atActions(t testing.TB, phase Phase, opt OptionSet) *Position {
	t.Helper()
	g := on(t, olympic(t), phase, opt)
	g.put("2621", "us-i-25", "us-i-33", "bh-I").put("2804", "us-v-2", "bh-V").put("2819", "jp-5-tk").put("2719",
		"jp-6-tk")
	g.box(Holding, "us-i-41", "us-rsv-11", "us-ix-81", "us-ix-98", "bh-IX").box(Available, "jp-56a-57-div")
	g.p.ixHex, g.p.ixTurn, g.p.ixMade = g.p.tab.hexOf(2417), 9, 2
	return g.p
}

// What only the US may know shows in nothing that anyone else is shown, whoever acts; the US sees it, and so does
// everyone at the end (DF 8.6-a, DF 15.6-a, DF 15.6-b, DF 15.6-d, DF 15.7, Part 3).
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	for _, c := range secretPairs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, phase := range []Phase{Deployment, Nuclear, JapanActions, SupplyCheck, USActions} {
				a, b := atActions(t, phase, c.opt), atActions(t, phase, c.opt)
				if phase == Nuclear {
					a.bombsDeclared, b.bombsDeclared = -1, -1
				}
				c.a(a)
				c.b(b)
				for _, v := range []rules.Viewer{rules.Spectator, rules.SeatViewer(Japan)} {
					if diff := cmp.Diff(seen(a, v), seen(b, v)); diff != "" {
						t.Fatalf("in %s, seats %b:\n%s", phaseIDs[phase], v.Seats, diff)
					}
				}
				if c.name != secretPairs[4].name && seen(a, rules.SeatViewer(US)) == seen(b, rules.SeatViewer(US)) {
					t.Errorf("in %s the US does not see its own secret", phaseIDs[phase])
				}
			}
		})
	}
}

// Whoever sees all, as everyone does once the game is over, sees the secrets (Part 3: DF 8.6-a, DF 15.6-b, DF 15.7).
func TestAllSeesSecrets(t *testing.T) {
	t.Parallel()
	p := atActions(t, USActions, Airborne11|SecretBombs)
	p.mode, p.dropHex, p.dropTurn = modeAirborne, p.tab.hexOf(2514), 22
	v := p.view(rules.Viewer{All: true})
	if v.GetPlan().GetHex() != 2417 || v.GetPlan().GetTurn() != 9 || v.GetOrders().GetDropHex() != 2514 ||
		v.GetBombsLeft() != 9 {
		t.Errorf("seen are %v %v %d bombs", v.GetPlan(), v.GetOrders(), v.GetBombsLeft())
	}
	if diff := cmp.Diff(p.view(rules.SeatViewer(US)), v, protocmp.Transform()); diff != "" {
		t.Errorf("the US sees something else:\n%s", diff)
	}
}

func pieceOf(b *boardv1.Board, id string) *boardv1.Piece {
	for _, p := range b.GetPieces() {
		if p.GetId() == id {
			return p
		}
	}
	return nil
}

// Without option 15.7 the number of bombs is open; that a landing is planned, and since when, always
// is (Part 3, DF 8.6-a).
func TestWhatIsOpen(t *testing.T) {
	t.Parallel()
	p := atActions(t, JapanActions, 0)
	v := p.view(rules.SeatViewer(Japan))
	if v.BombsLeft == nil || v.GetBombsLeft() != 9 || !v.GetPlanned() || v.GetPlanMade() != 2 || v.Plan != nil {
		t.Errorf("Japan sees %d bombs, planned %t in %d: %v",
			v.GetBombsLeft(), v.GetPlanned(), v.GetPlanMade(), v.GetPlan())
	}
}

// The 11th Division is one neutral counter in the Holding Box until it appears on the map (DF 15.6-a).
func TestNeutralCounter(t *testing.T) {
	t.Parallel()
	p := atActions(t, USActions, Airborne11)
	p.mode = modeAirborne
	neutral := pieceOf(p.Board(rules.SeatViewer(Japan), rules.English), "us-rsv-11")
	if neutral.GetName() != "11th Division" || len(neutral.GetNumbers()) != 0 || len(neutral.GetMarks()) != 0 ||
		neutral.GetPlace() != boxHolding {
		t.Errorf("Japan sees %v", neutral)
	}
	own := pieceOf(p.Board(rules.SeatViewer(US), rules.Japanese), "us-rsv-11")
	if own.GetName() != "第11歩兵師団" || !cmp.Equal(own.GetMarks(), []string{"plan-airborne"}) {
		t.Errorf("the US sees %v", own)
	}
	p.put(p.tab.unit["us-rsv-11"], Place(p.tab.hexOf(2621)))
	if ashore := pieceOf(p.Board(rules.SeatViewer(Japan), rules.English),
		"us-rsv-11"); ashore.GetName() != "11th Infantry Division" {
		t.Errorf("ashore, Japan sees %v", ashore)
	}
}

// The board shows strength, movement, steps and marks as they are (DF 9.5-e, DF 9.6-a, DF 10.5-a, DF
// 12.2, DF 12.3, DF 12.4).
func TestBoardPieces(t *testing.T) {
	t.Parallel()
	p := golden(t)
	b := p.Board(rules.SeatViewer(US), rules.English)
	for id, want := range map[string]string{
		"us-i-25":       "2719 1/2 strength 3 movement 8 reduced,acted,attacks",
		"us-i-33":       "2820 2/2 strength 5 movement 1 coast",
		"us-i-41":       "2621 2/2 strength 5 movement 8 arrived",
		"us-6-asco":     "holding 1/1 strength 0 movement 0 ",
		"jp-25-div":     "2819 2/2 strength 5 movement 3 defends,fires",
		"jp-154-div":    "eliminated 0/2 strength 0 movement 0 ",
		"bh-IX":         "holding 0/0 ",
		"naval-1":       "zone-limousine 0/0 ",
		"naval-2":       "zone-roadstar 0/0 used",
		"naval-4":       "zone-town-car 0/0 committed",
		"air":           "air 0/0 ",
		"air-supply":    "2621 0/0 ",
		"plan-ix":       "2417 0/0 ",
		"plan-drop":     "2515 0/0 ",
		"us-rsv-11abn":  "",
		"naval-3":       "",
		"jp-56a-57-div": "not-available 2/2 strength 5 movement 3 ",
	} {
		if got := pieceText(pieceOf(b, id)); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if b.GetClock().GetText() != "Turn 5 of 30 (X+5): US CP Expenditure Phase" || b.GetClock().GetActive() != "us" {
		t.Errorf("the clock: %v", b.GetClock())
	}
	var texts []string
	for _, r := range b.GetProcedures() {
		texts = append(texts, r.GetKind()+": "+r.GetText())
	}
	if diff := cmp.Diff([]string{
		"consecutive: United States attacks 2819 consecutively: 1 of 2 begun",
		"combat: United States attacks 2819 from 2719, air support: Japanese fire",
	}, texts); diff != "" {
		t.Error(diff)
	}
}

func pieceText(p *boardv1.Piece) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(p.GetPlace() + " " + string('0'+rune(p.GetSteps())) + "/" + string('0'+rune(p.GetMaxSteps())) + " ")
	for _, n := range p.GetNumbers() {
		b.WriteString(n.GetKey() + " " + n.GetValue() + " ")
	}
	return b.String() + strings.Join(p.GetMarks(), ",")
}

// Spaces show control (DF 11.7), bombed terrain (DF 6.10-c) and what was attacked; hexes with
// nothing to say are left out.
func TestBoardSpaces(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for _, s := range golden(t).Board(rules.Spectator, rules.English).GetSpaces() {
		got[s.GetId()] = strings.TrimSpace(s.GetOwner() + " " + s.GetTerrain() + " " + strings.Join(s.GetMarks(), ","))
	}
	for id, want := range map[string]string{"2514": "rough exploded", "2819": "japan  attacked", "2621": "us",
		"1712": ""} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
}

package anniversary

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

func pieceOf(b *boardv1.Board, id string) *boardv1.Piece {
	for _, p := range b.GetPieces() {
		if p.GetId() == id {
			return p
		}
	}
	return &boardv1.Piece{}
}

func trackOf(b *boardv1.Board, id string) *boardv1.Track {
	for _, t := range b.GetTracks() {
		if t.GetId() == id {
			return t
		}
	}
	return &boardv1.Track{}
}

// The board shows stacks with numbers, cargo, damage, what waits, control, and what the powers have.
func TestBoard(t *testing.T) {
	t.Parallel()
	p := golden(t, goldenMove)
	b := p.Board(rules.Spectator, rules.English)
	if b.GetMapDigest() == "" || b.GetMapDigest() != p.sc.BoardMap(rules.English).GetDigest() {
		t.Error("the board names another map")
	}
	if inf := pieceOf(b, "eastern-united-states/united-states/infantry"); inf.GetCount() != 2 ||
		inf.GetName() != "infantry (United States)" || inf.GetOwner() != "united-states" {
		t.Errorf("infantry: %v", inf)
	}
	ship := pieceOf(b, "sz-10/united-kingdom/transport#2")
	if ship.GetCount() != 2 || ship.GetMaxSteps() != 0 {
		t.Errorf("laden transports: %v", ship)
	}
	if tank := pieceOf(b, ship.GetId()+"/1"); tank.GetKind() != "tank" || tank.GetCount() != 2 ||
		!slices.Contains(tank.GetMarks(), "lands") {
		t.Errorf("tanks aboard: %v", tank)
	}
	if guest := pieceOf(b, ship.GetId()+"/2"); guest.GetOwner() != "united-states" ||
		!slices.Contains(guest.GetMarks(), "loaded") {
		t.Errorf("infantry aboard: %v", guest)
	}
	if ic := pieceOf(b, "germany/industrial-complex"); !slices.Contains(ic.GetMarks(), "bombarded") ||
		ic.GetOwner() != "germany" {
		t.Errorf("the damaged complex: %v", ic)
	}
	if w := pieceOf(b, "mobilization-china/china/infantry"); w.GetCount() != 2 || w.GetPlace() != "mobilization-china" {
		t.Errorf("recruits: %v", w)
	}
	if c := b.GetClock(); c.GetTurn() != 3 || c.GetActive() != "united-states" ||
		c.GetText() != "Round 3, United States, China acting: Combat Move" {
		t.Errorf("clock: %v", c)
	}
	if o := b.GetClock().GetOrder(); !o.GetLasts() || o.GetSeats()[o.GetOver()] != "united-states" ||
		strings.Join(o.GetSeats(), " ") != "germany soviet-union japan united-kingdom italy united-states" { // AA 4.1
		t.Errorf("the order of play: %v", o)
	}
	if n := trackOf(b, "germany-technologies"); n.GetValue() != 2 ||
		n.GetText() != "Advanced Artillery, Heavy Bombers" {
		t.Errorf("technologies: %v", n)
	}
	if n := trackOf(b, "cities-axis"); n.GetValue() != 7 || n.GetMax() != 18 { // Leningrad is in Karelia
		t.Errorf("victory cities: %v", n)
	}
	if len(b.GetProcedures()) != 1 || b.GetProcedures()[0].GetKind() != "request" {
		t.Errorf("procedures: %v", b.GetProcedures())
	}
}

// A combat is drawn with who fights in it.
func TestBoardOfBattle(t *testing.T) {
	t.Parallel()
	b := golden(t, goldenBattle).Board(rules.Spectator, rules.Japanese)
	r := b.GetProcedures()[0]
	if r.GetText() != "ウクライナの戦闘・第2ラウンド：防御側の損害" || !slices.Contains(r.GetAttackers(), "ukraine/germany/infantry") ||
		!slices.Contains(r.GetDefenders(), "ukraine/soviet-union/tank") {
		t.Errorf("the combat: %v", r)
	}
}

// A space is marked as one of combat in Conduct Combat, not while the moves to it can be taken back.
func TestCombatIsMarkedInItsPhase(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("germany", Germany, "bomber").turn(Germany, PhaseMove)
	g.do("raid 1 bomber germany>united-kingdom")
	for _, c := range []struct {
		phase Phase
		want  []string
	}{{PhaseMove, nil}, {PhaseCombat, []string{"united-kingdom"}}} {
		p := g.p.Clone()
		p.phase, p.step = c.phase, combatBombing
		var in []string
		for _, s := range p.Board(rules.Spectator, rules.English).GetSpaces() {
			if slices.Contains(s.GetMarks(), "combat") {
				in = append(in, s.GetId())
			}
		}
		if !slices.Equal(in, c.want) {
			t.Errorf("in phase %d combat is marked in %v, expected %v", c.phase, in, c.want)
		}
	}
}

// Standing orders are seen by their seat alone; consents, and everything else, by everyone.
func TestStandingOrdersAreSecret(t *testing.T) {
	t.Parallel()
	p := golden(t, goldenMove)
	bare := p.Clone()
	bare.orders[Germany] = standing{carriers: p.orders[Germany].carriers, transports: p.orders[Germany].transports}
	for seat := range rules.Seat(NumSeats) {
		v := rules.SeatViewer(seat)
		if same := proto.Equal(p.view(v), bare.view(v)); same == (Power(seat) == Germany) {
			t.Errorf("seat %d: views are the same: %v", seat, same)
		}
		board := p.Board(v, rules.English)
		if same := proto.Equal(board, bare.Board(v, rules.English)); same == (Power(seat) == Germany) {
			t.Errorf("seat %d: boards are the same: %v", seat, same)
		}
		for _, o := range board.GetStandingOrders() {
			if o.Seat != seatID(Power(seat)) {
				t.Errorf("seat %d sees %v", seat, o)
			}
		}
	}
	open := p.view(rules.Spectator).GetOrders()["germany"] // what decides what allies may do
	if want := (&anniversaryv1.StandingOrders{Carriers: anniversaryv1.Consent_CONSENT_NEVER,
		Transports: anniversaryv1.Consent_CONSENT_ASK}); !proto.Equal(open, want) {
		t.Errorf("a spectator sees %v", open)
	}
	if got := p.view(rules.Auditor).GetOrders()["germany"]; got.GetRetreat() != 50 || len(got.GetLosses()) != 2 {
		t.Errorf("the auditor sees %v", got)
	}
}

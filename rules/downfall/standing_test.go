package downfall

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// usual gives both seats the usual standing orders.
func (g *table) usual() *table {
	g.t.Helper()
	g.as(US, "standing all usual")
	g.as(Japan, "standing all usual")
	return g
}

// followed counts what standing orders answered.
func followed(out *rules.Outcome) int { return len(kindOf[*downfallv1.Event_StandingFollowed](out)) }

// What can't stand is refused; orders are replaced, taken back and written down, and are listed if asked for by kind.
func TestStandingIsGivenAndTakenBack(t *testing.T) {
	t.Parallel()
	g := onFlower(t, USActions).put("C", "I/25").put("N1", "J1")
	for _, command := range []string{
		"standing", "standing fire", "standing fire never", "standing nothing ask", "standing remove fullest",
		"standing zones evenly at C", "standing bombs none of I/25", "standing fire weakest of J1",
		"standing forced -x", "standing all usual at C", "standing fire weakest of", "standing zones nowhere",
	} {
		if _, err := g.try(US, command); err == nil {
			t.Errorf("%s is accepted", command)
		}
	}
	g.as(US, "standing fire strongest at C of I/25")
	g.as(US, "standing fire weakest")
	g.as(US, "standing fire strongest")
	g.as(US, "standing zones limousine")
	g.as(Japan, "standing remove emptiest")
	text := g.p.format()
	again, err := parsePosition(g.sc, text)
	if err != nil {
		t.Fatal(err)
	}
	diff := cmp.Diff(g.p.orders, again.orders, cmp.AllowUnexported(standing{}))
	if diff != "" || len(again.orders[US]) != 3 {
		t.Errorf("the notation loses orders:\n%s", diff)
	}
	g.as(US, "standing fire -")
	if len(g.p.orders[US]) != 2 || g.p.ordered(US, orderFire) != choiceNone {
		t.Errorf("an order is not taken back: %v", g.p.orders[US])
	}
	g.as(US, "standing all -")
	g.as(Japan, "standing all -")
	if g.p.orders[US] != nil || g.p.orders[Japan] != nil {
		t.Error("orders are left")
	}
	count := func(kind string) (n int) {
		g.p.Legal(US, rules.Filter{Kind: kind}, func(c Command) bool {
			if c.Kind == KindStanding {
				n++
			}
			return true
		})
		return n
	}
	if count("") != 0 || count("standing") < 40 {
		t.Errorf("%d orders are listed without being asked for, %d if they are", count(""), count("standing"))
	}
	for i := range maxStanding + 1 {
		c := only(KindStanding)
		c.Detail, c.Count, c.Units = uint64(orderFire), fireWeak, g.p.tab.us.subset(i+1)
		if r := g.p.check(US, c); (r == nil) != (i < maxStanding) {
			t.Errorf("order %d: %v", i, r)
		}
		g.p.orders[US] = append(g.p.orders[US], c.standingOf())
	}
}

// A message of a standing order that names none is refused when it is read: it has no notation.
func TestStandingOrderWithoutAName(t *testing.T) {
	t.Parallel()
	g := onFlower(t, USActions)
	for order, want := range map[downfallv1.StandingOrder]bool{
		downfallv1.StandingOrder_STANDING_ORDER_UNSPECIFIED: false,
		downfallv1.StandingOrder_STANDING_ORDER_FIRE:        true,
		downfallv1.StandingOrder(len(standings)):            false,
	} {
		message := &downfallv1.Command{Kind: &downfallv1.Command_Standing{
			Standing: &downfallv1.GiveStanding{Order: order},
		}}
		c, r := (referee{}).DecodeCommand(g.p, message)
		if (r == nil) != want {
			t.Errorf("the standing order %v is read with the refusal %v", order, r)
		}
		if r == nil && g.p.formatCommand(c) == "" {
			t.Errorf("the standing order %v has no notation", order)
		}
	}
}

// answer is what a seat's standing order would answer now; "" if it asks.
func (g *table) answer(order string) string {
	g.t.Helper()
	q := &table{t: g.t, p: g.p.Clone(), sc: g.sc}
	c, r := q.parse("standing " + order)
	if r == nil {
		r = q.p.check(q.asked(), c)
	}
	if r != nil {
		g.t.Fatalf("%s: %v", order, r)
	}
	seat := q.asked()
	q.p.orders[seat] = q.p.standingAfter(seat, c.standingOf())
	ask, _ := q.p.ask()
	if c, ok := q.p.byOrder(ask, seat); ok {
		if r := q.p.check(seat, c); r != nil {
			g.t.Errorf("%s answers %s: %v", order, q.p.formatCommand(c), r)
		}
		return q.p.formatCommand(c)
	}
	return ""
}

// japanAttacks is an attack of two Japanese units, one of them reduced, on two US divisions, one of them reduced.
func japanAttacks(t testing.TB) *table {
	return onFlower(t, JapanActions).put("N1", "J1", "J2").put("C", "I/25", "I/33").reduce("J1", "I/33")
}

// usAttacks is the attack of a US division and its artillery on two Japanese units, one of them reduced.
func usAttacks(t testing.TB) *table {
	return onFlower(t, USActions).quiet().put("C", "I/25", "I/33", "I/art").put("N1", "J1", "J2").reduce("J1")
}

// Each order answers as it says, and no question that it is not about.
func TestStandingAnswers(t *testing.T) {
	t.Parallel()
	begin := map[string]func() *table{
		"support": func() *table { g := japanAttacks(t); g.do("attack N1 C J1 J2"); return g },
		"us-fire": func() *table {
			g := japanAttacks(t).quiet()
			g.do("attack N1 C J1 J2")
			return g
		},
		"japan-fire": func() *table { g := japanAttacks(t).quiet(); g.do("attack N1 C J1 J2"); return g.misses3() },
		"break":      func() *table { g := brokenInC(t); return g },
		"withdraw":   func() *table { return attackedInC(t).put("K3", "B1").mustRetreat() },
		"bombard":    func() *table { g := usAttacks(t); g.do("attack C N1 I/25 I/33 I/art"); return g },
		"advance": func() *table {
			g := onFlower(t, USActions).quiet().put("C", "I/25", "I/33", "V/2").put("N1", "J1").reduce("J1")
			g.do("attack C N1 I/25 I/33")
			g.do("shot J1 I/25", 10)
			g.do("shot I/25 J1", 1)
			return g
		},
		"actions": func() *table { return onFlower(t, USActions).put("C", "I/25") },
		"idle":    func() *table { g := onFlower(t, USActions); g.p.cp = 0; return g },
	}
	for _, c := range []struct{ begin, order, want string }{
		{"support", "support none", "support -"}, {"support", "support air", "support +air"},
		{"support", "support naval at C", "support -"}, {"support", "support both at N1", ""},
		{"support", "support ask", ""}, {"support", "fire weakest", ""},
		{"us-fire", "fire weakest", "shot I/25 J1"}, {"us-fire", "fire strongest", "shot I/25 J2"},
		{"us-fire", "fire strongest of I/33", "shot I/25 J2"}, {"us-fire", "fire strongest of V/2", ""},
		{"japan-fire", "fire weakest", "shot J1 I/33"}, {"japan-fire", "fire strongest", "shot J1 I/25"},
		{"break", "retreat never", "stay"}, {"break", "retreat eliminated", "retreat I/33"},
		{"break", "retreat always", "retreat I/33"}, {"break", "abort never", ""},
		{"withdraw", "withdraw safest", "withdraw N5"},
		{"bombard", "bombard none", "bombard -"}, {"bombard", "bombard weakest", "bombard J1"},
		{"bombard", "bombard strongest", "bombard J2"},
		{"advance", "advance nobody", "advance -"}, {"advance", "advance all", "advance I/25 I/33"},
		{"actions", "pass end", ""}, {"idle", "pass end", "end"},
	} {
		g := begin[c.begin]()
		want := ""
		if c.want != "" {
			parsed, r := g.parse(c.want)
			if r != nil {
				t.Fatalf("%s: %v", c.want, r)
			}
			want = g.p.formatCommand(parsed)
		}
		if got := g.answer(c.order); got != want {
			t.Errorf("%s: %s answers %q, want %q", c.begin, c.order, got, want)
		}
	}
}

// brokenInC is the question whether to retreat after I/33 was eliminated and I/25 lost a step.
func brokenInC(t testing.TB) *table {
	g := japanAttacks(t).quiet()
	g.do("attack N1 C J1 J2")
	g.misses3()
	g.do("shot J1 I/33", 1)
	g.do("shot J2 I/25", 1)
	g.do("shot J2 I/25", 10)
	return g
}

// misses3 lets the three shots of the US defenders in C miss.
func (g *table) misses3() *table {
	g.do("shot I/25 J1", 10)
	g.do("shot I/25 J1", 10)
	g.do("shot I/33 J1", 10)
	return g
}

// The orders of phases answer as they say.
func TestStandingAnswersInPhases(t *testing.T) {
	t.Parallel()
	g := onFlower(t, Deployment)
	g.p.navalZone = [maxNaval]Zone{}
	if got := g.answer("zones limousine"); got != "zones limousine limousine limousine limousine" {
		t.Errorf("zones: %q", got)
	}
	g.p.bombsDeclared = -1
	g.phase(Nuclear)
	if got := g.answer("bombs none"); got != "bombs 0" {
		t.Errorf("bombs: %q", got)
	}
	g.p.bombStage, g.p.bombSteps, g.p.bombAt, g.p.bombsDeclared = bombRolled, 2, Place(g.hex("C")), 1
	g.p.step = 1
	g.put("C", "J1", "J2", "J3").reduce("J3")
	for order, want := range map[string]string{
		"losses weakest": "losses " + g.p.ids(bit(g.unit("J1")))[0] + " " + g.p.ids(bit(g.unit("J3")))[0],
	} {
		if got := g.answer(order); got != want {
			t.Errorf("%s: %q, want %q", order, got, want)
		}
	}
	g = onFlower(t, SupplyCheck).put("C", "I/25").put("N3", "V/2").supply(OOS, "I/25").supply(Line, "V/2")
	g.p.step = supplyAir
	for order, want := range map[string]string{
		"air-supply none": "supply -", "air-supply most": "supply " + g.p.digits(g.hex("C")),
	} {
		if got := g.answer(order); got != want {
			t.Errorf("%s: %q, want %q", order, got, want)
		}
	}
	g = onFlower(t, Kamikaze)
	g.p.navalZone[3], g.p.navalZone[2] = 1, 1
	g.p.navalZone[4], g.p.navalReady, g.p.navalHere = 0, 0b11111, 0b11111
	g.p.navalCap = 4
	for order, want := range map[string]string{"remove fullest": "remove 1", "remove emptiest": "remove 3"} {
		if got := g.answer(order); got != want {
			t.Errorf("%s: %q, want %q", order, got, want)
		}
	}
}

// subset are the units of a set whose places in it are bits of a number.
func (s UnitSet) subset(n int) (sub UnitSet) {
	for u := range s.Each {
		if n&1 != 0 {
			sub |= bit(u)
		}
		n >>= 1
	}
	return sub
}

// The order for a hex goes before that for units, and that before the one for the whole game. To be asked is an order.
func TestStandingHasAScope(t *testing.T) {
	t.Parallel()
	g := japanAttacks(t).quiet()
	g.do("attack N1 C J1 J2")
	for _, c := range []struct {
		order string
		want  uint8
	}{
		{"fire weakest", fireWeak}, {"fire strongest of I/25", fireWeak + 1}, {"fire weakest at C", fireWeak},
		{"fire ask at C of I/33", choiceNone}, {"fire strongest of V/2", choiceNone},
	} {
		parsed, r := g.parse("standing " + c.order)
		if r != nil {
			t.Fatal(r)
		}
		g.p.orders[US] = g.p.standingAfter(US, parsed.standingOf())
		if got := g.p.ordered(US, orderFire); got != c.want {
			t.Errorf("with %s too the choice is %d, want %d", c.order, got, c.want)
		}
	}
}

// Only its seat sees a standing order, its command, and that it answered; previews for the others leave it out.
func TestStandingIsSecret(t *testing.T) {
	t.Parallel()
	g := japanAttacks(t).quiet().usual()
	for _, seat := range []rules.Seat{US, Japan} {
		v := rules.SeatViewer(seat)
		for _, s := range g.p.view(v).GetStanding() {
			if s.Seat != seatIDs[seat] {
				t.Errorf("%s sees %v", seatIDs[seat], s)
			}
		}
		known, _ := g.p.Known(v)
		if known.orders[enemy(seat)] != nil || len(known.orders[seat]) == 0 || len(g.p.view(v).GetStanding()) != 1 {
			t.Errorf("%s knows other orders than its own", seatIDs[seat])
		}
		if (referee{}).CommandAudience(g.p, seat, only(KindStanding)) != rules.OnlySeats(seat) {
			t.Error("the command is open")
		}
	}
	if len(g.p.view(rules.Spectator).GetStanding()) != 0 {
		t.Error("spectators see orders")
	}
	out := g.do("attack N1 C J1 J2", 10, 10, 10, 10, 10, 10)
	if n := followed(out); n < 3 {
		t.Fatalf("%d answers", n)
	}
	for _, e := range out.Events {
		k, ok := e.Event.(*event).GetKind().(*downfallv1.Event_StandingFollowed)
		if ok && rules.Spectator.MaySee(e.Audience) {
			t.Errorf("everyone sees %v", k)
		}
	}
	out = g.as(US, "standing fire ask")
	if rules.SeatViewer(Japan).MaySee(out.Events[0].Audience) || len(out.Events) != 1 || out.Revealed {
		t.Errorf("an order is open: %v", out.Events)
	}
}

// Games with standing orders come out as games in which the same answers are given by hand. In a US turn with two
// attacks few commands are left, those for moves and replacements aside: they are what the turn is about.
func TestStandingIsAnswers(t *testing.T) {
	t.Parallel()
	const aim = 8
	var orders [2][]standing
	for seat := range orders {
		orders[seat] = standingAll(rules.Seat(seat), allUsual)
	}
	answers, turns, most, mostByHand := 0, 0, 0, 0
	for seed := range uint64(6) {
		on := newPosition(olympic(t), 0)
		a, pick := dice.NewSeeded(seed+1), dice.NewSeeded(seed+100)
		if err := rules.Start(referee{}, on, a, new(rules.Outcome)); err != nil {
			t.Fatal(err)
		}
		off, b := on.Clone(), dice.NewSeeded(seed+1)
		if err := rules.Start(referee{}, newPosition(olympic(t), 0), b, new(rules.Outcome)); err != nil {
			t.Fatal(err)
		}
		on.orders = orders
		turn, attacks, left, byHand := uint8(0), 0, 0, 0
		for !on.over() {
			if on.turn != turn {
				if attacks == 2 {
					turns, most, mostByHand = turns+1, max(most, left), max(mostByHand, byHand)
				}
				turn, attacks, left, byHand = on.turn, 0, 0, 0
			}
			ask, seat := on.ask()
			var list []Command
			on.Legal(seat, rules.Filter{}, func(c Command) bool {
				if !kinds[c.Kind].Offer && c.Kind != KindConsecutive && (c.Kind != KindBombs || c.Count == 0) {
					list = append(list, c)
				}
				return true
			})
			if seat == US && ask == AskActions {
				list = attacksFirst(list, attacks)
			}
			c, out := byKind(list, pick), new(rules.Outcome)
			counts := seat == US && (ask != AskActions || c.Kind == KindAttack || c.Kind == KindEnd) && ask != AskPlan
			inUS := on.phase != JapanActions
			if counts && inUS {
				left, byHand = left+1, byHand+1
			}
			if seat == US && c.Kind == KindAttack {
				attacks++
			}
			if err := rules.Play(referee{}, on, seat, c, a, out); err != nil {
				t.Fatal(err)
			}
			if err := rules.Play(referee{}, off, seat, c, b, new(rules.Outcome)); err != nil {
				t.Fatal(err)
			}
			for range followed(out) {
				if off.byHand(t, orders, b) == US && inUS {
					byHand++
				}
				answers++
			}
			if off.phase != on.phase || off.vp != on.vp {
				t.Fatalf("seed %d: the games part in turn %d", seed, on.turn)
			}
		}
		on.orders = [2][]standing{}
		if diff := cmp.Diff(off.format(), on.format()); diff != "" {
			t.Fatalf("seed %d (-by hand +by orders):\n%s", seed, diff)
		}
	}
	t.Logf("%d answers; %d US turns with two attacks take at most %d commands, %d without orders",
		answers, turns, most, mostByHand)
	if answers < 200 || turns < 3 || most > aim || mostByHand <= aim {
		t.Errorf("%d answers, %d turns, at most %d commands with orders (the aim is %d) and %d without",
			answers, turns, most, aim, mostByHand)
	}
}

// attacksFirst are the attacks of a list until there were two, then all else.
func attacksFirst(list []Command, attacks int) []Command {
	is := func(c Command) bool { return c.Kind == KindAttack }
	if attacks < 2 && slices.ContainsFunc(list, is) {
		return slices.DeleteFunc(list, func(c Command) bool { return !is(c) })
	}
	return slices.DeleteFunc(list, is)
}

// byHand gives the answer that orders would give, and reports whose it is.
func (p *Position) byHand(t *testing.T, orders [2][]standing, src dice.Source) rules.Seat {
	t.Helper()
	q := p.Clone()
	q.orders = orders
	ask, seat := q.ask()
	c, ok := q.byOrder(ask, seat)
	if !ok {
		t.Fatalf("no order answers %s", questions[ask].id)
	}
	if err := rules.Play(referee{}, p, seat, c, src, new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	return seat
}

// Forecasts follow the orders of the seat, and make the choices that are left by the policies.
func TestStandingIsForecast(t *testing.T) {
	t.Parallel()
	begin := func() *table {
		return onFlower(t, USActions).quiet().put("C", "I/25", "V/2").put("N1", "J1", "J2").reduce("J1")
	}
	weak, strong := begin().forecast("attack C N1 I/25", study(t)),
		begin().forecast("attack C N1 I/25", study(t, policyTargets, targetsStrong))
	g := begin()
	g.as(US, "standing fire strongest")
	ordered := g.forecast("attack C N1 I/25", study(t))
	if !reflect.DeepEqual(strong.Distributions, ordered.Distributions) {
		t.Errorf("by the policy %v, by the order %v", strong.Distributions, ordered.Distributions)
	}
	if reflect.DeepEqual(weak.Distributions, ordered.Distributions) {
		t.Error("the order changes nothing")
	}
}

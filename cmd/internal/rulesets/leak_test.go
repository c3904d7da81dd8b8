package rulesets

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// forkLength is how many commands a pair of games is played on after they differ.
const forkLength = 8

// TestNoCallLeaks plays pairs of games at two servers that draw the same secrets. They differ in one command that is
// hidden from some viewers, and are played on alike; until something is revealed, every call must give those viewers
// equal bytes. Hashes alone differ, which commit to what is hidden, as the salts of a real game make them differ
// anyway. LEAKS_COMPARED is how many answers are compared of each ruleset at least.
func TestNoCallLeaks(t *testing.T) {
	t.Parallel()
	sets := append(Offered(), toy.Ruleset())
	// rules start no goroutines: with the race detector the toy's server shows what runs side by side
	if testing.Short() {
		sets = sets[len(sets)-1:]
	}
	for _, set := range sets {
		t.Run(set.About().Name, func(t *testing.T) {
			t.Parallel()
			compared, games, least := 0, gamesOf[set.About().Name], 0
			if testing.Short() { // with the race detector, half of them
				games = (games + 1) / 2
			}
			if n, err := strconv.Atoi(os.Getenv("LEAKS_COMPARED")); err == nil {
				least = n
			}
			// A pair that differs in nothing that is secret from somebody does not count.
			for seed, played := 0, 0; (played < games || compared < least) && seed < 8*games+least; seed++ {
				p := newPair(t, set, uint64(seed), nil)
				n := p.play()
				if p.leak != "" {
					t.Fatalf("a leak: %s", p.leak)
				}
				if compared += n; n > 0 {
					played++
				}
			}
			if games > 0 && compared == 0 {
				t.Error("no pair of games ever differed in a secret, so the test proves nothing")
			}
			t.Logf("%d answers compared", compared)
		})
	}
}

// gamesOf says how many pairs are played of each ruleset that has secret commands; those of Downfall and OCS are long.
var gamesOf = map[string]int{"toy": 4, "downfall": 2, "anniversary": 2, "ocs": 2}

// TestRulesetsWithSecretsArePlayed notices the day on which another ruleset has a command that some may not see.
func TestRulesetsWithSecretsArePlayed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("rules start no goroutines: the run without the race detector looks at each")
	}
	for _, set := range Offered() {
		p := newPair(t, set, 1, nil)
		for step := range 20 {
			waiting := p.games[0].game("").WaitingFor
			if len(waiting) == 0 || !p.step(step, waiting[0]) {
				break
			}
			if p.outsiders != nil && gamesOf[set.About().Name] == 0 {
				t.Errorf("%s has secrets (%s): let TestNoCallLeaks play it", set.About().Name, p.path[len(p.path)-1])
			}
		}
		for _, g := range p.games {
			g.close()
		}
	}
}

// pair is two games of which the second differs from the first in a secret, once there was one.
type pair struct {
	t     *testing.T
	set   rules.Ruleset
	seed  uint64
	games [2]*site
	plant *plant
	// veils are the rulesets that make the games differ in what no command makes secret; nil for none.
	veils [2]*veiled
	// outsiders may not tell the games apart; nil until they differ.
	outsiders []string
	path      []string
	tried     []string
	// orders is true if the pair differs in a standing order, where the ruleset has other secrets too.
	orders bool
	// leak says what differed and must not.
	leak string
}

func newPair(t *testing.T, set rules.Ruleset, seed uint64, plant *plant, veils ...*veiled) *pair {
	p := &pair{t: t, set: set, seed: seed, plant: plant, orders: seed%2 == 0}
	options := map[string]string{}
	for _, o := range set.About().Options {
		if p.below(2) == 0 { // what hides most is on in one half of the games
			options[o.ID] = o.Values[p.below(len(o.Values))]
		}
	}
	scenario := set.ScenarioDocuments()[p.below(len(set.ScenarioDocuments()))].ID
	if len(veils) > 0 {
		p.veils = [2]*veiled{set.(*veiled), veils[0]}
	}
	for i := range p.games {
		one := set
		if i == 1 && len(veils) > 0 {
			one = veils[0]
		}
		p.games[i] = newSite(t, one, scenario, options, plant)
	}
	return p
}

// below is a number of a little generator.
func (p *pair) below(n int) int {
	p.seed = p.seed*6364136223846793005 + 1442695040888963407
	return int(p.seed>>33) % n
}

// play plays until the pair differs and then a while, and gives how many answers were compared.
func (p *pair) play() (compared int) {
	defer func() {
		for _, g := range p.games {
			g.close()
		}
	}()
	for _, g := range p.games {
		g.subscribe()
	}
	left := forkLength
	for step := 0; step < 80 && left > 0; step++ {
		waiting := p.games[0].game("").WaitingFor
		if len(waiting) == 0 {
			return compared
		}
		seat := waiting[p.below(len(waiting))]
		ok := p.step(step, seat)
		if p.outsiders == nil {
			continue
		}
		if !ok || len(p.outsiders) == 0 {
			return compared
		}
		left--
		compared += p.compareAll(left == 0)
		if p.leak != "" {
			return compared
		}
	}
	return compared
}

// compareAll compares what each outsider sees, and each holder of a token that an outsider made. Notices come first:
// the last calls change something, and a notice shows the game at the time of its posting.
func (p *pair) compareAll(last bool) (compared int) {
	a, b := p.games[0], p.games[1]
	a.rest()
	b.rest()
	for _, one := range p.outsiders {
		compared += p.compareMaps(one, "notices", a.noticed(one, last), b.noticed(one, last))
		if last {
			compared += p.compareMaps(one, "pictures", a.pictures(one), b.pictures(one))
		}
	}
	for _, one := range p.outsiders {
		for _, who := range derived(a, one) {
			if last || who == one { // in between, those who have what an outsider has
				compared += p.compare(who, last)
			}
		}
	}
	return compared
}

// step makes a command in both games: the same, or for once two that differ in a secret. ok is false if the
// games cannot go on alike.
func (p *pair) step(step int, seat string) (ok bool) {
	a, b := p.games[0], p.games[1]
	list := a.legal(seat)
	if len(list) == 0 {
		return false
	}
	text := p.pick(list)
	if p.outsiders != nil && !b.lists(seat, text) {
		return true // another time
	}
	if p.outsiders == nil {
		if orders, ok := p.secretOrders(seat); ok && step > 3 {
			return p.order(step, seat, orders)
		}
	}
	if p.outsiders == nil && p.veils[0] != nil && step >= 2 {
		return p.veil(step, seat, text)
	}
	id := uuidOf("command", uint64(step))
	if err := a.submit(seat, text, id); err != nil {
		p.t.Fatalf("%s is listed, and refused: %v", text, err)
	}
	other := text
	if p.outsiders == nil && p.veils[0] == nil {
		other = p.alternative(list, a, text)
	}
	if err := b.submit(seat, other, id); err != nil {
		p.t.Fatalf("%s is listed, and refused: %v", other, err)
	}
	p.path, p.tried = append(p.path, seat+" "+text), append(p.tried, text)
	switch {
	case other != text:
		p.outsiders = p.blind()
		p.path[len(p.path)-1] += " or " + other
		if a.revealed() || b.revealed() {
			p.outsiders = []string{}
		}
	case p.outsiders != nil && (a.revealed() || b.revealed()):
		// Whoever sees a difference now has been told, and tells no leak.
		p.outsiders = slices.DeleteFunc(p.outsiders,
			func(who string) bool { return cmp.Diff(a.shown(who, nil, false), b.shown(who, nil, false)) != "" })
	}
	return true
}

// orderKinds are the kinds of secret commands that stand for a while. They are listed only if asked for by kind; those
// of Anniversary are not listed one by one.
var orderKinds = map[string]string{"downfall": "standing", "ocs": "orders"}

// secretOrders are two standing orders of which the second differs from the first. Rulesets that have secret commands
// of other kinds too give orders in every other pair only.
func (p *pair) secretOrders(seat string) (two [2]string, ok bool) {
	name := p.set.About().Name
	if name == "anniversary" {
		return [2]string{"orders losses infantry,tank retreat 50 bombard",
			"orders losses tank,infantry retreat 60 divert"}, true
	}
	if orderKinds[name] == "" || !p.orders || p.veils[0] != nil {
		return two, false
	}
	out, err := p.games[0].games.ListLegalActions(p.games[0].as(seat), &v1.ListLegalActionsRequest{
		Name: p.games[0].name, Seat: seat, Kind: orderKinds[name], PageSize: 1000})
	if err != nil {
		p.t.Fatal(err)
	}
	// an order that is as it was changes nothing, and is refused
	var list []string
	for _, a := range slices.Concat(out.Actions, out.Offers) {
		if p.games[0].check(seat, a.Command) == nil {
			list = append(list, a.Command)
		}
	}
	if len(list) < 2 {
		p.t.Fatalf("%s may give %d orders", seat, len(list))
	}
	first := p.below(len(list))
	return [2]string{list[first], list[(first+1+p.below(len(list)-1))%len(list)]}, true
}

// order makes different secret orders in the two games.
func (p *pair) order(step int, seat string, orders [2]string) bool {
	for i, g := range p.games {
		if err := g.submit(seat, orders[i], uuidOf("command", uint64(step))); err != nil {
			p.t.Fatalf("%s: %v", orders[i], err)
		}
	}
	p.path = append(p.path, seat+" "+orders[0]+" or "+orders[1])
	p.outsiders = p.blind()
	return true
}

// alternative is another command of the kind of a secret one; the same if the command is no secret or there is none.
func (p *pair) alternative(list []*action, a *site, text string) string {
	if a.seesCommand("spectator") {
		return text
	}
	kind := ""
	for _, c := range list {
		if c.text == text {
			kind = c.kind
		}
	}
	others := slices.DeleteFunc(slices.Clone(list), func(c *action) bool { return c.kind != kind || c.text == text })
	if len(others) == 0 {
		return text
	}
	return others[p.below(len(others))].text
}

// pick chooses a kind first and then a command of it, so that rare kinds come up; what gives up is left out.
func (p *pair) pick(list []*action) string {
	kinds := map[string][]*action{}
	for _, c := range list {
		if !c.offer {
			kinds[c.kind] = append(kinds[c.kind], c)
		}
	}
	if len(kinds) == 0 {
		return list[0].text
	}
	names := slices.Sorted(maps.Keys(kinds))
	kind := names[p.below(len(names))]
	return kinds[kind][p.below(len(kinds[kind]))].text
}

// blind are the viewers who see the last command of neither game, and are told the same events of both: what a command
// does in the open is no secret.
func (p *pair) blind() []string {
	out := []string{}
	for _, who := range append(p.games[0].seats(), "spectator", "owner") {
		if !p.games[0].seesCommand(who) && !p.games[1].seesCommand(who) &&
			slices.Equal(p.games[0].told(who), p.games[1].told(who)) {
			out = append(out, who)
		}
	}
	return out
}

func (p *pair) compare(who string, last bool) int {
	return p.compareMaps(who, "calls", p.games[0].shown(who, p.tried, last), p.games[1].shown(who, p.tried, last))
}

func (p *pair) compareMaps(who, what string, a, b map[string]string) int {
	if p.leak != "" {
		return 0
	}
	for _, call := range slices.Sorted(maps.Keys(a)) {
		if a[call] != b[call] {
			p.leak = fmt.Sprintf("%s to %s differs after\n%s", call, who, strings.Join(p.path, "\n"))
			if p.plant == nil { // nobody reads how a planted one differs
				p.leak += "\n" + cmp.Diff(readable(a[call]), readable(b[call]))
			}
			return 0
		}
	}
	if len(a) != len(b) {
		p.leak = fmt.Sprintf("%s gets %d or %d %s after\n%s", who, len(a), len(b), what, strings.Join(p.path, "\n"))
	}
	return len(a)
}

// uuidOf is an id that both games use for the same request, of version 4.
func uuidOf(what string, n uint64) string {
	var b [16]byte
	copy(b[:], what)
	binary.BigEndian.PutUint64(b[8:], n)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// namedID is uuidOf for names of any length.
func namedID(what string, n uint64) string {
	sum := sha256.Sum256(fmt.Append(nil, what, " ", n))
	return uuidOf(string(sum[:8]), binary.BigEndian.Uint64(sum[8:]))
}

// action is a listed command.
type action struct {
	text, kind string
	offer      bool
}

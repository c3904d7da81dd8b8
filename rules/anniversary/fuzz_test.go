package anniversary

import (
	"testing"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Whatever is read as a command is written so that it is read again as the same.
func FuzzParseCommand(f *testing.F) {
	for text := range friendly {
		f.Add(text)
	}
	p := golden(f, goldenBattle)
	f.Fuzz(func(t *testing.T, text string) {
		c, r := p.parseCommand(text)
		if r != nil {
			return
		}
		again, r := p.parseCommand(grammar.Format(p, c))
		if r != nil || grammar.Format(p, again) != grammar.Format(p, c) {
			t.Fatalf("%q is written as %q and read as %q: %v", text, grammar.Format(p, c), grammar.Format(p, again), r)
		}
		for seat := range rules.Seat(NumSeats) {
			referee{}.Check(p, seat, c)
			p.Describe(0, c)
		}
	})
}

// Whatever is read as a position is written as it was, and can be looked at and gone on from.
func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{goldenMove, goldenBattle, goldenOver} {
		f.Add(text)
	}
	sc41, sc42 := shippedScenario(f, "1941"), shippedScenario(f, "1942")
	f.Fuzz(func(t *testing.T, text string) {
		for _, sc := range [...]*Scenario{sc41, sc42} {
			p, err := parsePosition(sc, text)
			if err != nil {
				continue
			}
			if p.format() != text {
				t.Fatalf("%q is written as %q", text, p.format())
			}
			look(p)
		}
	})
}

// look draws a position, asks what it waits for and lists a few commands.
func look(p *Position) {
	ref := referee{}
	ref.Decisions(p)
	p.Board(rules.Auditor, rules.Japanese)
	p.view(rules.Spectator)
	policies, _ := rules.NewPolicies(ref.Policies(), nil)
	for at := Space(len(p.groups)) % 9; int(at) < p.sc.Len(); at += 9 {
		ref.Battle(p, rules.BattleEntry{Space: p.sc.SpaceID(at)}, rules.Study{Policies: policies})
	}
	for seat := range ref.Waiting(p).Each {
		n := 0
		ref.Legal(p, seat, rules.Filter{}, func(c Command) bool {
			p.Describe(0, c)
			n++
			return n < 50
		})
	}
}

// Whatever is read as the message of a command is written so that it is read again as the same.
func FuzzDecodeCommand(f *testing.F) {
	p := golden(f, goldenBattle)
	for text := range friendly {
		if c, r := p.parseCommand(text); r == nil {
			data, err := proto.Marshal((referee{}).EncodeCommand(p, c))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &anniversaryv1.Command{}
		if proto.Unmarshal(data, m) != nil {
			return
		}
		c, r := (referee{}).DecodeCommand(p, m)
		if r != nil {
			return
		}
		again, r := (referee{}).DecodeCommand(p, (referee{}).EncodeCommand(p, c))
		if r != nil || grammar.Format(p, again) != grammar.Format(p, c) {
			t.Fatalf("%v comes back as %v: %v", c, again, r)
		}
		for seat := range rules.Seat(NumSeats) {
			referee{}.Check(p, seat, c)
			p.Describe(0, c)
		}
	})
}

// FuzzCommands drives games by bytes.
func FuzzCommands(f *testing.F) { rulestest.FuzzCommands(f, New()) }

// FuzzDecoders reads bytes as everything that comes from outside.
func FuzzDecoders(f *testing.F) { rulestest.FuzzDecoders(f, New()) }

// Whatever is entered into the calculator is refused by the field, or has chances that sum to 1.
func FuzzCalculator(f *testing.F) {
	f.Add("east-poland", "land", "germany", "infantry", 3, "tank", -1, "radar", uint8(3))
	f.Add("france", "amphibious", "united-kingdom", "ashore-tank", 2, "bombarding-cruiser", 1, "heavy-bombers",
		uint8(1))
	f.Add("sz-9", "sea", "", "damaged-battleship", 7, "submarine", 100, "super-submarines", uint8(2))
	p := golden(f, goldenBattle)
	f.Fuzz(func(t *testing.T, space, kind, party, one string, n int, other string, m int, trait string, how uint8) {
		force := rules.BattleForce{Party: party, Entered: how&1 > 0, Traits: []string{trait},
			Losses: []string{one, other}, Numbers: []rules.Count{{ID: one, N: n}, {ID: other, N: m}}}
		e := rules.BattleEntry{Space: space, Kind: kind, Attacker: force, Defender: force}
		if e.Defender.Party = ""; how&2 == 0 {
			e.Defender.Losses, e.Defender.Traits = nil, nil
		}
		policies, _ := rules.NewPolicies(referee{}.Policies(), map[string]string{
			policyRetreat: [...]string{retreatNever, retreatHalf, oneGo}[how%3]})
		b, faults := referee{}.Battle(p, e, rules.Study{Policies: policies})
		if (b == nil) != (faults != nil) {
			t.Fatalf("%+v with faults %v", b, faults)
		}
		if b == nil {
			return
		}
		sum := 0.
		for _, o := range b.Forecast.Outcomes {
			sum += o.Chance.Value
		}
		if sum < 1-1e-6 || sum > 1+1e-6 {
			t.Fatalf("the chances sum to %v", sum)
		}
	})
}

package downfall

import (
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// FuzzParseCommand reads any text as a command, in the middle of a combat. What is read has one spelling, can be
// described and checked, and comes back from its message.
func FuzzParseCommand(f *testing.F) {
	p := golden(f)
	for _, s := range []string{
		"move us-i-25 2719-2718 us-i-art 2718", "attack 2720 us-i-25 +air +naval1", "withdraw us-i-25 2620 us-i-33 -",
		"losses jp-5-tk:2",
		"orders airborne 2515 23", "zones limo road", "declare +air2 +naval3", "end", "supply -", "remove 1 3",
		"shot jp-25-div us-i-25",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, r := p.parseCommand(text)
		if r != nil {
			if r.Reason == "" || r.Error() == "" {
				t.Fatalf("%q is refused without a reason", text)
			}
			return
		}
		written(t, p, c)
	})
}

// written puts a command through everything that shows it.
func written(t *testing.T, p *Position, c Command) {
	t.Helper()
	text := p.formatCommand(c)
	back, r := p.parseCommand(text)
	if r != nil || p.formatCommand(back) != text {
		t.Fatalf("%q is read as %q: %v", text, p.formatCommand(back), r)
	}
	for seat := range seatIDs {
		p.check(rules.Seat(seat), c)
		if d := p.Describe(rules.Seat(seat), c); d.Kind == "" || !catalogue.Has(d.Label.Key) {
			t.Fatalf("%q is described as %+v", text, d)
		}
	}
	(referee{}).EncodeCommand(p, c)
}

// FuzzDecodeCommand reads any bytes as the message of a command.
func FuzzDecodeCommand(f *testing.F) {
	p := golden(f)
	for _, s := range []string{"move us-i-25 2718", "attack 2719 2720 us-i-25 +air", "withdraw us-i-25 2620 us-i-33 -",
		"zones limousine", "end", "target 2819"} {
		c, r := p.parseCommand(s)
		if r != nil {
			f.Fatal(r)
		}
		data, err := proto.Marshal((referee{}).EncodeCommand(p, c))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &downfallv1.Command{}
		if proto.Unmarshal(data, m) != nil {
			return
		}
		if c, r := (referee{}).DecodeCommand(p, m); r == nil {
			written(t, p, c)
		}
	})
}

// FuzzParsePosition reads any text as a position. What is read can be shown, asked and played on, and comes
// back from its notation.
func FuzzParsePosition(f *testing.F) {
	sc := olympic(f)
	f.Add(goldenPosition)
	start := newPosition(sc, 0)
	f.Add(start.format())
	for seed := range uint64(3) {
		n := 0
		wander(f, sc, OptionSet(seed*5), seed, func(p *Position, _ []Command) {
			if n++; n%60 == 0 {
				f.Add(p.format())
			}
		})
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePosition(sc, text)
		if err != nil {
			return
		}
		reread(t, p)
		for _, v := range []rules.Viewer{rules.Auditor, rules.Spectator} {
			p.Board(v, rules.Japanese)
			p.view(v)
		}
		playOn(t, p, 30)
	})
}

// Positions of random games with words changed, left out or taken from elsewhere are refused, or can
// be shown and played on.
func TestMutatedPositions(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	rng := dice.NewSeeded(7)
	below := func(n int) int { return int(rng.Below(uint32(n))) }
	texts := []string{goldenPosition}
	for seed := range uint64(8) {
		n := 0
		wander(t, sc, OptionSet(seed*seed*37)&(1<<len(optionList)-1), seed, func(p *Position, _ []Command) {
			if n++; n%13 == 0 || p.fight.on && n%3 == 0 || p.decl.on {
				texts = append(texts, p.format())
			}
		})
	}
	vocabulary := strings.Fields(strings.Join(texts[:min(len(texts), 40)], "\n"))
	accepted := 0
	for i := range 6000 {
		lines := strings.Split(texts[below(len(texts))], "\n")
		for range 1 + below(2) {
			line := below(len(lines))
			if below(3) > 0 { // the head is where the mischief is
				line = min(1+below(20), len(lines)-1)
			}
			words := strings.Split(lines[line], " ")
			switch w := below(len(words)); below(4) {
			case 0:
				words = append(words[:w], words[w+1:]...)
			case 1:
				words[w] = vocabulary[below(len(vocabulary))]
			case 2:
				words[w] = strconv.Itoa(below(40))
			case 3:
				words = strings.Split(texts[below(len(texts))], "\n")[:1]
				if other := strings.Split(texts[below(len(texts))], "\n"); line < len(other) {
					words = []string{other[line]}
				}
			}
			lines[line] = strings.Join(words, " ")
		}
		text := strings.Join(lines, "\n")
		p, err := parsePosition(sc, text)
		if err != nil {
			continue
		}
		accepted++
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("case %d: %v in\n%s\n%s", i, r, text, debug.Stack())
				}
			}()
			p.Board(rules.Auditor, rules.English)
			p.view(rules.Spectator)
			playOn(t, p, 12)
		}()
	}
	t.Logf("%d texts, %d accepted", len(texts), accepted)
}

// playOn plays the first commands that are listed.
func playOn(t *testing.T, p *Position, most int) {
	t.Helper()
	var ref referee
	src, out := dice.NewSeeded(1), new(rules.Outcome)
	if !p.over() {
		if err := rules.Start(ref, p, src, out); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < most && !p.over(); n++ {
		p.Decisions()
		_, who := p.ask()
		first, i := Command{}, 0
		p.Legal(who, rules.Filter{}, func(c Command) bool {
			first = c
			i++
			return i <= n%3
		})
		if first.Kind == KindNone {
			return
		}
		if err := rules.Play(ref, p, who, first, src, out); err != nil {
			t.Fatalf("%s is listed and refused: %v", p.formatCommand(first), err)
		}
	}
}

package rules

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, word string
		want        int
	}{
		{"kitten", "sitting", 3}, {"sitting", "kitten", 3}, {"xbc", "abc", 1}, {"bc", "abc", 1}, {"abcd", "abc", 1},
		{"axc", "abc", 1}, {"abx", "abc", 1}, {"mvoe", "move", 2}, {"MVOE", "move", 2}, {"ab", "ba", 2}, {"", "abc", 3},
		{"flaw", "lawn", 2},
		{"mo", "move", 1}, {"Mo", "move", 1}, // goes on after what was typed
	} {
		if got := unlike(c.typed, c.word); got != c.want {
			t.Errorf("%q and %q are unlike by %d, want %d", c.typed, c.word, got, c.want)
		}
	}
}

// TestSampled holds the interval against values of Wilson's formula that were computed elsewhere.
func TestSampled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, n          int
		value, low, high float64
	}{
		{8, 10, .8, .490162, .943318}, {1, 20, .05, .008881, .236131}, {500, 1000, .5, .46907, .53093},
		{0, 10, 0, 0, .277533}, {10, 10, 1, .722467, 1},
	} {
		got := Sampled(c.hits, c.n)
		for name, pair := range map[string][2]float64{
			"value": {got.Value, c.value}, "low": {got.Low, c.low}, "high": {got.High, c.high},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-5 {
				t.Errorf("%d of %d: the %s is %g, want %g", c.hits, c.n, name, pair[0], pair[1])
			}
		}
	}
	if got := Sampled(0, 10); got.Low != 0 {
		t.Errorf("none of ten may be as few as %g", got.Low)
	}
	if got := Sampled(10, 10); got.High != 1 {
		t.Errorf("all of ten may be as many as %g", got.High)
	}
}

// TestCommonTexts: each text of the one run is matched with a text of its own of the other, an equal one if there is
// one.
func TestCommonTexts(t *testing.T) {
	t.Parallel()
	said := func(values ...int) (texts []Text) {
		for _, v := range values {
			texts = append(texts, Say("lost", "n", v))
		}
		return texts
	}
	for name, c := range map[string]struct{ one, other, want []Text }{
		"twice in one":        {said(1, 1), said(1), said(1)},
		"twice in the other":  {said(1), said(1, 1), said(1)},
		"another order":       {said(1, 2), said(2, 1), said(1, 2)},
		"none":                {said(1), nil, nil},
		"of another sentence": {said(1), []Text{Say("won", "n", 1)}, nil},
		"the first that fits": {said(1, 3), said(2, 3), []Text{Say("lost", "n", Words{En: "…", Ja: "…"}), said(3)[0]}},
	} {
		if diff := cmp.Diff(c.want, commonTexts(c.one, c.other)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestFaultsOfARulebookNameTheirLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"T 1\tA\tforced\tx":                       "line 1: T 1 has the unknown kind",
		"T 1\tA\ttable\tx\nT 2\tA\tforced\tx":     "line 2: T 2 has the unknown kind",
		"T 1\tA\ttable\tx\nT 2\tA\tchoice":        "line 2: 3 columns",
		"T 1\tA\ttable\tx\n\nT 2\tA\tchoice\tx":   "line 2: 1 columns",
		"T 1\tA\ttable\tx\nT 1\tA\tchoice\tx\r\n": "line 2: T 1 is given twice",
	} {
		if _, err := ParseRulebook(text); err == nil || !strings.Contains(err.Error(), "rulebook "+want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestTextsOfTexts: a text that names itself is put into words five times.
func TestTextsOfTexts(t *testing.T) {
	t.Parallel()
	got := MustCatalogue("loop\tagain {self}\tまた{self}\n").Format(English, Say("loop", "self", "@loop"))
	if want := strings.Repeat("again ", 5) + "[loop self=@loop]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestShortenKeepsAListThatFits: as many outcomes as a forecast lists are neither sorted nor summed up; of one more the
// least likely is.
func TestShortenKeepsAListThatFits(t *testing.T) {
	t.Parallel()
	outcomes := func(n int) (list []ForecastOutcome) {
		for i := range n {
			list = append(list, ForecastOutcome{Chance: Sampled(i+1, 5000)}) // the likeliest last
		}
		return list
	}
	fits := Forecast{Method: MethodSampled, Trials: 5000, Outcomes: outcomes(MaxListed)}
	fits.Shorten()
	if diff := cmp.Diff(outcomes(MaxListed), fits.Outcomes); diff != "" || fits.Others != (Likelihood{}) {
		t.Errorf("others %+v, outcomes (-want +got)\n%s", fits.Others, diff)
	}
	over := Forecast{Method: MethodSampled, Trials: 5000, Outcomes: outcomes(MaxListed + 1)}
	over.Shorten()
	if len(over.Outcomes) != MaxListed || over.Outcomes[0].Chance != Sampled(MaxListed+1, 5000) ||
		over.Others != Sampled(1, 5000) {
		t.Errorf("%d outcomes, the first %+v, others %+v", len(over.Outcomes), over.Outcomes[0].Chance, over.Others)
	}
}

// TestStoriesTellOutcomesApart: the story of an outcome leaves out what every outcome tells, unless nothing else
// is left.
func TestStoriesTellOutcomesApart(t *testing.T) {
	t.Parallel()
	said := func(keys ...string) (texts []Text) {
		for _, key := range keys {
			texts = append(texts, Say(key, "n", 1))
		}
		return texts
	}
	moved, hit, missed := said("moved")[0], said("hit")[0], said("missed")[0]
	again := Say("moved", "n", 2) // of the same sentence, and yet another text
	for name, c := range map[string]struct {
		told [][]Text
		want [][]Text
	}{
		"what all tell":         {[][]Text{{moved, hit}, {moved, missed}}, [][]Text{{hit}, {missed}}},
		"nothing in common":     {[][]Text{{hit}, {missed}}, [][]Text{{hit}, {missed}}},
		"nothing of its own":    {[][]Text{{moved, hit}, {moved}}, [][]Text{{hit}, {moved}}},
		"a single one":          {[][]Text{{moved, hit}}, [][]Text{{moved, hit}}},
		"other arguments":       {[][]Text{{moved, hit}, {again, hit}}, [][]Text{{moved}, {again}}},
		"told by two of three":  {[][]Text{{moved}, {moved, hit}, {hit}}, [][]Text{{moved}, {moved, hit}, {hit}}},
		"nothing in all trials": {[][]Text{nil, {hit}}, [][]Text{{Say("example")}, {hit}}},
	} {
		var list []*fate
		for _, told := range c.told {
			list = append(list, &fate{told: told, example: []Text{Say("example")}})
		}
		var got [][]Text
		for _, x := range list {
			got = append(got, x.story(inAll(list)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestExpectSampled holds the normal interval of a mean against values that were computed by hand.
func TestExpectSampled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hits            map[int]int // by value
		trials          int
		mean, low, high float64
	}{
		"one of four is 0":  {map[int]int{0: 1, 2: 3}, 4, 1.5, .520018, 2.479982}, // variance 3/4 of 3
		"half and half":     {map[int]int{-1: 50, 3: 50}, 100, 1, .606036, 1.393964},
		"always the same":   {map[int]int{7: 9}, 9, 7, 7, 7},
		"a single sample":   {map[int]int{7: 1}, 1, 7, 7, 7},
		"an average of two": {map[int]int{1: 1, 3: 1}, 2, 2, .040036, 3.959964},
	} {
		ends := &Ends[int]{Method: MethodSampled, Trials: c.trials}
		for value, hits := range c.hits { // order-free: a sum
			ends.list = append(ends.list, end[int]{p: value, hits: hits})
		}
		got := ends.Expect(func(p int) int { return p })
		if math.Abs(got.Value-c.mean) > 1e-5 || math.Abs(got.Low-c.low) > 1e-5 || math.Abs(got.High-c.high) > 1e-5 ||
			got.Exact != nil {
			t.Errorf("%s: %g from %g to %g, want %g from %g to %g", name, got.Value, got.Low, got.High, c.mean, c.low,
				c.high)
		}
	}
}

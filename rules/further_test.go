package rules

import (
	"testing"

	"github.com/warledger/warledger/languages"
)

// A language of a file takes its own forms and places, in messages within messages too; what it lacks is English.
func TestFurtherLanguage(t *testing.T) {
	t.Parallel()
	c := MustCatalogue("lost\t{seat} loses {n} {n|step|steps}.\t{seat}は{n}失う\nseat.red\tRed\t赤\n" +
		"left\tleft\t左\nwent\tleft\t去\nnone\t{n} {n|ship|ships}\t{n}隻\n")
	l, faults := languages.Parse("pl", "@name\tPolski\n@plural\t3 n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2\n"+
		"{seat} loses {n} {n|step|steps}.\t{n} {n|krok|kroki|kroków}: {seat}.\nRed\tCzerwony\nleft\tlewo\n"+
		"left\todszedł\twent\n")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	c.speak(l)
	for want, text := range map[string]Text{
		"5 kroków: Czerwony.": Say("lost", "seat", "@seat.red", "n", 5), "1 krok: x.": Say("lost", "seat", "x", "n", 1),
		"lewo": Say("left"), "odszedł": Say("went"), "1 ship": Say("none", "n", 1), "2 ships": Say("none", "n", 2),
	} {
		if got := c.Format("pl", text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Words that are put together are put together in a further language too, as German, which has a file.
func TestWordsInGerman(t *testing.T) {
	t.Parallel()
	c := MustCatalogue("of\t{n} of {what}\t{what}の{n}\nseat.red\tRed\t赤\n")
	both := Join([]Words{{En: "Outpost 12", Ja: "前哨 12"}, c.Words(Say("seat.red")), {En: "unheard of"}}, " → ", "→")
	for lang, want := range map[Lang]string{
		"de": "Außenposten 12 → Rot → unheard of", "en": "Outpost 12 → Red → unheard of", "ja": "前哨 12→赤→unheard of",
	} {
		if got := both.In(lang); got != want {
			t.Errorf("%s in %s, want %s", got, lang, want)
		}
	}
	if got := c.Words(Say("of", "n", 2, "what", both)).In("de"); got != "2 of Außenposten 12 → Rot → unheard of" {
		t.Errorf("within another: %s", got)
	}
}

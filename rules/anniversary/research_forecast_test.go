package anniversary

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// TestForecastOfResearch: the dice differ from run to run, so the labels tell the outcomes
// and not what was rolled.
func TestForecastOfResearch(t *testing.T) {
	t.Parallel()
	set := New()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, options)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		t.Fatal(err)
	}
	c, err := g.ParseCommand("research 2")
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Preview(rules.Seat(Germany), c, rules.Study{})
	if err != nil || len(p.Forecasts) != 1 {
		t.Fatalf("%v, %v", p, err)
	}
	var labels []string
	for _, o := range p.Forecasts[0].Outcomes {
		var story []string
		for _, s := range o.Story {
			story = append(story, set.About().Catalogue.Format(rules.English, s))
		}
		labels = append(labels, o.Chance.Exact.RatString()+" "+strings.Join(story, " "))
	}
	want := []string{
		"25/36 Germany rolls … for research: no breakthrough; the researchers stay. Germany: Purchase Units.",
		"11/36 Germany rolls … for research: a breakthrough.",
	}
	if strings.Join(labels, "\n") != strings.Join(want, "\n") {
		t.Errorf("labels\n%s\nwant\n%s", strings.Join(labels, "\n"), strings.Join(want, "\n"))
	}
}

package main

import (
	"fmt"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type previewCmd struct {
	Game    string            `arg:"" help:"Game."`
	Command []string          `arg:"" optional:"" help:"Command in the ruleset's notation, or its number in the list of legal."`
	JSON    string            `name:"json" help:"Command as the ruleset's message, JSON with @type." placeholder:"MESSAGE"`
	Policy  map[string]string `help:"How choices within a forecast are made; the ruleset lists its policies." placeholder:"ID=VALUE"`
	Expect  uint64            `help:"Refuse if there is a later record than this version." placeholder:"N"`
}

// Run says what a command would do.
func (c previewCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	q, err := c.query(a, game)
	if err != nil {
		return err
	}
	out, err := game.Preview(a.ctx, q)
	if err != nil {
		return err
	}
	return a.message(out, func() { a.preview(out) })
}

func (c previewCmd) query(a *app, game *warledger.Game) (warledger.PreviewQuery, error) {
	o, err := a.order(game, c.Command, c.JSON, c.Expect)
	return warledger.PreviewQuery{Notation: o.notation, Command: o.command, Expected: o.expected, Policies: c.Policy},
		err
}

// preview prints a preview for people.
func (a *app) preview(p *v1.PreviewCommandResponse) {
	a.say("%s  %s%s\n", p.Action.GetCommand(), p.Action.GetLabel(), price(p.Action.GetCost()))
	for _, e := range p.Events {
		if e.Narration != "" {
			a.say("  %s\n", e.Narration)
		}
	}
	a.say("  %s\n", a.stopped(p))
	for _, text := range p.Assumptions {
		a.say("  (%s)\n", text)
	}
	for _, f := range p.Forecasts {
		a.forecast(f)
	}
}

// stopped says why nothing after the events is certain.
func (a *app) stopped(p *v1.PreviewCommandResponse) string {
	switch p.Stop {
	case v1.PreviewStop_PREVIEW_STOP_DECISION:
		return fmt.Sprintf(a.words("Then it waits for %s."), orDash(join(p.WaitingFor)))
	case v1.PreviewStop_PREVIEW_STOP_DICE:
		return a.words("Then dice are thrown.")
	case v1.PreviewStop_PREVIEW_STOP_HIDDEN:
		return a.words("What follows depends on what is hidden from you.")
	case v1.PreviewStop_PREVIEW_STOP_OVER:
		return a.words("Then the game is over. ") + p.Ending.GetText()
	}
	return a.words("More is not known.")
}

// forecast prints a forecast as a table of chances.
func (a *app) forecast(f *v1.Forecast) {
	title := f.Title
	if f.Kind == "dice" {
		title = a.words("The dice of the command")
	}
	a.say("\n%s: %s\n", title, a.found(f))
	a.modifiers(f.Modifiers)
	var rows [][]string
	row := func(chance *v1.ForecastChance, label string) {
		rows = append(rows, []string{"  " + percent(chance), fraction(chance), label})
	}
	for _, o := range f.Outcomes[:min(len(f.Outcomes), mostOutcomes)] {
		row(o.Chance, o.Label)
	}
	if f.Others != nil {
		row(f.Others, a.words("(others)"))
	}
	a.table(rows)
	if len(f.Outcomes) > mostOutcomes {
		a.say("  ... and %d more: -o json has them\n", len(f.Outcomes)-mostOutcomes)
	}
	for _, d := range f.Distributions {
		a.say(" %s\n", d.Title)
		rows = nil
		for i, s := range d.Shares {
			if i == shown {
				break
			}
			row(s.Chance, orDash(s.Label))
		}
		a.table(rows)
		if n := len(d.Shares) - shown; n > 0 || d.Others != nil {
			a.say("  ... and more: -o json has them\n")
		}
	}
	for _, e := range f.Expectations {
		between := ""
		if e.Low != nil {
			between = fmt.Sprintf(a.words(" (%.2f to %.2f)"), e.GetLow(), e.GetHigh())
		}
		a.say(" %s: %.2f %s on average%s\n", e.Title, e.Value, e.Unit, between)
	}
	for _, p := range f.Policies {
		a.say("  (%s=%s: %s)\n", p.Id, p.Value, p.Description)
	}
	for _, text := range f.Assumptions {
		a.say("  (%s)\n", text)
	}
}

// modifiers prints what made strengths, columns and rolls what they are: what is changed, and then one by one by what.
func (a *app) modifiers(list []*v1.ForecastModifier) {
	for i, m := range list {
		if i == 0 || list[i-1].Of != m.Of {
			a.say(" %s\n", m.Of)
		}
		a.say("    %6s  %s\n", m.Value, m.Title)
	}
}

const (
	// shown is how many possibilities of a distribution are printed.
	shown = 8
	// mostOutcomes is how many outcomes of a forecast are printed.
	mostOutcomes = 16
)

// found says how the chances of a forecast were found.
func (a *app) found(f *v1.Forecast) string {
	switch f.Method {
	case v1.ForecastMethod_FORECAST_METHOD_EXACT:
		return a.words("exact")
	case v1.ForecastMethod_FORECAST_METHOD_COMPUTED:
		return a.words("computed")
	case v1.ForecastMethod_FORECAST_METHOD_SAMPLED:
		return fmt.Sprintf(a.words("from %d samples, with intervals of 95 %%"), f.Trials)
	}
	return a.words("found in an unknown way")
}

func percent(c *v1.ForecastChance) string {
	text := fmt.Sprintf("%5.1f %%", 100*c.GetValue())
	if c.GetLow() != 0 || c.GetHigh() != 0 {
		text += fmt.Sprintf(" (%.1f to %.1f)", 100*c.GetLow(), 100*c.GetHigh())
	}
	return text
}

// fraction is a fraction that a person can read.
func fraction(c *v1.ForecastChance) string {
	if len(c.GetFraction()) > 11 {
		return ""
	}
	return c.GetFraction()
}

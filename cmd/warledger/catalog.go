package main

import (
	"fmt"
	"strings"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type rulesetsCmd struct{}

// Run lists the rulesets.
func (rulesetsCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	resp, err := client.Catalog().ListRulesets(a.ctx, &v1.ListRulesetsRequest{LanguageCode: string(a.line.Lang)})
	if err != nil {
		return err
	}
	return a.message(resp, func() {
		for _, r := range resp.Rulesets {
			a.ruleset(r)
		}
		if len(resp.Rulesets) == 0 {
			a.say("The server has no rulesets.\n")
		}
	})
}

func (a *app) ruleset(r *v1.Ruleset) {
	var seats []string
	for _, s := range r.Seats {
		seats = append(seats, s.Id+" ("+s.Title+")")
	}
	a.say("%s: %s, version %d\n  seats: %s\n", short(r.Name), r.Title, r.Version, join(seats))
	for _, o := range r.Options {
		a.say("  option %s=%s: %s [%s]\n", o.Id, strings.Join(o.Values, "|"), o.Description, o.Rule)
	}
}

// short is the last part of a resource name.
func short(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

type scenariosCmd struct {
	Ruleset string `arg:"" help:"Ruleset."`
}

// Run lists the scenarios of a ruleset.
func (c scenariosCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	resp, err := client.Catalog().ListScenarios(a.ctx,
		&v1.ListScenariosRequest{Parent: "rulesets/" + c.Ruleset, LanguageCode: string(a.line.Lang)})
	if err != nil {
		return err
	}
	return a.message(resp, func() {
		for _, s := range resp.Scenarios {
			a.say("%s: %s\n  %s\n", short(s.Name), s.Title, s.Description)
		}
	})
}

type scenarioCmd struct {
	Show     scenarioShowCmd     `cmd:"" help:"Print a scenario's document."`
	Validate scenarioValidateCmd `cmd:"" help:"Check a scenario document: all its faults at once."`
}

type scenarioShowCmd struct {
	Ruleset  string `arg:"" help:"Ruleset."`
	Scenario string `arg:"" help:"Scenario."`
}

// Run prints the document, ready to be changed and played.
func (c scenarioShowCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("rulesets/%s/scenarios/%s", c.Ruleset, c.Scenario)
	resp, err := client.Catalog().GetScenario(a.ctx,
		&v1.GetScenarioRequest{Name: name, LanguageCode: string(a.line.Lang)})
	if err != nil {
		return err
	}
	return a.message(resp, func() { a.say("%s\n", strings.TrimRight(string(resp.Document), "\n")) })
}

type scenarioValidateCmd struct {
	Ruleset string `arg:"" help:"Ruleset."`
	File    []byte `arg:"" type:"filecontent" help:"Document, JSON; - for standard input."`
}

// Run reports what is wrong with a document. One that cannot be played fails.
func (c scenarioValidateCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	resp, err := client.Catalog().ValidateScenario(a.ctx,
		&v1.ValidateScenarioRequest{Parent: "rulesets/" + c.Ruleset, Document: c.File})
	if err != nil {
		return err
	}
	err = a.message(resp, func() {
		for _, f := range resp.Faults {
			kind := "fault"
			if f.Warning {
				kind = "warning"
			}
			a.say("%s: %s: %s\n", kind, f.Path, f.Message)
		}
		if resp.Playable {
			a.say("The scenario can be played.\n")
		} else {
			a.say("The scenario cannot be played.\n")
		}
	})
	if err == nil && !resp.Playable {
		return quietError{exitFound}
	}
	return err
}

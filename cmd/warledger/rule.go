package main

import (
	"errors"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type ruleCmd struct {
	ID      []string `arg:"" name:"rule" help:"Rule id, as in DF 13.10."`
	Ruleset string   `help:"Ruleset; without it all are searched." placeholder:"NAME"`
}

// Run prints a paragraph and those below it.
func (c ruleCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	id := strings.Join(c.ID, " ")
	var parents []string
	if c.Ruleset != "" {
		parents = []string{"rulesets/" + c.Ruleset}
	} else {
		resp, err := client.Catalog().ListRulesets(a.ctx, &v1.ListRulesetsRequest{})
		if err != nil {
			return err
		}
		for _, r := range resp.Rulesets {
			parents = append(parents, r.Name)
		}
	}
	var missing error = usageError{"the server has no rulesets"}
	for _, parent := range parents {
		found, err := a.rule(client, parent, id)
		if err == nil {
			return a.message(found, func() { a.paragraphs(found) })
		}
		if !errors.Is(err, warledger.ErrRuleNotFound) {
			return err
		}
		missing = err
	}
	return missing
}

// rule finds a paragraph and those below it, which begin with its id.
func (a *app) rule(client *warledger.Client, parent, id string) (*v1.ListRulesResponse, error) {
	out := &v1.ListRulesResponse{}
	one, missing := client.Catalog().GetRule(a.ctx, &v1.GetRuleRequest{Parent: parent, Id: id})
	if missing == nil {
		out.Rules = append(out.Rules, one.Rule)
	} else if !errors.Is(missing, warledger.ErrRuleNotFound) {
		return nil, missing
	}
	req := &v1.ListRulesRequest{Parent: parent, PageSize: 1000}
	for {
		page, err := client.Catalog().ListRules(a.ctx, req)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Rules {
			if rest, ok := strings.CutPrefix(r.Id, id); ok && rest != "" && strings.ContainsAny(rest[:1], ".-") {
				out.Rules = append(out.Rules, r)
			}
		}
		if req.PageToken = page.NextPageToken; req.PageToken == "" {
			break
		}
	}
	if len(out.Rules) == 0 {
		return nil, missing
	}
	return out, nil
}

func (a *app) paragraphs(list *v1.ListRulesResponse) {
	for _, r := range list.Rules {
		a.say("%s %s (%s)\n  %s\n", r.Id, r.Title, r.Kind, r.Summary)
		if r.Text != "" {
			a.say("\n%s\n\n", r.Text)
		}
	}
}

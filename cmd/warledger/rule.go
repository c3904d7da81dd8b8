package main

import (
	"fmt"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
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
		resp, err := client.Catalog().ListRulesets(a.ctx, &v1.ListRulesetsRequest{LanguageCode: string(a.line.Lang)})
		if err != nil {
			return err
		}
		for _, r := range resp.Rulesets {
			parents = append(parents, r.Name)
		}
	}
	all := make(map[string][]*v1.Rule, len(parents))
	for _, parent := range parents {
		if all[parent], err = a.rulebook(client, parent); err != nil {
			return err
		}
		found := below(all[parent], id)
		if len(found) == 0 {
			continue
		}
		if plain(found[0].Id) == plain(id) {
			one, err := client.Catalog().GetRule(a.ctx, &v1.GetRuleRequest{
				Parent: parent, Id: found[0].Id, LanguageCode: string(a.line.Lang),
			})
			if err != nil {
				return err
			}
			found[0] = one.Rule
		}
		return a.message(&v1.ListRulesResponse{Rules: found},
			func() { a.paragraphs(&v1.ListRulesResponse{Rules: found}) })
	}
	return noRule{id, nearest(parents, all, id)}
}

// rulebook lists the paragraphs of a ruleset.
func (a *app) rulebook(client *warledger.Client, parent string) (all []*v1.Rule, err error) {
	for req := (&v1.ListRulesRequest{Parent: parent, PageSize: 1000, LanguageCode: string(a.line.Lang)}); ; {
		page, err := client.Catalog().ListRules(a.ctx, req)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Rules...)
		if req.PageToken = page.NextPageToken; req.PageToken == "" {
			return all, nil
		}
	}
}

// plain is a rule id as it is compared: in any case, with or without its space.
func plain(id string) string { return strings.ToLower(strings.ReplaceAll(id, " ", "")) }

// below are the paragraph with an id, first, and those whose ids go on after it.
func below(all []*v1.Rule, id string) (found []*v1.Rule) {
	for _, r := range all {
		rest, ok := strings.CutPrefix(plain(r.Id), plain(id))
		switch {
		case ok && rest == "":
			found = append([]*v1.Rule{r}, found...)
		case ok && strings.ContainsAny(rest[:1], ".-"):
			found = append(found, r)
		}
	}
	return found
}

// noRule says that no rulebook has a paragraph, and what is near.
type noRule struct {
	id   string
	near []string
}

func (e noRule) Error() string {
	if len(e.near) == 0 {
		return usageError{fmt.Sprintf("the rulebooks of the server have no paragraph %s", e.id)}.text
	}
	near := strings.Join(e.near, ", ")
	return usageError{fmt.Sprintf("the rulebooks of the server have no paragraph %s; there are %s", e.id, near)}.text
}

// nearest are the paragraphs below the longest part of an id that a rulebook has.
func nearest(parents []string, all map[string][]*v1.Rule, id string) (near []string) {
	for at := strings.LastIndexAny(id, ".-"); at > 0 && near == nil; at = strings.LastIndexAny(id[:at], ".-") {
		for _, parent := range parents {
			for _, r := range below(all[parent], id[:at]) {
				near = append(near, r.Id)
			}
		}
	}
	return near
}

func (a *app) paragraphs(list *v1.ListRulesResponse) {
	for _, r := range list.Rules {
		a.say("%s %s (%s)\n", r.Id, r.Title, a.kindOfRule(r.Kind))
		if r.Text == "" || !strings.Contains(oneLine(r.Text), oneLine(r.Summary)) { // else the text says it
			a.say("  %s\n", r.Summary)
		}
		if r.Text != "" {
			a.say("\n%s\n\n", r.Text)
		}
	}
}

// kindOfRule says what a paragraph asks of the program. A kind that only a newer server knows is shown as it is.
func (a *app) kindOfRule(kind string) string {
	switch rules.ParagraphKind(kind) {
	case rules.Enforced:
		return a.words("enforced")
	case rules.Choice:
		return a.words("choice")
	case rules.SetupRule:
		return a.words("setup")
	case rules.Table:
		return a.words("table of values")
	case rules.Optional:
		return a.words("optional")
	case rules.Informational:
		return a.words("informational")
	}
	return kind
}

// saysMore reports whether the text of a paragraph goes beyond its summary.
func saysMore(r *v1.Rule) bool {
	return r.Text != "" && oneLine(r.Text) != oneLine(r.Summary)
}

// oneLine is a text without its line breaks and emphasis.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "*", "")), " ")
}

package discord

import (
	"context"
	"fmt"
	"strings"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/events"
	"github.com/disgoorg/disgo/rest"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// onAutocomplete proposes what could be typed. Only the player who types sees completions.
func (b *Bridge) onAutocomplete(e *events.AutocompleteInteractionCreate) {
	if e.Data.CommandName != commandName || e.Data.SubCommandName == nil {
		return
	}
	b.start(func() {
		ctx, done := context.WithTimeout(b.ctx, answerIn)
		defer done()
		channel := e.Channel()
		if channel.MessageChannel == nil {
			return
		}
		t := &talk{Bridge: b, ctx: ctx, from: e, user: e.User().ID, channel: channel.ID(), lang: language(e.Locale())}
		typed := e.Data.Focused()
		found, err := t.complete(*e.Data.SubCommandName, typed.Name,
			strings.ToLower(strings.TrimSpace(e.Data.String(typed.Name))), e.Data)
		if err != nil {
			if _, known := complaint(t.lang, err); !known && ctx.Err() == nil {
				b.log.Warn("nothing could be proposed", "err", safe(err))
			}
		}
		choices := []discord.AutocompleteChoice{}
		for _, c := range found {
			choices = append(choices, discord.AutocompleteChoiceString{Name: shorten(c.Name, 100), Value: c.Value})
		}
		if err := e.AutocompleteResult(choices, rest.WithCtx(b.ctx)); err != nil {
			b.log.Debug("a proposal came too late", "err", plain(err))
		}
	})
}

type proposal = discord.AutocompleteChoiceString

// complete finds what fits what was typed so far of an option, at most as many as Discord takes.
func (t *talk) complete(command, option, typed string, data discord.AutocompleteInteractionData) ([]proposal, error) {
	switch {
	case option == "ruleset":
		return t.completeRulesets(typed)
	case option == "scenario":
		return t.completeScenarios(data.String("ruleset"), typed)
	case option == "options":
		return t.completeOptions(data.String("ruleset"), data.String("options"))
	}
	at, err := t.store.at(t.channel)
	if err != nil {
		return nil, err
	}
	switch {
	case option == "seat" && (command == "join" || command == "offer"):
		return t.completeSeats(at, typed, false)
	case option == "seat" && (command == "free" || command == "mute"):
		return t.completeSeats(at, typed, true)
	case option == "seat":
		var found []proposal
		for _, s := range at.of(t.user) {
			found = propose(found, typed, s, s)
		}
		return found, nil
	case option == "message":
		return t.completeMessages(at, typed, command == "report")
	case option == "command" && command == "orders":
		return t.completeOrders(at, typed, data.String("seat"))
	case option == "command":
		return t.completeActions(at, typed, data.String("seat"))
	}
	return nil, nil
}

// propose adds what fits, as long as there is room for it.
func propose(found []proposal, typed, name, value string) []proposal {
	if len(found) < mostOptions && (typed == "" || strings.Contains(strings.ToLower(name), typed) ||
		strings.Contains(strings.ToLower(value), typed)) {
		found = append(found, proposal{Name: name, Value: value})
	}
	return found
}

func (t *talk) completeRulesets(typed string) ([]proposal, error) {
	resp, err := t.set.Server.Catalog().ListRulesets(t.ctx, &v1.ListRulesetsRequest{LanguageCode: t.lang})
	var found []proposal
	for _, r := range resp.GetRulesets() {
		found = propose(found, typed, r.GetTitle(), strings.TrimPrefix(r.GetName(), "rulesets/"))
	}
	return found, err
}

func (t *talk) completeScenarios(ruleset, typed string) ([]proposal, error) {
	resp, err := t.set.Server.Catalog().ListScenarios(t.ctx,
		&v1.ListScenariosRequest{Parent: "rulesets/" + ruleset, LanguageCode: t.lang})
	var found []proposal
	for _, s := range resp.GetScenarios() {
		found = propose(found, typed, s.GetTitle(), s.GetName()[strings.LastIndexByte(s.GetName(), '/')+1:])
	}
	return found, err
}

// completeOptions proposes one more option after those that are written already.
func (t *talk) completeOptions(ruleset, typed string) ([]proposal, error) {
	resp, err := t.set.Server.Catalog().GetRuleset(t.ctx,
		&v1.GetRulesetRequest{Name: "rulesets/" + ruleset, LanguageCode: t.lang})
	if err != nil {
		return nil, err
	}
	cut := strings.LastIndexByte(typed, ' ') + 1
	before, begun := typed[:cut], strings.ToLower(typed[cut:])
	var found []proposal
	for _, o := range resp.GetRuleset().GetOptions() {
		if strings.Contains(before, o.GetId()+"=") {
			continue
		}
		for _, value := range o.GetValues() {
			one := o.GetId() + "=" + value
			if whole := before + one; len(whole) <= 100 {
				found = propose(found, begun, before+one+" – "+o.GetDescription(), whole)
			}
		}
	}
	return found, nil
}

// completeSeats proposes the seats that are taken, or those that are free.
func (t *talk) completeSeats(at *table, typed string, taken bool) ([]proposal, error) {
	g, err := t.spectator(at.Game, t.lang).Get(t.ctx)
	var found []proposal
	for _, s := range g.GetSeats() {
		if s.GetTaken() == taken {
			found = propose(found, typed, s.GetId(), s.GetId())
		}
	}
	return found, err
}

// completeActions proposes legal commands. What was found before the time was up is better than nothing.
func (t *talk) completeActions(at *table, typed, named string) ([]proposal, error) {
	seat, err := t.pick(at, named)
	if err != nil {
		return nil, err
	}
	var found []proposal
	for a, err := range t.seat(at, seat, t.lang).Legal(t.ctx, warledger.LegalQuery{}) {
		if err != nil {
			return found, err
		}
		if a.Index == 0 {
			found = nil
		}
		value := a.GetCommand()
		if len([]rune(value)) > 100 {
			value = fmt.Sprintf("=%d:%s", a.Version, digest(value))
		}
		name := label(a)
		if a.GetCost() != "" {
			name += " (" + a.GetCost() + ")"
		}
		if found = propose(found, typed, name, value); len(found) == mostOptions {
			break
		}
	}
	return found, nil
}

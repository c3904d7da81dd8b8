package fault

import (
	"cmp"
	"errors"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/languages"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Refused makes an error of what a ruleset refused. Message and PreconditionFailure are in English; LocalizedMessage
// and the title in Help are in the language asked for.
func Refused(about *rules.About, r *rules.Refusal, lang rules.Lang) *Error {
	words := withAsked(about, r, r.Error(), rules.English)
	e := &Error{Reason: Reason(r.Reason), Message: words, Code: codes.FailedPrecondition}
	if row, ok := Find(e.Reason); ok {
		e.Code = row.Code
	}
	e.With("ruleset", about.Name)
	for _, arg := range r.Text.Args {
		e.With(arg.Name, cmp.Or(arg.Words.En, strings.TrimPrefix(arg.Value, "@")))
	}
	if len(r.Pieces) > 0 {
		e.With("pieces", strings.Join(r.Pieces, ","))
	}
	if len(r.Spaces) > 0 {
		e.With("spaces", strings.Join(r.Spaces, ","))
	}
	subject := "rulesets/" + about.Name
	if r.Rule != "" {
		e.With("rule", r.Rule)
		subject = r.Rule
		e.helpWith(about, r.Rule, lang)
	}
	e.detail(&errdetails.PreconditionFailure{Violations: []*errdetails.PreconditionFailure_Violation{
		{Type: string(r.Reason), Subject: subject, Description: r.Words},
	}})
	local := withAsked(about, r, localWords(about, r, lang), lang)
	return e.detail(&errdetails.LocalizedMessage{Locale: string(lang), Message: local})
}

// withAsked adds to a refusal of what the game does not wait for what it waits for, and from whom.
func withAsked(about *rules.About, r *rules.Refusal, words string, lang rules.Lang) string {
	text := languages.Say(string(lang), ". Asked now: ", "。現在の問い：")
	between, colon := languages.Say(string(lang), "; ", "、"), languages.Say(string(lang), ": ", "：")
	var list []string
	for _, d := range r.Asked {
		who := about.Catalogue.Format(lang, rules.Text{Key: about.Seats[d.Seat].Key})
		list = append(list, who+colon+strings.TrimRight(about.Catalogue.Format(lang, d.Text), ".。"))
	}
	if len(list) == 0 {
		return words
	}
	return strings.TrimRight(words, ".。") + text + strings.Join(list, between)
}

func (e *Error) helpWith(about *rules.About, rule string, lang rules.Lang) {
	link := &errdetails.Help_Link{Description: rule, Url: "rulesets/" + about.Name + "/rules/" + rule}
	if about.Rulebook != nil {
		if p, ok := about.Rulebook.Find(rule); ok {
			link.Description = rule + " " + about.Rulebook.In(lang, p).Title
		}
	}
	e.detail(&errdetails.Help{Links: []*errdetails.Help_Link{link}})
}

func localWords(about *rules.About, r *rules.Refusal, lang rules.Lang) string {
	if r.Text.Key == "" || about.Catalogue == nil {
		return r.Words
	}
	return about.Catalogue.Format(lang, r.Text)
}

// Dice makes an error of what a source of dice said; nil if players cannot cause the error.
func Dice(about *rules.About, err error) *Error {
	var need *dice.NeedError
	var value *dice.ValueError
	var extra *dice.ExtraError
	word := func(reason string) string {
		if about.Catalogue != nil && about.Catalogue.Has(reason) {
			return about.Catalogue.Format(rules.English, rules.Text{Key: reason})
		}
		return reason
	}
	switch {
	case errors.As(err, &need):
		return New(DiceExpected, "expected a d%d for %s as die %d, but %d were given",
			need.Sides, word(need.Reason), need.Index+1, need.Given).
			With("index", need.Index, "sides", need.Sides, "reason", need.Reason, "given", need.Given)
	case errors.As(err, &value):
		return New(DiceExpected, "die %d is a d%d for %s and cannot show %d",
			value.Index+1, value.Sides, word(value.Reason), value.Value).
			With("index", value.Index, "sides", value.Sides, "reason", value.Reason, "value", value.Value)
	case errors.As(err, &extra):
		return New(DiceExpected, "%d dice were given, but only %d are needed", extra.Given, extra.Used).
			With("given", extra.Given, "used", extra.Used)
	}
	return nil
}

package toy_test

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// The rules say in Japanese what they say in English, in the words of the messages.
func TestJapaneseRules(t *testing.T) {
	t.Parallel()
	rulestest.JapaneseRules(t, toy.Ruleset().About().Rulebook, []rulestest.Term{
		{En: `\bhex(es)?\b`, Ja: `ヘクス`, Not: []string{"ヘックス"}},
		{En: `\bunits?\b`, Ja: `部隊`, Not: []string{"ユニット"}},
		{En: `\boutposts?\b`, Ja: `前哨`},
		{En: `\bplans?\b`, Ja: `作戦|計画`},
		{En: `\bplayer turn\b`, Ja: `手番`},
		{En: `\bsteps?\b`, Ja: `ステップ`},
		{En: `\bsupply\b`, Ja: `補給`},
		{En: `\bretreats?\b`, Ja: `退却|退`, Not: []string{"撤退"}},
	}, nil)
}

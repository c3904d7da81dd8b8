package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// terms are the rulebook's words for what the English of a message names.
var terms = []rulestest.Term{
	{En: `hedgehog`, Ja: `陣地`},
	{En: `\bdumps?\b`, Ja: `補給集積所`},
	{En: `internal stocks`, Ja: `弾薬`},
	{En: `\breserves?\b`, Ja: `予備`},
	{En: `strat mode`, Ja: `戦略移動モード`},
	{En: `combat mode`, Ja: `戦闘モード`},
	{En: `\bmove mode`, Ja: `移動モード`},
	{En: `exploitation mode`, Ja: `突破モード`},
	{En: `barrage`, Ja: `砲爆撃|砲撃力`},
	{En: `overrun`, Ja: `オーバーラン`},
	{En: `organic truck`, Ja: `専用トラック`},
	{En: `extender`, Ja: `エクステンダー`},
	{En: `formation`, Ja: `フォーメーション`},
	{En: `out of supply`, Ja: `補給切れ`},
	{En: `attrition`, Ja: `損耗`},
	{En: `breakdown regiment`, Ja: `分遣連隊`},
	{En: `\bhqs?\b`, Ja: `司令部`},
	{En: `dead pile`, Ja: `全滅ユニットボックス`},
	{En: `reaction phase`, Ja: `リアクションフェイズ`},
	{En: `clean-up phase`, Ja: `クリーンアップフェイズ`},
	{En: `action rating`, Ja: `アクションレーティング`},
	{En: `surprise`, Ja: `奇襲`},
	{En: `railroad repair`, Ja: `鉄道修理`},
	{En: `rail capacity`, Ja: `鉄道輸送力`},
	{En: `attack-capable`, Ja: `攻撃可能`},
	{En: `combat units?\b`, Ja: `戦闘ユニット`},
	{En: `zoc`, Ja: `ZOC`},
	{En: `consolidate`, Ja: `統合`},
	{En: `break ?out`, Ja: `脱出`},
	{En: `supply source`, Ja: `補給源`},
	{En: `air base`, Ja: `航空基地`},
	{En: `airstrip`, Ja: `滑走路`},
	{En: `trainbust`, Ja: `鉄道妨害`},
	{En: `\bsweep`, Ja: `制空戦闘`},
	{En: `intercept`, Ja: `迎撃`},
	{En: `hip shoot`, Ja: `ヒップシュート`},
	{En: `\bdrop`, Ja: `空挺降下`},
	{En: `base transfer`, Ja: `基地移動`},
	{En: `patrol zone`, Ja: `警戒空域`},
	{En: `flak`, Ja: `対空射撃`},
	{En: `refit`, Ja: `整備`},
	{En: `engineer abilit`, Ja: `工兵能力`},
	{En: `replacement unit`, Ja: `補充ユニット`},
	{En: `transport units?\b`, Ja: `輸送ユニット`},
	{En: `\btraces?\b`, Ja: `補給線`},
	{En: `general supply`, Ja: `一般補給`},
	{En: `combat supply`, Ja: `戦闘補給`},
}

// Where the English of a message names a term of the rulebook its Japanese does too, in the rulebook's word.
func TestJapaneseTerms(t *testing.T) {
	t.Parallel()
	rulestest.Terms(t, catalogue, terms, 200)
}

// The rules say in Japanese what they say in English, in the words of the rulebook.
func TestJapaneseRules(t *testing.T) {
	t.Parallel()
	const other = "the English word means something else here"
	rulestest.JapaneseRules(t, rulebook(), terms, map[string]string{
		"OCS 3.1b summary does not say フォーメーション":  other, // information
		"OCS 8.1g summary does not say 空挺降下":      other, // dropped off
		"OCS CH-5 summary does not say 空挺降下":      other, // a rule that was dropped
		"OCS 8.1 summary does not say 突破モード":      "three modes are listed, and モード is said once",
		"OCS 14.10d summary does not say 空挺降下":    "the table and its units: 航空輸送結果表, 降下する",
		"OCS 14.10e-E summary does not say 空挺降下":  "the table and the parachutes: 航空輸送結果表, パラシュート降下",
		"OCS 14.10f summary does not say 輸送ユニット":  "aircraft: 輸送機ユニット",
		"OCS 21.4-A summary does not say 砲爆撃|砲撃力": "by aircraft alone: 航空爆撃",
	})
}

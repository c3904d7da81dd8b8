package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// terms are the words of the Japanese edition, with how often it has them.
var terms = []rulestest.Term{
	{En: `hedgehog`, Ja: `陣地`, Times: 75, Not: []string{"ヘッジホッグ"}},
	{En: `\bdumps?\b`, Ja: `補給集積所`, Times: 67},
	{En: `internal stocks`, Ja: `弾薬`, Times: 83, Not: []string{"充足", "枯渇"}},
	{En: `\breserves?\b`, Ja: `予備`, Times: 88},
	{En: `strat mode`, Ja: `戦略移動モード`, Times: 50},
	{En: `combat mode`, Ja: `戦闘モード`, Times: 55},
	{En: `\bmove mode`, Ja: `移動モード`, Times: 93},
	{En: `exploitation mode`, Ja: `突破モード`, Times: 32},
	{En: `barrage`, Ja: `砲爆撃|航空爆撃`, Times: 291, Not: []string{"航空砲爆撃", "砲撃力"}},
	{En: `overrun`, Ja: `オーバーラン`, Times: 94},
	{En: `organic truck`, Ja: `専用トラック`, Times: 30},
	{En: `extender`, Ja: `エクステンダー`, Times: 51, Not: []string{"延伸"}},
	{En: `formation`, Ja: `フォーメーション`, Times: 57},
	{En: `out of supply`, Ja: `補給切れ`, Times: 32},
	{En: `attrition`, Ja: `損耗`, Times: 12},
	{En: `breakdown regiment`, Ja: `分遣連隊`, Times: 30},
	{En: `\bhqs?\b`, Ja: `司令部`, Times: 140},
	{En: `dead pile`, Ja: `全滅ユニットボックス`, Times: 13},
	{En: `reaction phase`, Ja: `リアクションフェイズ`, Times: 39},
	{En: `clean-up phase`, Ja: `クリーンアップフェイズ`, Times: 16},
	{En: `action rating`, Ja: `アクションレーティング`, Times: 65},
	{En: `surprise`, Ja: `奇襲`, Times: 47},
	{En: `railroad repair`, Ja: `鉄道修理`, Times: 23},
	{En: `rail capacity`, Ja: `鉄道輸送力`, Times: 14},
	{En: `attack-capable`, Ja: `攻撃可能`, Times: 34},
	{En: `combat units?\b`, Ja: `戦闘ユニット`, Times: 137},
	{En: `zoc`, Ja: `ZOC`, Times: 106},
	{En: `consolidate|absorb a breakdown`, Ja: `統合`, Times: 30, Not: []string{"吸収"}},
	{En: `break ?out`, Ja: `脱出`, Times: 19},
	{En: `supply source`, Ja: `補給源`, Times: 32},
	{En: `air base`, Ja: `航空基地`, Times: 147},
	{En: `airstrip`, Ja: `滑走路`, Times: 19},
	{En: `trainbust`, Ja: `鉄道妨害`, Times: 37},
	{En: `\bsweep`, Ja: `制空戦闘`, Times: 16},
	{En: `intercept`, Ja: `迎撃`, Times: 35},
	{En: `hip shoot`, Ja: `ヒップシュート`, Times: 39},
	{En: `\bdrop`, Ja: `空挺降下`, Times: 34, Not: []string{"落下傘"}},
	{En: `base transfer`, Ja: `基地移動`, Times: 13},
	{En: `patrol zone`, Ja: `警戒空域`, Times: 15},
	{En: `flak`, Ja: `対空射撃`, Times: 50},
	{En: `refit`, Ja: `整備`, Times: 40},
	{En: `engineer abilit`, Ja: `工兵能力`, Times: 34},
	{En: `replacement unit`, Ja: `補充ユニット`, Times: 58},
	{En: `transport units?\b`, Ja: `輸送ユニット`, Times: 128},
	{En: `\btraces?\b`, Ja: `補給線`, Times: 84},
	{En: `general supply`, Ja: `一般補給`, Times: 37},
	{En: `combat supply`, Ja: `戦闘補給`, Times: 38},
	{En: `\bopen terrain`, Ja: `オープン地形`, Times: 3, Not: []string{"開けた"}},
	{En: `(^|[^y] )close terrain`, Ja: `軽障害`, Times: 5, Not: []string{"閉じた"}},
	{En: `very close terrain`, Ja: `中障害`, Times: 5},
	{En: `extremely close terrain`, Ja: `重障害`, Times: 2},
	{En: `^low$`, Ja: `弾薬減少`, Times: 15},
	{En: `^exhausted$`, Ja: `弾薬欠乏`, Times: 13},
	{En: `\brestock`, Ja: `再備蓄`, Times: 14},
	{En: `\bcollapse`, Ja: `崩壊`, Times: 9, Not: []string{"撤収"}},
	{En: `\bgauge|converts the railway`, Ja: `ゲージ`, Times: 22, Not: []string{"軌間"}},
	{En: `\bdetach`, Ja: `分派`, Times: 9, Not: []string{"分離"}},
	{En: `\breleased?\b`, Ja: `解除`, Times: 27, Not: []string{"投入", "解放"}},
	{En: `simultaneous turn`, Ja: `同時進行ターン`, Times: 5, Not: []string{"同時ターン"}},
	{En: `\bair (barrage|strike)`, Ja: `航空爆撃`, Times: 24},
	{En: `carried by air|by air from|air transport`, Ja: `航空輸送`, Times: 52, Not: []string{"空輸で", "空輸さ"}},
	{Ja: `ヘクス`, Times: 554, Not: []string{"ヘックス"}},
	{En: `\bports?\b`, Ja: `港湾`, Times: 119, Not: []string{"港に", "港を", "港の", "港へ", "港は"}},
	{En: `parachute`, Ja: `パラシュート`, Times: 5},
	{Ja: `積み荷`, Times: 40, Not: []string{"積荷"}},
	{En: `\bthe map\b`, Ja: `地図盤`, Times: 67, Not: []string{"マップ"}},
	{En: `\bmove face`, Ja: `移動モードの面`, Times: 6, Not: []string{"移動面"}},
	{En: `\bcombat face`, Ja: `戦闘モードの面`, Times: 8, Not: []string{"戦闘面"}},
	{En: `\bodds\b`, Ja: `戦力比`, Times: 46},
	{En: `faster pace`, Ja: `ペースアップ`, Times: 1, Not: []string{"速い展開"}},
	{En: `aircraft handling`, Ja: `航空機使用の制限`, Times: 1, Not: []string{"取扱"}},
	{En: `night shipping`, Ja: `夜陰に乗ず`, Times: 2, Not: []string{"夜間輸送"}},
	{En: `long flights`, Ja: `長距離飛行の影響`, Times: 1},
	{En: `revised rebuilding`, Ja: `再建に関する改訂`, Times: 2},
	{En: `revised construction`, Ja: `建設ルールの改訂`, Times: 2},
	{En: `\bown ports?\b|friendly`, Ja: `自軍`, Times: 128, Not: []string{"友軍", "味方"}},
	// One spelling of each word, as most paragraphs have it.
	{Ja: `行う`, Not: []string{"行なう", "行なっ", "行なわ", "おこなう"}},
	{Ja: `または`, Not: []string{"又は", "若しくは"}},
	{Ja: `できる`, Not: []string{"出来る", "出来な"}},
	{Ja: `隣接`, Not: []string{"隣り"}},
	{Ja: `プレイヤー`, Not: []string{"プレーヤー"}},
	{Ja: `ダイス`, Not: []string{"サイコロ"}},
	{Ja: `1つ`, Not: []string{"一つ", "ひとつ"}},
	{Ja: `取り除く`, Not: []string{"取除"}},
	{Ja: `割り当て`, Not: []string{"割当"}},
	{Ja: `組み合わせ`, Not: []string{"組合せ", "組合わせ"}},
	{Ja: `フェイズ`, Not: []string{"フェーズ"}},
	{Ja: `毎に`, Not: []string{"ごとに", "ユニットごと", "ヘクスごと", "レベルごと"}},
	{Ja: `直ちに`, Not: []string{"ただちに"}},
	{Ja: `例えば`, Not: []string{"たとえば"}},
	{Ja: `艦船`, Not: []string{"艦艇", "船舶"}},
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
	const drops, aircraft = "the table and its units: 航空輸送結果表, 降下する", "aircraft: 輸送機ユニット"
	rulestest.JapaneseRules(t, rulebook(), terms, map[string]string{
		"OCS 3.1b summary does not say フォーメーション": other, // information
		"OCS 3.1b text does not say フォーメーション":    other,
		"OCS 8.1g summary does not say 空挺降下":     other, // dropped off
		"OCS 8.1g text does not say 空挺降下":        other,
		"OCS CH-5 summary does not say 空挺降下":     other, // a rule that was dropped
		"OCS CH-5 text does not say 空挺降下":        other,
		"OCS 8.1 summary does not say 突破モード":     "three modes are listed, and モード is said once",
		"OCS 8.1 text does not say 突破モード":        "as in the summary",
		"OCS 14.10d summary does not say 空挺降下":   drops,
		"OCS 14.10d text does not say 空挺降下":      drops,
		"OCS 14.10e-E summary does not say 空挺降下": "the table and the parachutes: 航空輸送結果表, パラシュート降下",
		"OCS 14.10e-E text does not say 空挺降下":    "the table and the parachutes: 航空輸送結果表, パラシュート降下",
		"OCS 14.10f summary does not say 輸送ユニット": aircraft,
		"OCS 14.10f text does not say 輸送ユニット":    aircraft,
	})
}

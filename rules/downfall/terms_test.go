package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// terms are the words of the Japanese edition, with how often it has them.
var terms = []rulestest.Term{
	{En: `\bphase\b`, Ja: `フェーズ`, Times: 38, Not: []string{"フェイズ"}},
	{En: `kamikaze`, Ja: `カミカゼ`, Times: 19, Not: []string{"特攻"}},
	{En: `air supply`, Ja: `空中補給`, Times: 26, Not: []string{"航空補給"}},
	{En: `coastal supply`, Ja: `沿岸補給`, Times: 13},
	{En: `coastal zones?\b`, Ja: `沿岸ゾーン`, Times: 7, Not: []string{"沿岸区域"}},
	{En: `task groups?\b`, Ja: `機動グループ`, Times: 3, Not: []string{"任務群"}},
	{En: `command points?\b`, Ja: `コマンドポイント|CP`, Times: 105, Not: []string{"司令ポイント"}},
	{En: `victory points?\b`, Ja: `勝利ポイント`, Times: 75, Not: []string{"勝利得点"}},
	{En: `\bzoc\b|zones? of control`, Ja: `ZOC`, Times: 69, Not: []string{"支配地域"}},
	{Ja: `ヘックス`, Times: 247, Not: []string{"ヘクス"}},
	{Ja: `ユニット`, Times: 568, Not: []string{"部隊"}},
	{En: `\bsteps?\b`, Ja: `ステップ`, Times: 77},
	{En: `beachheads?\b`, Ja: `橋頭堡`, Times: 68},
	{En: `consecutive`, Ja: `連続攻撃`, Times: 30},
	{En: `atomic`, Ja: `原子爆弾`, Times: 44},
	{En: `naval markers?\b`, Ja: `艦砲`, Times: 47},
	{En: `artillery`, Ja: `砲兵`, Times: 32},
	{En: `corps artillery`, Ja: `軍団級砲兵`, Times: 29, Not: []string{"軍団砲兵"}},
	{En: `\b(this|on|a|per) turn\b`, Ja: `ターン`, Times: 145},
	{Ja: `アメリカ軍`, Times: 308, Not: []string{"米軍"}},
	{En: `\bretreats?\b`, Ja: `撤退`, Times: 46, Not: []string{"退却"}},
	{En: `supply line`, Ja: `補給路`, Times: 14, Not: []string{"補給線"}},
	{En: `^in supply$`, Ja: `補給下`, Times: 18},
	{En: `\bline units?\b`, Ja: `師団/旅団ユニット`, Times: 13, Not: []string{"戦線ユニット"}},
	{En: `^coastal unit$`, Ja: `沿岸配備師団`, Times: 6, Not: []string{"沿岸防御"}},
	{En: `^strength|(modified|least|greatest) strength`, Ja: `戦闘力`, Times: 22, Not: []string{"の戦力", "戦力が"}},
	{En: `preparatory bombardment`, Ja: `準備砲爆撃`, Times: 5, Not: []string{"準備砲撃"}},
	{En: `nuclear attack`, Ja: `核攻撃`, Times: 3, Not: []string{"原爆攻撃"}},
	{En: `check phase`, Ja: `チェックフェーズ`, Times: 9, Not: []string{"判定フェーズ"}},
	{En: `pacific fleet`, Ja: `イギリス軍太平洋艦隊`, Times: 2, Not: []string{"英太平洋艦隊"}},
	{En: `second shot`, Ja: `二次攻撃`, Times: 4, Not: []string{"2回目の射撃"}},
	{En: `bonus shot`, Ja: `追加の攻撃`, Times: 4, Not: []string{"ボーナス"}},
	{En: `service command`, Ja: `戦務支援コマンド`, Times: 1, Not: []string{"補給司令部"}},
	{En: `\barmor\b`, Ja: `戦車`, Times: 2, Not: []string{"機甲"}},
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
	{Ja: `ごとに`, Not: []string{"毎に"}},
	{Ja: `ただちに`, Not: []string{"直ちに"}},
	{Ja: `たとえば`, Not: []string{"例えば"}},
}

// Messages speak Japanese in the words of the rulebook.
func TestJapaneseTerms(t *testing.T) {
	t.Parallel()
	rulestest.Terms(t, catalogue, terms, 150)
}

// The rules say in Japanese what they say in English, in the words of the rulebook.
func TestJapaneseRules(t *testing.T) {
	t.Parallel()
	const (
		organization = "部隊 is an organization of history here, not a counter: 部隊編成, 部隊名, 上陸部隊"
		procedure    = "a step of a procedure is 手順, not a step of a unit"
	)
	rulestest.JapaneseRules(t, rulebook(), terms, map[string]string{
		"DF 2.4 summary says 部隊 instead of ユニット": organization, "DF 2.4 text says 部隊 instead of ユニット": organization,
		"DF 2.8 summary says 部隊 instead of ユニット": organization, "DF 2.8 text says 部隊 instead of ユニット": organization,
		"DF 4.3 text says 部隊 instead of ユニット": organization,
		"DF 3.3-d summary does not say ステップ":  procedure, "DF 3.3-d text does not say ステップ": procedure,
		"DF 13.2 summary does not say ステップ": procedure, "DF 13.2 text does not say ステップ": procedure,
		"DF 13.3 summary does not say ステップ": procedure, "DF 13.3 text does not say ステップ": procedure,
		"DF 13.3-3 text does not say ステップ": procedure, "DF 15.4 text does not say ステップ": procedure,
		"DF 4.2 text does not say フェーズ": "the phase is named by its number alone, IV",
	})
}

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
	{En: `\b(this|on|a|per) turn\b`, Ja: `ターン`, Times: 145},
	{Ja: `アメリカ軍`, Times: 308, Not: []string{"米軍"}},
}

// Messages speak Japanese in the words of the rulebook.
func TestJapaneseTerms(t *testing.T) {
	t.Parallel()
	rulestest.Terms(t, catalogue, terms, 150)
}

package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// terms are the words of the Japanese edition, with how often it has them.
var terms = []rulestest.Term{
	{En: `industrial complex`, Ja: `工業団地`, Times: 54, Not: []string{"コンビナート"}},
	{En: `paratroopers?\b`, Ja: `落下傘部隊`, Times: 1, Not: []string{"空挺"}},
	{En: `sea zones?\b`, Ja: `海域`, Times: 134, Not: []string{"シーゾーン"}},
	{En: `\bterritories\b`, Ja: `領土`, Times: 119},
	{En: `antiaircraft`, Ja: `対空砲`, Times: 38},
	{En: `researchers?\b`, Ja: `研究者`, Times: 8},
	{En: `breakthrough`, Ja: `ブレイクスルー`, Times: 2},
	{En: `submarines?\b`, Ja: `潜水艦`, Times: 90},
	{En: `destroyers?\b`, Ja: `駆逐艦`, Times: 26},
	{En: `cruisers?\b`, Ja: `巡洋艦`, Times: 25},
	{En: `battleships?\b`, Ja: `戦艦`, Times: 47},
	{En: `carriers?\b`, Ja: `空母`, Times: 80},
	{En: `transports?\b`, Ja: `輸送船|輸送機|輸送|搭載`, Times: 128, Not: []string{"輸送艦"}},
	{En: `bombers?\b`, Ja: `爆撃機`, Times: 38},
	{En: `fighters?\b`, Ja: `戦闘機|ファイター`, Times: 63},
	{En: `infantry`, Ja: `歩兵`, Times: 48},
	{En: `noncombat`, Ja: `非戦闘移動`, Times: 20},
	{En: `national objectives?\b`, Ja: `国家目標`, Times: 6},
	{En: `retreats?\b`, Ja: `退却`, Times: 29, Not: []string{"撤退"}},
	{En: `blitz`, Ja: `電撃戦`, Times: 2},
	{En: `rockets?\b`, Ja: `ロケット`, Times: 6},
	{En: `victory cit(y|ies)\b`, Ja: `勝利都市`, Times: 18},
	{En: `surprise`, Ja: `奇襲`, Times: 8},
	{En: `antiaircraft fire`, Ja: `対空砲火`, Times: 3, Not: []string{"対空射撃"}},
	{En: `\bsubmerged?\b`, Ja: `潜水`, Times: 100, Not: []string{"潜航"}},
	{En: `\bbombard`, Ja: `砲撃`, Times: 33, Not: []string{"支援砲撃", "沿岸砲撃"}},
	{En: `mobilize new units|mobilization zone`, Ja: `動員`, Times: 15},
	{En: `advanced artillery`, Ja: `進化した砲兵`, Times: 1, Not: []string{"高性能砲兵"}},
	{En: `increased factory production`, Ja: `工場生産の増加`, Times: 1, Not: []string{"生産力増強"}},
	{En: `super submarines`, Ja: `スーパー潜水艦`, Times: 1, Not: []string{"新型潜水艦"}},
	{En: `jet fighters`, Ja: `ジェットファイター`, Times: 1, Not: []string{"ジェット戦闘機"}},
	{En: `improved shipyards`, Ja: `造船所の改善`, Times: 1, Not: []string{"造船所改良"}},
	{En: `long-range aircraft`, Ja: `長距離機`, Times: 1, Not: []string{"長距離航空機"}},
	{En: `belorussia`, Ja: `ベラルーシ`, Times: 1, Not: []string{"白ロシア"}},
	{En: `baltic states`, Ja: `バルト三国`, Times: 1, Not: []string{"バルト諸国"}},
	{En: `balkans`, Ja: `バルカン半島`, Times: 3},
	{En: `french indo-china`, Ja: `仏領インドシナ`, Times: 1, Not: []string{"仏印"}},
	{En: `eastern canada`, Ja: `東部カナダ`, Times: 2, Not: []string{"カナダ東部"}},
	{En: `western canada`, Ja: `西部カナダ`, Times: 1, Not: []string{"カナダ西部"}},
	{En: `midway`, Ja: `ミッドウェイ`, Times: 2, Not: []string{"ミッドウェー"}},
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
	{Ja: `ごとに`, Not: []string{"毎に"}},
	{Ja: `ただちに`, Not: []string{"直ちに"}},
	{Ja: `例えば`, Not: []string{"たとえば"}},
}

// Messages speak Japanese in the words of the rulebook.
func TestJapaneseTerms(t *testing.T) {
	t.Parallel()
	rulestest.Terms(t, catalogue, terms, 100)
}

// The rules say in Japanese what they say in English, in the words of the rulebook.
func TestJapaneseRules(t *testing.T) {
	t.Parallel()
	rulestest.JapaneseRules(t, rulebook(), terms, nil)
}

package downfall

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// Japanese sentences have Japanese names and lists.
func TestNarrationInJapanese(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for _, x := range []struct{ event, want string }{
		{`unit_placed {unit: "jp-36a-81-div" hex: 3013}`, "第81師団を霧島山 3013に配置した。"},
		{`naval_deployed {zones: "limousine" zones: "roadstar" zones: "limousine"}`,
			"艦砲射撃マーカーを展開：リムジン 2、ロードスター 1。"},
		{`naval_removed {markers: 1 markers: 3}`, "カミカゼにより艦砲射撃マーカー1、3が取り除かれた。"},
		{`bomb_targeted {unit: "jp-56a-57-div"}`, "原子爆弾の目標は第57師団。"},
		{`bomb_losses {losses {unit: "jp-25-div" steps: 2} losses {unit: "jp-77-div" steps: 1}}`,
			"原子爆弾によるステップ損失：第25師団 2、第77師団 1。"},
		{`unit_moved {unit: "us-i-25" path: 2719 path: 2718}`, "第25歩兵師団が2719から2718へ移動した。"},
		{`attack_began {seat: "us" from: 2719 target: 2720 units: "us-i-25" units: "us-i-33" defenders: "jp-25-div"}`,
			"第25歩兵師団、第33歩兵師団が2719から宮崎西方陣地 2720を攻撃する。防御側：第25師団。"},
		{`shot_fired {shooter: "us-i-25" target: "jp-25-div" die: 3 strength: 5 hit: true steps: 1}`,
			"第25歩兵師団が第25師団を射撃：出目3、戦闘力5、命中。残り1ステップ。"},
		{`withdrew {units {unit: "us-i-25" hex: 2620} units {unit: "us-i-33" hex: 2619}}`,
			"撤退：第25歩兵師団→2620、第33歩兵師団→2619。"},
		{`beachhead_lost {beachhead: "bh-I" hex: 2720}`, "宮崎西方陣地 2720の第1軍団橋頭堡が失われた。"},
		{`combat_ended {hex: 2010 seat: "us"}`, "鹿屋 2010の戦闘が終わった。アメリカ軍がヘックスを保持している。"},
		{`points_given {seat: "japan" bonus: 4 points: 10}`, "日本軍は10CPを得た：第1ターンの固定値6、カミカゼによる4。"},
	} {
		if diff := cmp.Diff(x.want, told(t, sc, rules.Japanese, x.event)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", x.event, diff)
		}
	}
}

// latin finds words that are not Japanese.
var latin = regexp.MustCompile(`[A-Za-z][a-z]{2,}`)

// No sentence, question or label in Japanese has an English name in it.
func TestNoEnglishInJapanese(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	japanese := func(text rules.Text) {
		t.Helper()
		if s := catalogue.Format(rules.Japanese, text); latin.MatchString(s) || strings.Contains(s, ", ") {
			t.Errorf("in Japanese: %s", s)
		}
	}
	for _, s := range samples {
		if strings.Contains(s.event, `"nobody"`) {
			continue // what the scenario does not have is called by its id
		}
		if ja := told(t, sc, rules.Japanese, s.event); latin.MatchString(ja) || strings.Contains(ja, ", ") {
			t.Errorf("%s in Japanese: %s", s.event, ja)
		}
	}
	for seed := range uint64(4) {
		selfPlay(t, sc, OptionSet(seed*1377), seed, func(p *Position, seat rules.Seat, list []Command, _ Command) {
			for _, d := range p.Decisions() {
				japanese(d.Text)
			}
			for i := 0; i < len(list); i += 1 + len(list)/10 {
				japanese(p.Describe(seat, list[i]).Label)
			}
			for _, piece := range p.Board(rules.Auditor, rules.Japanese).Pieces {
				if latin.MatchString(piece.Name) {
					t.Errorf("a piece in Japanese: %s", piece.Name)
				}
			}
		})
	}
}

// A refusal names its unit in the language that it is put into.
func TestRefusalInJapanese(t *testing.T) {
	t.Parallel()
	p := golden(t)
	c := naming(KindRecover, 0)
	r := p.checkRecover(c)
	if r == nil {
		t.Fatal("nothing is refused")
	}
	want := map[rules.Lang]string{rules.English: "25th Division is no reduced division.",
		rules.Japanese: "第25師団はステップを1つ失った師団ではありません。"}
	for lang, text := range want {
		if diff := cmp.Diff(text, catalogue.Format(lang, r.Text)); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}

package ocs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// terms are the rulebook's words for what the English of a message names.
var terms = []struct {
	en, ja *regexp.Regexp
}{
	term(`hedgehog`, `陣地`), term(`\bdumps?\b`, `補給集積所`), term(`internal stocks`, `弾薬`), term(`\breserves?\b`, `予備`),
	term(`strat mode`, `戦略移動モード`),
	term(`combat mode`, `戦闘モード`), term(`\bmove mode`, `移動モード`), term(`exploitation mode`, `突破モード`), term(`barrage`,
		`砲爆撃|砲撃力`),
	term(`overrun`, `オーバーラン`), term(`organic truck`, `専用トラック`), term(`extender`, `エクステンダー`), term(`formation`,
		`フォーメーション`),
	term(`out of supply`, `補給切れ`), term(`attrition`, `損耗`), term(`breakdown regiment`, `分遣連隊`), term(`\bhqs?\b`, `司令部`),
	term(`dead pile`, `全滅ユニットボックス`),
	term(`reaction phase`, `リアクションフェイズ`), term(`clean-up phase`, `クリーンアップフェイズ`), term(`action rating`, `アクションレーティング`),
	term(`surprise`, `奇襲`),
	term(`railroad repair`, `鉄道修理`), term(`rail capacity`, `鉄道輸送力`), term(`attack-capable`, `攻撃可能`),
	term(`combat units?\b`, `戦闘ユニット`), term(`zoc`, `ZOC`),
	term(`consolidate`, `統合`), term(`break ?out`, `脱出`), term(`supply source`, `補給源`), term(`air base`, `航空基地`),
	term(`airstrip`, `滑走路`),
	term(`trainbust`, `鉄道妨害`), term(`\bsweep`, `制空戦闘`), term(`intercept`, `迎撃`), term(`hip shoot`, `ヒップシュート`),
	term(`\bdrop`, `空挺降下`),
	term(`base transfer`, `基地移動`), term(`patrol zone`, `警戒空域`), term(`flak`, `対空射撃`), term(`refit`, `整備`),
	term(`engineer abilit`, `工兵能力`),
	term(`replacement unit`, `補充ユニット`), term(`transport units?\b`, `輸送ユニット`), term(`\btraces?\b`, `補給線`),
	term(`general supply`, `一般補給`), term(`combat supply`, `戦闘補給`),
}

func term(en, ja string) struct{ en, ja *regexp.Regexp } {
	return struct{ en, ja *regexp.Regexp }{regexp.MustCompile(`(?i)` + en), regexp.MustCompile(ja)}
}

// Where the English of a message names a term of the rulebook its Japanese does too, in the rulebook's word.
func TestJapaneseTerms(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("messages/*.tsv")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of messages: %v", len(files), err)
	}
	placeholder, seen := regexp.MustCompile(`\{[^}]*\}`), 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			parts := strings.Split(line, "\t")
			if len(parts) != 3 || strings.HasPrefix(line, "#") {
				continue
			}
			en := placeholder.ReplaceAllString(parts[1], "")
			for _, w := range terms {
				if !w.en.MatchString(en) {
					continue
				}
				if seen++; !w.ja.MatchString(parts[2]) {
					t.Errorf("%s: %s: %q names %s, and %q does not say %s", file, parts[0], en, w.en, parts[2], w.ja)
				}
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d terms are found", seen)
	}
}

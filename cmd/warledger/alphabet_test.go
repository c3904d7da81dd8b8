package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestListsInTheReadersOrder: Japanese readers have territories in the order of their readings, and a number does what
// its line showed, also where it is given in another language.
func TestListsInTheReadersOrder(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create anniversary 1942 --take germany,japan,italy,soviet-union,united-kingdom,united-states")
	p.do("do . research 0 --as japan")
	p.do("do . end --as japan")
	p.do("legal . --as japan --all",
		`(?s)  1  move 1 infantry burma>india .* burma>yunnan .* manchuria>suiyuan `)
	_, listed, _ := p.run("legal", ".", "--as", "japan", "--all", "--lang", "ja")
	lines := strings.Split(strings.TrimSpace(listed), "\n")
	for i, want := range []string{"広東 → 福建", "江蘇 → 湖北", "江蘇 → 綏遠", "江蘇 → 福建", "台湾 → 雲南"} {
		if !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], want)
		}
	}
	for _, lang := range []string{"ja", "en"} {
		for _, n := range []int{1, 2, 61, len(lines)} {
			_, out, errs := p.run("do", ".", fmt.Sprint(n), "--as", "japan", "--check", "-o", "json", "--lang", lang)
			var answer struct{ Action struct{ Command string } }
			if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Action.Command == "" ||
				!strings.HasPrefix(strings.TrimSpace(lines[n-1]), fmt.Sprintf("%d  %s ", n, answer.Action.Command)) {
				t.Errorf("in %s %d does %q, shown was %q: %s %v", lang, n, answer.Action.Command, lines[n-1], errs,
					err)
			}
		}
	}
	_, _, errs := p.run("do", ".", "999", "--as", "japan", "--lang", "en")
	if !strings.Contains(errs, "there is no action 999") {
		t.Errorf("a number of no line: %s", errs)
	}
	p.do("board . --as japan --lang ja", `(?s)アラスカ .*硫黄島 .*イギリス .*沖縄 .*カザフ.*満州 .*海域`)
	p.do("rulesets --lang ja", `(?s)アクシス.*オペレーショナル.*ダウンフォール`)
	p.do("rulesets", `(?s)anniversary: .*downfall: .*ocs: `)
	p.do("create downfall olympic --take us,japan")
	_, by, _ := p.run("legal", ".", "--as", "japan", "--lang", "ja", "--space", "くしま", "--limit", "2")
	_, want, _ := p.run("legal", ".", "--as", "japan", "--lang", "ja", "--space", "串間", "--limit", "2")
	if by != want || by == "" {
		t.Errorf("by its reading a place has\n%s, by its name\n%s", by, want)
	}
	p.fails(exitUsage, "legal . --as japan --lang ja --space くしまん", "くしまん")
}

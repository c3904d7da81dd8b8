package alphabet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/service/alphabet"
)

// TestSort: each list stands in the order of its readers. A reading follows its name, after a sign of equality.
func TestSort(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ lang, want string }{
		{"ja", "カー カア カイ カン"}, // カー is read カア
		{"ja", "ボウル ホオル ボール"},
		{"ja", "すべ スペイン スペース"},
		{"ja", "リビア ローデシア ロシア"},
		{"ja", "はわい ハワイ バワイ パワイ ヒ"},
		{"ja", "第5師団=だい5しだん 第11師団=だい11しだん 第100師団=だい100しだん"},
		{"ja", "アラスカ ウラル 沖縄=おきなわ 海域9=かいいき9 海域10=かいいき10 満州=まんしゅう ん"},
		{"ja", "ー"},
		{"de", "Afrika Ägypten Apfel Äpfel Azoren Österreich Ungarn Zürich"},
		{"de", "Seegebiet-5 Seegebiet-12"},
		{"zxx", "a b"},
		{"no tag", "a b"},
		{"ja", ""},
	} {
		list := strings.Fields(x.want)
		for range len(list) + 1 { // from every beginning
			alphabet.Sort(x.lang, list, func(s string) alphabet.Name {
				text, reading, _ := strings.Cut(s, "=")
				return alphabet.Name{Text: text, Reading: reading}
			})
			if diff := cmp.Diff(x.want, strings.Join(list, " ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", x.lang, diff)
			}
			if len(list) > 0 {
				list = append(list[1:], list[0])
				slices.Reverse(list)
			}
		}
	}
}

// Names that are alike keep their order.
func TestRanks(t *testing.T) {
	t.Parallel()
	names := []alphabet.Name{{Text: "町", Reading: "まち"}, {Text: "か"}, {Text: "町", Reading: "まち"}, {Text: "か"}}
	if diff := cmp.Diff([]int{2, 0, 3, 1}, alphabet.Ranks("ja", names)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func BenchmarkRanks(b *testing.B) {
	names := make([]alphabet.Name, 100)
	for i := range names {
		names[i] = alphabet.Name{Text: "ブリヤート・ソビエト共和国", Reading: "ブリヤート・ソビエトきょうわこく"}
	}
	b.ReportAllocs()
	for b.Loop() {
		alphabet.Ranks("ja", names)
	}
}

package rulesets

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/alphabet"
)

// TestGojuon: names of places of the three games, from their maps, in the order in which Japanese readers have them.
func TestGojuon(t *testing.T) {
	t.Parallel()
	for ruleset, want := range map[string][]string{
		"downfall": {"阿久根", "油津", "伊集院", "出水", "指宿", "鹿児島市", "加治木", "加世田", "鹿屋", "霧島山", "串木野",
			"串間", "国分", "小林", "桜島", "志布志", "川内", "高鍋", "高原", "財部", "垂水", "知覧", "都農", "妻", "人吉", "本庄", "枕崎",
			"都城", "宮崎", "宮崎西方陣地", "宮之城"},
		"anniversary": {"アイルランド", "アフガニスタン", "アメリカ西部", "アメリカ中部", "アメリカ東部", "アラスカ", "アルゼンチン／チリ",
			"アルハンゲリスク", "アンゴラ", "硫黄島", "イギリス", "沖縄", "海域2", "海域11", "カザフ・ソビエト共和国", "広東", "江蘇",
			"コーカサス", "湖北", "台湾", "チェコスロバキア／ハンガリー", "ドイツ", "東部カナダ", "日本", "ニューギニア", "ハワイ諸島", "東ウクライナ",
			"福建", "仏領インドシナ／タイ", "フランス", "満州", "ミッドウェイ", "ローデシア", "ロシア"},
	} {
		registry, err := Registry(false)
		if err != nil {
			t.Fatal(err)
		}
		set, _ := registry.Find(ruleset)
		named := map[string]*boardv1.Space{}
		for _, d := range set.ScenarioDocuments() {
			sc, faults := set.LoadScenario(d.Data)
			if faults.Fatal() {
				t.Fatal(faults)
			}
			for _, s := range set.Map(sc, rules.Japanese).Spaces {
				named[s.Name] = s
			}
		}
		list := slices.Clone(want)
		slices.Reverse(list)
		alphabet.Sort("ja", list, func(name string) alphabet.Name {
			if named[name] == nil {
				t.Errorf("%s has no place called %s", ruleset, name)
			}
			return alphabet.Name{Text: name, Reading: named[name].GetReading()}
		})
		if diff := cmp.Diff(want, list); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ruleset, diff)
		}
	}
}

// TestPagesInTheReadersOrder: short pages of a list in Japanese give the whole list; its token is void in a language
// with another order, and the territories of the map stand in the order of the list. Without a language all is as ever.
func TestPagesInTheReadersOrder(t *testing.T) {
	t.Parallel()
	set := Offered()[0]
	s := newSite(t, set, "1942", nil, nil)
	defer s.close()
	for _, command := range []string{"research 0", "end"} {
		_, err := s.games.SubmitCommand(s.as("japan"), &v1.SubmitCommandRequest{Name: s.name, Seat: "japan",
			CommandId: uuidOf(command, 0), Form: notation(command)})
		s.must(err)
	}
	list := func(lang, token string, size int32) (*v1.ListLegalActionsResponse, error) {
		return s.games.ListLegalActions(s.as("japan"), &v1.ListLegalActionsRequest{Name: s.name, Seat: "japan",
			LanguageCode: lang, PageToken: token, PageSize: size})
	}
	commands := func(lang string, size int32) (all []string) {
		for token := ""; ; {
			page, err := list(lang, token, size)
			s.must(err)
			for _, a := range page.Actions {
				all = append(all, a.Command)
			}
			if token = page.NextPageToken; token == "" {
				return all
			}
		}
	}
	whole := commands("ja", 1000)
	if diff := cmp.Diff(whole, commands("ja-JP", 7)); diff != "" {
		t.Errorf("pages of seven (-whole +pages):\n%s", diff)
	}
	english := commands("", 1000)
	if diff := cmp.Diff(english, commands("en", 50)); diff != "" || slices.Equal(whole, english) {
		t.Errorf("in English (-without a language +in pages):\n%s", diff)
	}
	slices.Sort(whole)
	slices.Sort(english)
	if diff := cmp.Diff(english, whole); diff != "" {
		t.Errorf("in Japanese other commands are listed (-English +Japanese):\n%s", diff)
	}
	first, err := list("ja", "", 7)
	s.must(err)
	if _, err := list("en", first.NextPageToken, 7); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a Japanese list goes on in English: %v", err)
	}
	spaces := func(lang string) (ids []string) {
		board, err := s.games.GetBoard(s.as("japan"), &v1.GetBoardRequest{Name: s.name, LanguageCode: lang,
			IncludeMap: true})
		s.must(err)
		if m := board.Board.Map; m.Digest != rules.MapDigest(m) {
			t.Errorf("%q: the digest is not that of the map", lang)
		}
		for _, x := range board.Board.Map.Spaces {
			ids = append(ids, x.Id)
		}
		return ids
	}
	if en, ja := spaces("en"), spaces("ja"); en[0] != "afghanistan" || ja[0] != "iceland" || ja[97] != "sz-1" {
		t.Errorf("the map has %s, %s and %s first", en[0], ja[0], ja[97])
	}
}

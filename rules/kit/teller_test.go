package kit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// catalogue has a message for some events of Downfall.
var catalogue = rules.MustCatalogue(strings.Join([]string{
	"told.unit_placed\t{unit} in {hex}\t{hex}の{unit}",
	"told.fleet_rolled\taway: {die}\t不在{die}",
	"told.fleet_rolled-british\there: {die}\t参加{die}",
	"told.supply_settled\tall\t全",
	"told.supply_settled-coast-oos\t{coast} and {oos}\t{coast}と{oos}",
	"told.combat_stage-us-fire-firing\t{n} {n|fires|fire}\t{n}",
	"told.attack_began\tattack{+mixed}\t攻撃{+mixed}",
	"told.attack_began+mixed\t, mixed by {seat}\t、{seat}混成",
	"told.bombs_declared\t{count}{more}\t{count}{more}",
	"told.bombs_declared-twice\t{count} twice\t{count}二",
}, "\n"))

func TestTeller(t *testing.T) {
	t.Parallel()
	teller := NewTeller(catalogue, &downfallv1.Event{}, Tellings[string]{
		Name:  func(mark, id string) any { return rules.Words{En: mark + id} },
		Names: func(mark string, ids []string) any { return rules.Words{En: mark + strings.Join(ids, mark)} },
		Fields: map[string]func(string, protoreflect.Value) any{
			"hex": func(mark string, v protoreflect.Value) any { return mark + v.String() },
		},
		Facts: map[string]func(string, proto.Message, *rules.Text){
			"bombs_declared": func(mark string, m proto.Message, text *rules.Text) {
				if Add(text, "more", mark); m.(*downfallv1.BombsDeclared).GetCount() == 2 {
					text.Key += "-twice"
				}
			},
		},
	})
	for _, test := range []struct {
		name  string
		event *downfallv1.Event
		want  string
	}{
		{"names, and a field told its own way", &downfallv1.Event{Kind: &downfallv1.Event_UnitPlaced{
			UnitPlaced: &downfallv1.UnitPlaced{Unit: "a", Hex: 7}}}, "*a in *7"},
		{"a field not set", &downfallv1.Event{Kind: &downfallv1.Event_FleetRolled{
			FleetRolled: &downfallv1.FleetRolled{Die: 3}}}, "away: 3"},
		{"a field set", &downfallv1.Event{Kind: &downfallv1.Event_FleetRolled{
			FleetRolled: &downfallv1.FleetRolled{Die: 2, British: true}}}, "here: 2"},
		{"two fields set", &downfallv1.Event{Kind: &downfallv1.Event_SupplySettled{
			SupplySettled: &downfallv1.SupplySettled{Coast: []string{"a"}, Oos: []string{"b", "c"}}}}, "*a and *b*c"},
		{"one of two, which has no message", &downfallv1.Event{Kind: &downfallv1.Event_SupplySettled{
			SupplySettled: &downfallv1.SupplySettled{Coast: []string{"a"}}}}, "all"},
		{"a value of an enumeration, and the length of a list", &downfallv1.Event{Kind: &downfallv1.Event_CombatStage{
			CombatStage: &downfallv1.CombatStage{Stage: downfallv1.Stage_STAGE_US_FIRE, Firing: []string{"a"}}}},
			"1 fires"},
		{"another value", &downfallv1.Event{Kind: &downfallv1.Event_CombatStage{
			CombatStage: &downfallv1.CombatStage{Stage: downfallv1.Stage_STAGE_BREAK, Firing: []string{"a"}}}}, ""},
		{"a number that is no value", &downfallv1.Event{Kind: &downfallv1.Event_CombatStage{
			CombatStage: &downfallv1.CombatStage{Stage: 99, Firing: []string{"a"}}}}, ""},
		{"without a part", &downfallv1.Event{Kind: &downfallv1.Event_AttackBegan{
			AttackBegan: &downfallv1.AttackBegan{Seat: "us"}}}, "attack"},
		{"with a part", &downfallv1.Event{Kind: &downfallv1.Event_AttackBegan{
			AttackBegan: &downfallv1.AttackBegan{Seat: "us", Mixed: true}}}, "attack, mixed by *us"},
		{"more by its fact", &downfallv1.Event{Kind: &downfallv1.Event_BombsDeclared{
			BombsDeclared: &downfallv1.BombsDeclared{Count: 1}}}, "1*"},
		{"another key by its fact", &downfallv1.Event{Kind: &downfallv1.Event_BombsDeclared{
			BombsDeclared: &downfallv1.BombsDeclared{Count: 2}}}, "2 twice"},
		{"no message",
			&downfallv1.Event{Kind: &downfallv1.Event_CombatEnded{CombatEnded: &downfallv1.CombatEnded{}}}, ""},
		{"no kind", &downfallv1.Event{}, ""},
	} {
		text, got := teller.Tell("*", test.event), ""
		given := map[string]bool{}
		for _, a := range text.Args {
			if given[a.Name] {
				t.Errorf("%s: %s is given twice", test.name, a.Name)
			}
			given[a.Name] = true
		}
		if text.Key != "" {
			got = catalogue.Format(rules.English, text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestEnumWords(t *testing.T) {
	t.Parallel()
	want := []string{"none", "line", "air", "coast", "oos"}
	if diff := cmp.Diff(want, EnumWords(downfallv1.Supply(0), "none")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

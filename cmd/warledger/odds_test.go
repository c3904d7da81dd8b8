package main

import (
	"maps"
	"testing"
)

// TestOdds: any battle is weighed, from the position and with forces that are typed.
func TestOdds(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create anniversary 1941 --take germany,japan,italy,soviet-union,united-kingdom,united-states")
	p.do("odds . east-poland", `Attack \(Germany\): 7 infantry, 2 artillery, 6 tank, 4 fighter, 1 bomber`,
		`Defence \(Soviet Union\): 2 infantry`, `Battle in East Poland: computed`, `100\.0 %\s+The attacker wins\.`)
	typed := "odds . ukraine --attack 1infantry --defend infantry"
	p.do(typed, `Attack \(Germany\): 1 infantry`, `25\.0 %\s+The attacker wins`, `62\.5 %\s+The defender wins`,
		`12\.5 %\s+Nobody wins`, `Lost by the attacker: 2\.25 IPC on average`)
	p.do(typed+" --policy retreat=after_one_round", `27\.8 %\s+The defender wins`)
	p.do("odds . ukraine --attack 2infantry,artillery --attack-with advanced-artillery --defend tank",
		`Attack \(Germany\): 2 infantry, 1 artillery, Advanced Artillery`)
	p.do("odds . ukraine --defend-with radar", `Defence \(Soviet Union\):.*, Radar`)
	p.do("odds . france", `Attack \(United Kingdom\):`, `in reach besides:|from the sea`)
	p.do("odds . sz-12 --attack 2submarine --defend destroyer --lang ja", `潜水艦`)
	p.fails(exitUsage, "odds . ukraine --attack 1_tank", `a number and a unit`)
	p.fails(exitUsage, "odds . nowhere", `no space`)
	p.fails(exitUsage, "odds . ukraine --kind sea", `expected one of land`)
	p.fails(exitUsage, "odds . ukraine --by china", `could attack`)
	p.fails(exitUsage, "odds . ukraine --attack 101tank", `101, expected 0 to 100`)
	p.fails(exitUsage, "odds . ukraine --attack cruiser", `expected one of infantry`)
	p.fails(exitUsage, "odds . ukraine --attack-losses tank,tank", `twice`)
	var out object
	p.json(&out, typed+" --turn 1")
	if out["form"].(object)["kind"] != "land" || out["forecast"].(object)["method"] != "FORECAST_METHOD_COMPUTED" {
		t.Errorf("as JSON: %v", out)
	}
	p.do("create toy ridge --take red,blue")
	p.fails(exitRefused, "odds . 0101", `has no battle calculator`)
}

// TestTypedUnits: numbers and units are read as people type them.
func TestTypedUnits(t *testing.T) {
	t.Parallel()
	got := map[string]int32{}
	if err := typedUnits("3 infantry, tank,2 ashore-tank, 1 infantry", got); err != nil {
		t.Fatal(err)
	}
	want := map[string]int32{"infantry": 4, "tank": 1, "ashore-tank": 2}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, text := range []string{"many tanks", "1 big tank", "tank 1", "-1 tank", "1"} {
		if err := typedUnits(text, got); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

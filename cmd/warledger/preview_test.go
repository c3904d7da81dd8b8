package main

import (
	"fmt"
	"strings"
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// A forecast with very many outcomes prints the first, and says how many there are.
func TestLongForecasts(t *testing.T) {
	t.Parallel()
	f := &v1.Forecast{Title: "Battle"}
	for i := range 20 {
		f.Outcomes = append(f.Outcomes, &v1.ForecastOutcome{Label: fmt.Sprintf("outcome %d.", i+1),
			Chance: &v1.ForecastChance{Value: 0.05}})
	}
	var out strings.Builder
	(&app{world: world{out: &out}, line: &cli{}}).forecast(f)
	if text := out.String(); !strings.Contains(text, "outcome 16.") || strings.Contains(text, "outcome 17.") ||
		!strings.Contains(text, "... and 4 more: -o json has them") {
		t.Errorf("it prints\n%s", text)
	}
}

// TestPreview: a command is looked at before it is made, in words and as JSON.
func TestPreview(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	p.do("preview . plan 0503 --as blue", `plan 0503  Plan to hold 0503`, `Blue has made its plan`, `waits for red`)
	p.do("do . plan 0103 --as red")
	p.do("do . plan 0503 --as blue")
	p.do("do . move r2 0304 --as red")
	p.do("legal . --as red --kind attack", `1  attack r2 b2`)
	for _, command := range []string{"attack r2 b2", "1"} {
		p.do("preview . "+command+" --policy hit=stand", `attack r2 b2  Attack Blue 2 with Red 2`,
			`Red 2 attacks Blue 2\.`, `dice are thrown`,
			`The plan of Blue is not known`, `The dice of the command: exact`, `Red 2 attacks Blue 2: exact`,
			`50\.0 %  1/2  a hit`, `16\.7 %  1/6  repulsed`,
			`Steps that Blue 2 loses: 0\.50 steps on average`, `hit=stand: A unit that is hit loses a step`)
	}
	p.do("preview . scout", `hidden from you`)
	p.do("preview . attack r2 b2 --lang ja", `命中`, `青軍の作戦は不明`)
	p.fails(exitRefused, "preview . attack r1 b1", `refused: .*\(TY 5.1\)`)
	p.fails(exitUsage, "preview .", "give a command")
	p.fails(exitUsage, "preview . --json {", "--json")
	p.fails(exitConflict, "preview . end --expect 3", "quicker|moved on")
	var out object
	p.json(&out, "preview . attack r2 b2")
	forecasts := out["forecasts"].([]any)
	if out["stop"] != "PREVIEW_STOP_DICE" || len(forecasts) != 2 ||
		forecasts[1].(object)["method"] != "FORECAST_METHOD_EXACT" {
		t.Errorf("as JSON: %v", out)
	}
}

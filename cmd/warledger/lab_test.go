package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// exported is a line that lab export writes.
type exported struct {
	Game struct {
		Name, Ruleset string
		Over          bool
	}
	Records []struct {
		Seat, Notation string
		Events         []object
	}
}

func export(t *testing.T, p *person, args string) (list []exported) {
	t.Helper()
	for line := range strings.Lines(p.do("lab export " + args)) {
		var e exported
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		list = append(list, e)
	}
	return list
}

// plans counts the plans of each seat that an export tells.
func plans(e exported) map[string]int {
	told := map[string]int{}
	for _, r := range e.Records {
		if strings.HasPrefix(r.Notation, "plan ") {
			told[r.Seat]++
		}
	}
	return told
}

// TestLabExport: a line for each game, with what the viewer may see and no more.
func TestLabExport(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	p, stranger := newPerson(t, addr), newPerson(t, addr)
	p.do("create toy ridge --take red,blue --title Duel --name me")
	p.first(".", "--as", "red")
	p.first(".", "--as", "blue")
	if got := export(t, stranger, ""); len(got) != 0 {
		t.Errorf("%d games that have ended, and none has", len(got))
	}
	got := export(t, stranger, "--running")
	if len(got) != 1 || got[0].Game.Ruleset != "rulesets/toy" || len(got[0].Records) < 3 {
		t.Fatalf("a running game is exported as %+v", got)
	}
	if told := plans(got[0]); len(told) != 0 {
		t.Errorf("a stranger is told the plans of %v", told)
	}
	if told := plans(export(t, p, ". --as red")[0]); told["red"] != 1 || told["blue"] != 0 {
		t.Errorf("red is told the plans of %v", told)
	}
	p.do("resign . --as red")
	got = export(t, stranger, "--ruleset toy")
	if len(got) != 1 || !got[0].Game.Over {
		t.Fatalf("a game that is over is exported as %+v", got)
	}
	if told := plans(got[0]); told["red"] != 1 || told["blue"] != 1 {
		t.Errorf("after the end a stranger is told the plans of %v", told)
	}
	if got := export(t, stranger, "--ruleset ocs"); len(got) != 0 {
		t.Errorf("%d games of OCS are exported, and none was played", len(got))
	}
}

// TestLabServe: the program answers on its standard output, and says so when the input breaks off.
func TestLabServe(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	w := world{out: &out, err: &errs, env: func(string) string { return "" }}
	w.in = strings.NewReader("\x01\x00\x00\x00\x08")
	if code := run(t.Context(), []string{"lab"}, w); code != exitDone || !strings.Contains(out.String(), "no request") {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
	w.in = strings.NewReader("\x05\x00\x00\x00\x08")
	code := run(t.Context(), []string{"lab"}, w)
	if code != exitFailed || !strings.Contains(errs.String(), "1 of 5 bytes") {
		t.Errorf("half a message: code %d, %q", code, errs.String())
	}
	w.in, w.inTTY = strings.NewReader(""), true
	if code := run(t.Context(), []string{"lab"}, w); code != exitUsage {
		t.Errorf("on a terminal: code %d", code)
	}
}

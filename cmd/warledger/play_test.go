package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// object is a message as JSON.
type object = map[string]any

func TestCatalogue(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("rulesets", `toy: Outpost, version 1`, `seats: red \(Red\), blue \(Blue\)`, `option length=scenario\|short`)
	p.do("rulesets --lang ja", "前哨")
	p.do("scenarios toy", "ridge: The ridge", "ford: The ford")
	doc := p.do("scenario show toy ford", `^\{`, `"id": "ford"`)
	p.do("rule TY 4.1", `TY 4.1 Movement \(enforced\)`)
	p.do("rule TY 4", "TY 4.1 .*TY 4.2 .*TY 4.4")
	p.do("rule --ruleset toy TY 4.1", "Movement")
	p.do("rule ty4.1", `TY 4.1 Movement`)
	p.do("rule TY 4.1 --lang ja", `TY 4.1 移動 \(自動判定\)`, "部隊は自分の手番に1回、隣接ヘクスへ移動できる。")
	p.do("rule AA 3.1.1", "AA 3.1.1 Three victory levels")
	if _, out, _ := p.run("rule", "AA", "3.1.1"); strings.Count(out, "Win with 15 victory cities") != 1 {
		t.Errorf("the text of a rule is printed more than once, or not at all:\n%s", out)
	}
	p.fails(exitNotFound, "rule TY 99", "no paragraph")
	p.fails(exitNotFound, "rule AA 3.1.3", "no paragraph AA 3.1.3; there are AA 3.1.1, AA 3.1.2")
	p.fails(exitNotFound, "scenarios chess", "chess", "warledger rulesets")
	p.fails(exitNotFound, "scenario show toy gone", "gone")

	good, bad := filepath.Join(t.TempDir(), "good.json"), filepath.Join(t.TempDir(), "bad.json")
	for path, text := range map[string]string{good: doc, bad: strings.Replace(doc, `"turns": 3`, `"turns": 300`, 1)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.do("scenario validate toy "+good, "can be played")
	if code, out, _ := p.run("scenario", "validate", "toy", bad); code != exitFound ||
		!strings.Contains(out, "fault: turns") {
		t.Errorf("a bad scenario: %d\n%s", code, out)
	}
	p.do("create toy --file "+good, "toy/ford")
	p.fails(exitUsage, "create toy ridge --file "+bad, "name a scenario or")
	p.fails(exitUsage, "create toy --file "+bad, "turns")

	var sets, scenarios, shown, rule object
	p.json(&sets, "rulesets")
	p.json(&scenarios, "scenarios toy")
	p.json(&shown, "scenario show toy ford")
	p.json(&rule, "rule TY 4.1")
	if len(sets["rulesets"].([]any)) == 0 || len(scenarios["scenarios"].([]any)) != 2 || shown["document"] == "" ||
		len(rule["rules"].([]any)) != 1 {
		t.Errorf("as JSON: %v, %v, %v, %v", sets, scenarios, shown, rule)
	}
}

// TestEndAsksAtATerminal: while units could still act, a command that gives up the rest is sent only after a yes.
// Programs are not asked, nor is a person who gave --yes or turned the question off.
func TestEndAsksAtATerminal(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	p.do("do . plan 0103 --as red")
	p.do("do . plan 0503 --as blue")
	p.tty, p.in = true, "y\n"
	p.fails(exitUsage, "do . end --as red", "3 of your units or markers could still act", "nothing was sent")
	p.in = "yes\n"
	if code, out, errs := p.run("do", ".", "end", "--as", "red"); code != exitDone {
		t.Errorf("a yes: exit code %d\n%s%s", code, out, errs)
	}
	p.in = ""
	p.do("undo . --as red", "version 5")
	p.do("do . end --as red --yes", "It is Blue's turn")
	p.fails(exitUsage, "do . end --as blue", "nothing was sent")
	p.do("do . end --as blue --no-ask-end", "Turn 2")
	p.fails(exitUsage, "do . end --as red", "nothing was sent")
	p.tty = false
	p.do("do . end --as red", "It is Blue's turn")
	v := p.playing(100, 30, "play . --as blue")
	v.until(`YOUR DECISION`)
	v.press(":", "end", "enter")
	v.until(`End the turn: 3 of your units or markers could still act. y ends anyway`)
	v.press("n")
	v.until(`Nothing was sent`)
	v.press(":", "end", "enter")
	v.until(`y ends anyway`)
	v.press("y")
	v.until(`Turn 3 of 4`)
	v.press("q")
	v.ends(exitDone)
}

// TestHotSeat: one person plays both seats, by notation, number and message.
func TestHotSeat(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.fails(exitUsage, "create toy ridge --take red,green", `no seat "green", expected one of red, blue`)
	p.do("games", "No games")
	p.do("create toy ridge --take red,blue --title Duel --option length=short --dice manual --rolled 1 --name me",
		`(?m)^  options: length=short$`,
		"Created games/", "“Duel”: toy/ridge", "red=me blue=me", "length=short", "dice: manual",
		"yours: owner, blue, red", "waits for red, blue")
	p.fails(exitUsage, "legal .", "several seats", "--as")
	p.do("legal . --as red", `1  plan 0103 +Plan to hold 0103`)
	p.do("do . 4 --as red", `red +plan 0503`, `only red`, "waits for blue", `\? Blue: Record the outpost.* \[TY 2.1\]`)
	p.fails(exitRefused, "do . plan 0503 --as red", "Asked now: Blue: Record the outpost")
	p.do("legal . --as red", "Nothing to do now: the game waits for blue", `\? Blue: Record`)
	p.fails(exitUsage, "do . 1 --as red", "red has nothing to do now")
	p.do("show .", "waits for blue", `\? Blue: Record`)
	p.do("legal . --as blue", "plan 0503")
	p.fails(exitUsage, "do . 1 --as red", "red has nothing to do now: the game waits for blue")
	p.do("do . plan 0503 --as blue --check", "may be done")
	p.do("do . plan 0503 --as blue", "It is Red's turn")
	p.do("board .", `R=Red  B=Blue`, `/0103\.\*`, `R:r1`, `Version 5`)
	p.do("board . --as spectator", `r1 `)
	p.do("board . --width 20 --at 0503", "part of the map")
	p.do("board . --legend", `\^  Rough`)
	p.do("board . --space 0103", "0103 West post: Clear, Outpost", "Red 1")
	p.do("board . --color always", "\x1b\\[")
	p.fails(exitUsage, "board . --space 9999", "no space")
	p.fails(exitRefused, "do . move r1 0503", `refused: .*4 hexes.*\(TY 4.1\)`, `TY 4.1 Movement: In its player turn`)
	p.fails(exitRefused, "do . fly", "no command", "The commands are plan, move")
	p.fails(exitRefused, "do . mov r1 0503", `no command "mov"; did you mean move\?`)
	p.do("legal . --space 0503 --piece r1", "Nothing of that kind.*without --piece and --space")
	code, out, errs := p.run("legal", ".", "--space", "WEST POST", "--kind", "move")
	if code != exitDone || !strings.Contains(out, "without --kind and --space") {
		t.Errorf("a space by its name: exit code %d\n%s%s", code, out, errs)
	}
	p.fails(exitUsage, "legal . --space Kanoya", `no space "Kanoya"`)
	p.fails(exitUsage, "do .", "give a command")
	p.do("legal .", "move r1")
	p.fails(exitUsage, "do . 99", "no action 99")
	p.do("legal . --kind move --piece r2", `move r2 0203`)
	p.fails(exitUsage, "do . move r2 to 0103", "finds no way to 0103")
	p.fails(exitUsage, "do . move r2 to Nowhere", "no space")
	p.do("do . move r2 to 0304 --board", `move r2 0304`, `R:r2`)
	p.fails(exitRefused, "do . attack r2 b2", "die 1", "--dice")
	p.do("do . attack r2 b2 --dice 6", `d6: 6 \(attack\)`)
	p.fails(exitConflict, "do . end --expect 3", "somebody was quicker")
	code, _, errs = p.run("do", ".", "--json", `{"@type":"type.googleapis.com/warledger.toy.v1.Command","end":{}}`)
	if code != exitDone {
		t.Errorf("a message: %d, %s", code, errs)
	}
	p.fails(exitUsage, "do . --json {", "--json")
	p.do("log .", `1 +- +\(created\)`, `d6: 1 \(initiative\)`, `Red plans to hold`, `end`)
	p.do("log . --lang ja", "赤軍")
	if out := p.do("log . --as spectator"); strings.Contains(out, "Red plans to hold") ||
		!strings.Contains(out, "you may not see") {
		t.Errorf("a spectator's log:\n%s", out)
	}
	p.do("undo .", `head is at version 7`)
	p.do("redo .", `head is at version 8`)
	p.do("position .", `"@type"`)
	p.fails(exitFailed, "position . --notation", "when the game is over")
	p.do("replay . --version 6", `red +move r2 0304`, "Version 6")
	p.do("games", "GAME +TITLE", "Duel")
	p.do("games --mine --running --ruleset toy", "Duel")
	p.do("games --open", "No games")
	p.do("resign . --as red", "is over.*Red resigns|is over")
	p.fails(exitRefused, "do . end --as blue", "over")
	p.do("position . --notation", `^outpost ridge`)
	p.do("watch .", "resign|table")
}

// TestOffersAskAgain: no number reaches an offer, and conceding asks once more, in whatever form and
// spelling it is given.
func TestOffersAskAgain(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue", "Created games/")
	list := p.do("legal . --as red", "plan 0103")
	if strings.Contains(list, "concede") || strings.Contains(list, "draw") {
		t.Errorf("what is to be done holds an offer:\n%s", list)
	}
	p.do("legal . --as red --offers", "^ +draw", "concede")
	p.fails(exitUsage, "do . 5 --as red", "no action 5")
	p.fails(exitUsage, "do . concede --as red", "may end the game", "--yes")
	p.fails(exitUsage, "do . CONCEDE --as red -o json", "may end the game", "--yes")
	message := []string{"do", ".", "--as", "red", "--json",
		`{"@type":"type.googleapis.com/warledger.toy.v1.Command","concede":{}}`}
	if code, _, errs := p.run(message...); code != exitUsage || !strings.Contains(errs, "--yes") {
		t.Errorf("a message: exit code %d, %s", code, errs)
	}
	p.tty, p.in = true, "no\n"
	p.fails(exitUsage, "do . concede --as red", "Type yes", "nothing was sent")
	p.tty, p.in = false, ""
	p.do("show .", "waits for red, blue")
	p.do("do . concede --as red --check", "may be done")
	p.do("do . draw --as red --yes", "offers a draw|draw")
	p.tty, p.in = true, "yes\n"
	if code, out, _ := p.run("do", ".", "concede", "--as", "red"); code != exitDone || !strings.Contains(out, "over") {
		t.Errorf("after yes: exit code %d, %s", code, out)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	var game, legal, done, board, log, undone, position, games, replay object
	p.json(&game, "create toy ridge --take red,blue")
	name := game["name"].(string)
	p.json(&legal, "legal . --as red")
	if legal["totalSize"] != 4. || len(legal["commands"].([]any)) != 4 || legal["version"] != "3" {
		t.Errorf("legal: %v", legal)
	}
	p.json(&done, "do . 1 --as red")
	if done["record"].(object)["notation"] != "plan 0103" {
		t.Errorf("do: %v", done)
	}
	p.json(&board, "board .")
	if len(board["board"].(object)["map"].(object)["spaces"].([]any)) != 18 {
		t.Errorf("board: %v", board)
	}
	p.json(&log, "log . --proof")
	if list := log["records"].([]any); len(list) == 0 || list[0].(object)["proof"] == nil {
		t.Errorf("log: %v", log)
	}
	p.json(&undone, "undo . --as red")
	if undone["done"] != true || undone["game"].(object)["head"] != "1" {
		t.Errorf("undo: %v", undone)
	}
	p.json(&position, "position .")
	p.json(&replay, "replay . --version 1")
	p.json(&games, "games --mine")
	p.json(&game, "show "+name[len("games/"):][:8])
	if game["name"] != name || len(games["games"].([]any)) != 1 || position["position"] == nil ||
		replay["version"] != "1" {
		t.Errorf("%v, %v, %v, %v", game, games, position, replay)
	}
	code, out, errs := p.run("do", ".", "end", "--as", "red", "-o", "json")
	if code != exitRefused || out != "" || !strings.Contains(errs, `"reason": "NOT_YOUR_DECISION"`) {
		t.Errorf("a refusal as JSON: %d, %s, %s", code, out, errs)
	}
	p.json(&game, "close .")
	if game["over"] != true {
		t.Errorf("close: %v", game)
	}
}

// TestTwoPeople share a table: seats, what is not theirs, undo by consent.
func TestTwoPeople(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	a, b := newPerson(t, addr), newPerson(t, addr)
	var game object
	a.json(&game, "create toy ridge --take red")
	name := game["name"].(string)
	b.fails(exitRefused, "join "+name+" red", "held")
	b.fails(exitNotFound, "join "+name+" green", "green")
	b.fails(exitNotAllowed, "legal "+name, "join the game first")
	b.do("join "+name+" blue --name Bob", "You hold blue", "blue=Bob", "yours: blue")
	b.fails(exitNotAllowed, "close "+name)
	a.do("do . plan 0103")
	b.do("do . plan 0503")
	a.fails(exitRefused, "undo . --to 1", "consent", "--ask")
	a.do("undo . --to 1 --ask", "blue must agree")
	b.do("show .", "red asks to go back to version 1", "consent")
	a.fails(exitUsage, "consent . yes", "no undo waits")
	b.do("consent . no", "head stays")
	a.do("undo . --to 1 --ask", "blue must agree")
	b.do("consent . yes --record "+b.asks(), "head is at version 1")
	b.do("leave . blue", "is free")
	b.fails(exitNotAllowed, "do . end")
	a.do("close . --reason late", "is over")
	a.fails(exitNotFound, "show games/aaaaaaaaaaaaaaaaaaaaaaaaaa", "no game")
	a.fails(exitUsage, "show nonsense!", "name of a game")
}

// TestBotsExportAndVerify: two bots play at the server while somebody watches; the game is exported and checked.
func TestBotsExportAndVerify(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge")
	var all sync.WaitGroup
	all.Go(func() { p.do("play-bot . red --bot greedy --seed 3", `red +plan`, `The game is over\. .* decisions`) })
	all.Go(func() {
		var end object
		p.json(&end, "play-bot . blue --seed 4")
		// no winners in a draw
		if ending, _ := end["ending"].(string); end["decisions"].(float64) == 0 || ending == "" {
			t.Errorf("play-bot as JSON: %v", end)
		}
	})
	all.Go(func() { p.do("watch .", `\(created\)`, `secrets are released`) })
	all.Wait()
	if out := p.do("watch . -o json"); strings.Count(out, "\n") < 20 || !strings.HasPrefix(out, `{"`) {
		t.Errorf("watch as JSON:\n%s", out)
	}
	file := filepath.Join(t.TempDir(), "game.wlg")
	p.do("export . -f "+file, "bytes")
	p.do("verify "+file, `dice recomputed`, `0 errors`)
	p.do("audit .", `commands decided again, 0 errors`)
	p.do("audit . -o json", `"summary"`)
	if raw := p.do("export . -f -"); raw == "" {
		t.Error("export to standard output wrote nothing")
	}
	var sum object
	p.json(&sum, "verify "+file)
	if sum["errors"] != 0. || sum["commands"].(float64) < 20 {
		t.Errorf("verify as JSON: %v", sum)
	}
	if sum["ended"] != true {
		t.Errorf("a whole game has no end: %v", sum)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(data)
	bad[len(bad)/2] ^= 1
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := p.run("verify", file); code != exitFound && code != exitFailed ||
		strings.Contains(out, " 0 errors") {
		t.Errorf("a forged file: %d\n%s", code, out)
	}
	if err := os.WriteFile(file, data[:len(data)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := p.run("verify", file); code == exitDone {
		t.Error("a file cut short passes")
	}
	p.fails(exitFailed, "verify "+file+".gone", "no such file")
}

// TestReplayWithKeys steps through a game at a terminal.
func TestReplayWithKeys(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	p.do("do . plan 0103 --as red")
	p.do("do . plan 0503 --as blue")
	p.do("do . end --as red")
	p.tty, p.in = true, "G\x1b[D \x1b[A\x1b[B?q \r"
	code, out, errs := p.run("replay", ".", "--color", "never")
	if code != exitDone || errs != "" || !strings.HasPrefix(out, enterScreen) || !strings.HasSuffix(out, leaveScreen) {
		t.Errorf("exit code %d: %q %s", code, out, errs)
	}
	var steps []string
	for frame := range strings.SplitSeq(out, clearScreen) {
		if _, rest, ok := strings.Cut(frame, "\nRecord "); ok {
			steps = append(steps, strings.Fields(rest)[0])
		}
	}
	// The records of the line: 1, plans, end; keys: last, back, on, ten back, ten on, one without a meaning.
	if got := strings.Join(steps, " "); got != "1 4 3 4 1 4 4" {
		t.Errorf("steps %s", got)
	}
	if strings.Contains(strings.ReplaceAll(out, "\r\n", ""), "\n") {
		t.Error("a line in raw mode does not return")
	}
}

func TestTournament(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "localhost:1")
	folder := t.TempDir()
	var a, b object
	p.json(&a, "tournament toy ridge --bots greedy,random --games 3 --seed 5 -j 3")
	p.json(&b, "tournament toy ridge --bots greedy,random --games 3 --seed 5 -j 1 --tables "+folder)
	if a["games"] != 6. || sprint(a) != sprint(b) {
		t.Errorf("the seed does not decide: %v, %v", a, b)
	}
	for name, begins := range map[string]string{"ratings.csv": "bot,elo,error,games", "sides.csv": "side,games",
		"pairings.csv": "first,second,cut_off,games", "tournament.json": "{"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.HasPrefix(string(data), begins) {
			t.Errorf("%s: %.40q, %v", name, data, err)
		}
	}
	p.do("tournament toy ridge --bots random --games 2 --mirror --limit 2", "BOT", "2 games were cut off", "first side")
	p.fails(exitUsage, "tournament toy ridge --bots random,stronger", "no bot")
	p.fails(exitUsage, "tournament toy ridge --bots random,strong:x", "is no bot")
	p.fails(exitUsage, "tournament toy ridge --games 0", "--games")
	p.fails(exitUsage, "tournament chess x", "no ruleset")
}

func TestSim(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "localhost:1")
	var a, b, c object
	games := 30
	if testing.Short() { // with the race detector, enough for three to play side by side
		games = 6
	}
	sim := fmt.Sprint("sim toy ridge --bots greedy,random --games ", games)
	p.json(&a, sim+" --seed 5 -j 3")
	p.json(&b, sim+" --seed 5 -j 1")
	p.json(&c, sim+" --seed 6")
	for _, o := range []object{a, b, c} {
		if o["games"] != float64(games) || o["refusals"] != 0. || o["failed"] != 0. || o["decisions_per_second"] == 0. {
			t.Errorf("sim: %v", o)
		}
		delete(o, "seconds")
		delete(o, "decisions_per_second")
	}
	text := func(o object) string { return strings.Join(strings.Fields(sprint(o)), " ") }
	if text(a) != text(b) || text(a) == text(c) {
		t.Errorf("the seed does not decide: %v, %v, %v", a, b, c)
	}
	p.do("sim toy ford --games 5", "5 games of toy, random against random", "0 listed commands refused")
	p.do("sim toy ford --games 3 --limit 2 --option pursuit=true", "cut off", "3 cut off")
	p.fails(exitUsage, "sim chess x", "no ruleset")
	p.fails(exitUsage, "sim toy gone", "no scenario")
	p.fails(exitUsage, "sim toy ford --bots a,b", "no bot")
	p.fails(exitUsage, "sim toy ford --bots random,random,random", "3 bots for 2 seats")
	p.fails(exitUsage, "sim toy ford --option x=y", "not an option")
	p.fails(exitUsage, "sim toy ford --games 0", "--games")
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "127.0.0.1:1")
	p.do("--help", "Exit codes: 0 done", "play-bot")
	p.do("do --help", "--dice")
	p.do("version", "warledger")
	p.fails(exitUsage, "", "expected")
	p.fails(exitUsage, "frob", "unexpected")
	p.fails(exitUsage, "board", "expected", "board .*--help")
	p.fails(exitUsage, "board .", "no game was created")
	p.fails(exitUnreached, "games", "cannot be reached", "warledgerd")
	p.fails(exitUnreached, "games -o json", `"exit": 7`)
	p.fails(exitUsage, "--ca /nowhere games")
}

// TestDownfall plays a large game through server and command line: nothing here knows its rules. With the race detector
// it is resigned before anybody moves: two bots at a server play there too, in TestBotsExportAndVerify, and what a
// larger game adds to that is rules.
func TestDownfall(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	limit := 2000
	if testing.Short() {
		limit = 100
	}
	p.do(fmt.Sprint("sim downfall olympic --games 3 --limit ", limit), "3 games of downfall",
		"0 listed commands refused, 0 games failed")
	p.do("rule DF 13.10", "DF 13.10 Retreat after combat")
	p.do("create downfall olympic", "downfall/olympic")
	p.width = 0
	p.do("board .", `\|2621\.cb\|`, `U=United States  J=Japan`)
	p.width = 80
	p.do("board . --at 2506", `\|2506`, "part of the map, around")
	told := "DF|turn|Turn"
	if testing.Short() {
		told = "are set up on the map"
		p.do("join . us")
		p.do("join . japan")
		p.do("resign . --as us", "or have left it if you had not played")
		p.do("close .", "over")
	} else {
		var all sync.WaitGroup
		for _, seat := range []string{"us", "japan"} {
			all.Go(func() { p.do("play-bot . "+seat+" --seed 3 -q", "The game is over") })
		}
		all.Wait()
	}
	file := filepath.Join(t.TempDir(), "game.wlg")
	p.do("export . -f " + file)
	p.do("verify "+file, " 0 errors")
	p.do("log .", told)
}

// TestNumbersOutliveWordsFromAside has the other player make an aside between a list and its number. The number keeps
// its meaning, also if the list has grown. Once somebody has played it means nothing.
func TestNumbersOutliveWordsFromAside(t *testing.T) {
	t.Parallel()
	address := serve(t)
	red, blue := newPerson(t, address), newPerson(t, address)
	var game object
	red.json(&game, "create toy ridge --take red --dice manual --rolled 1")
	name := game["name"].(string)
	blue.do("join " + name + " blue")
	red.do("do . plan 0303")
	blue.do("do " + name + " plan 0503")
	red.do("legal .", `move r1`)
	blue.do("do " + name + " draw --yes")
	red.do("do . 1", "red +move r1")
	red.do("do . 1", "red +move r") // a number of the list that the command before has shown
	red.do("legal .")
	red.do("do . end")
	red.fails(exitConflict, "do . 2", "list again|moved on")
}

// TestNumbersGoByWhatWasShown: another server may sort the list of one version differently, or this one after an
// update. A number does what its line showed, and nothing if that can't be done any more.
func TestNumbersGoByWhatWasShown(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	_, listed, _ := p.run("legal", ".", "--as", "red")
	second := strings.Fields(strings.Split(strings.TrimSpace(listed), "\n")[1])
	file, marks := filepath.Join(p.dir, "credentials.json"), regexp.MustCompile(`("marks": *)"([^"]+)"`)
	change := func(to func([]byte)) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := base64.StdEncoding.DecodeString(string(marks.FindSubmatch(data)[2]))
		if err != nil {
			t.Fatal(err)
		}
		to(kept)
		data = marks.ReplaceAll(data, []byte(`${1}"`+base64.StdEncoding.EncodeToString(kept)+`"`))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change(func(kept []byte) { copy(kept, slices.Concat(kept[4:8], kept[:4])) }) // as if the second had been first
	var answer struct{ Action struct{ Command string } }
	p.json(&answer, "do . 1 --as red --check")
	if want := strings.Join(second[1:], " "); !strings.HasPrefix(want, answer.Action.Command) || second[0] != "2" {
		t.Errorf("1 does %q, the line said %q", answer.Action.Command, want)
	}
	change(func(kept []byte) { clear(kept[:4]) }) // what was shown first is listed no more
	p.fails(exitUsage, "do . 1 --as red", "may not be done any more")
}

// TestNumbersMeanLinesThatWereShown: a number does nothing unless the list shown last to this person had a line of it.
func TestNumbersMeanLinesThatWereShown(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue")
	p.fails(exitUsage, "do . 1 --as red", "no list of red was shown last")
	p.do("legal . --as red --limit 2", "   2  plan", "and 2 more")
	p.fails(exitUsage, "do . 3 --as red", "no action 3, the list that was shown has 2")
	p.fails(exitUsage, "do . 0 --as red", "no action 0")
	p.fails(exitUsage, "do . 2 --as blue", "no list of blue was shown last")
	p.fails(exitUsage, "preview . 3 --as red", "no action 3")
	p.do("do . 2 --as red --check", "may be done")
	p.do("legal . --as red --kind move", "Nothing of that kind")
	p.fails(exitUsage, "do . 2 --as red", "the list shown last was empty")
	p.json(new(object), "legal . --as red --limit 1")
	p.fails(exitUsage, "do . 1 --as red", "the list shown last was empty") // a list in JSON is shown to nobody
	p.do("legal . --as red --limit 1", "   1  plan")
	p.fails(exitUsage, "do . 2 --as red", "the list that was shown has 1")
	p.do("do . 1 --as red", "red +plan 0103")
}

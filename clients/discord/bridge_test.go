package discord

import (
	"bytes"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// turnOf is whichever of some players the game waits for, red first, with the seat; nobody once it is over.
func turnOf(g *v1.Game, red, blue user) (user, string) {
	switch {
	case len(g.GetWaitingFor()) == 0:
		return user{}, ""
	case slices.Contains(g.GetWaitingFor(), "red"):
		return red, "red"
	}
	return blue, "blue"
}

// act goes through the menus to an action, by pick, and gives what the player is shown then.
func (u user) act(on *message, pick func(n int) int) *message {
	u.t.Helper()
	for range 5 {
		menu := menuOf(on)
		if menu == nil {
			u.t.Fatalf("%s has no menu under %q", u.name, on.Content)
		}
		last := strings.HasPrefix(menu.ID, "act|")
		on = u.choose(on, menu.Options[pick(len(menu.Options))].Value).message
		if last {
			return on
		}
	}
	u.t.Fatalf("menus without end under %q", on.Content)
	return nil
}

// TestWholeGame has two players play Outpost to its end by commands, completions, menus and buttons, with the bridge
// stopped and started in the middle.
func TestWholeGame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, blue := s.players()
	seed := uint32(7)
	pick := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	steps := 0
	for ; steps < 400; steps++ {
		g := s.game()
		u, seat := turnOf(g, red, blue)
		if seat == "" {
			break
		}
		s.told(g.GetVersion())
		switch steps % 3 {
		case 0: // by a menu
			menu := u.says("**"+seat+"**", "move").message()
			u.act(menu, pick)
		case 1: // by what was proposed while typing
			found := u.completes("move", "command=")
			u.slash("move", "command="+found[pick(len(found))].Value)
		default: // by the button under the last call, which everybody sees but each player for themselves
			all := calls(s.in(channel))
			u.act(u.press(all[len(all)-1], "menu|").message, pick)
		}
		if after := s.game(); after.GetVersion() <= g.GetVersion() {
			t.Fatalf("step %d of %s did nothing", steps, u.name)
		}
		if steps == 9 || steps == 20 {
			s.again()
		}
	}
	end := s.game()
	if !end.GetOver() {
		t.Fatalf("after %d steps the game goes on", steps)
	}
	s.told(end.GetVersion())
	s.once(end.GetVersion())
	s.narrated()
	if got := red.slash("status").message.Content; !strings.Contains(got, "over") || !strings.Contains(got, "<@602>") {
		t.Errorf("status: %q", got)
	}
	t.Logf("%d steps, %d records, %d messages", steps, end.GetVersion(), len(s.in(channel)))
	for !strings.Contains(s.log.String(), "the game is told no longer") {
		red.slash("status")
	}
	s.stopBridge()
	if at := s.table(); !at.Ended || at.Told != end.GetVersion() {
		t.Errorf("ended %v, told %d of %d", at.Ended, at.Told, end.GetVersion())
	}
	s.quietLog()
}

func (m *message) message() *message { return m }

// narrated checks that everything that a spectator was told stands in the channel, and in its place.
func (s *stage) narrated() {
	s.t.Helper()
	public := s.asked().Game(s.game().GetName(), "")
	byVersion := make(map[uint64]string)
	for _, m := range s.in(channel) {
		if first, last, ok := tells(m); ok {
			for v := first; v <= last; v++ {
				byVersion[v] = m.words()
			}
		}
	}
	for r, err := range public.Records(s.t.Context(), warledger.LogQuery{WholeTree: true}) {
		if err != nil {
			s.t.Fatal(err)
		}
		for _, e := range r.GetEvents() {
			if len(e.GetAudience()) == 0 && !strings.Contains(byVersion[r.GetVersion()], escape(e.GetNarration())) {
				s.t.Errorf("record %d: %q is not told in %q",
					r.GetVersion(), e.GetNarration(), byVersion[r.GetVersion()])
			}
		}
	}
}

// quietLog checks that no token of anybody stands in the bridge's log, and that there is a log.
func (s *stage) quietLog() {
	s.t.Helper()
	text := s.log.String()
	if !strings.Contains(text, "the bridge is up") {
		s.t.Error("the log has nothing")
	}
	secrets := append(slices.Clone(s.secrets), token, "bot-secret")
	at := s.table()
	for _, held := range []map[string]hold{at.Seats, at.Former} {
		for _, h := range held {
			secrets = append(secrets, h.Token)
		}
	}
	for _, secret := range append(secrets, at.Owner) {
		if secret == "" || strings.Contains(text, secret) {
			s.t.Errorf("secret %q is in the log or empty", secret)
			for line := range strings.Lines(text) {
				if strings.Contains(line, secret) {
					s.t.Log(line)
				}
			}
		}
	}
}

// TestSecretsStayWithTheirOwner looks for what each seat alone is told in everything that the channel and the
// other player are shown.
func TestSecretsStayWithTheirOwner(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, blue := s.players()
	s.again() // a bridge that knows the players' tokens from the start
	plan := red.completes("move", "command=plan")
	if len(plan) < 2 {
		t.Fatalf("plans: %v", plan)
	}
	seen := red.slash("move", "command="+plan[0].Value)
	if !seen.alone || !strings.Contains(seen.message.Content, plan[0].Value) {
		t.Errorf("red is shown %q", seen.message.Content)
	}
	s.told(s.game().GetVersion())
	blueSees := []*message{blue.slash("move").message, blue.slash("status").message,
		blue.slash("replay", "version=99").message, blue.slash("show", "mine=true").message}
	blue.slash("move", "command="+blue.completes("move", "command=plan")[1].Value)
	// Now the rest of a turn, scouting in secret among it.
	for range 6 {
		g := s.game()
		u, _ := turnOf(g, red, blue)
		command := "end"
		if found := u.completes("move", "command=scout"); len(found) > 0 {
			command = found[0].Value
		}
		u.slash("move", "command="+command)
	}
	g := s.game()
	if g.GetOver() {
		t.Fatal("the game is over, so nothing is secret")
	}
	s.told(g.GetVersion())
	everywhere := s.in(channel)
	s.stopBridge()
	at := s.table()
	found := 0
	for _, seat := range []string{"red", "blue"} {
		mine := s.asked(at.Seats[seat].Token).Game(g.GetName(), seat)
		for r, err := range mine.Records(t.Context(), warledger.LogQuery{WholeTree: true, Viewer: seat}) {
			if err != nil {
				t.Fatal(err)
			}
			secrets := []string{}
			for _, e := range r.GetEvents() {
				if len(e.GetAudience()) > 0 {
					secrets = append(secrets, e.GetNarration())
				}
			}
			if len(secrets) > 0 && r.GetSeat() == seat && strings.HasPrefix(r.GetNotation(), "plan") {
				secrets = append(secrets, r.GetNotation())
			}
			for _, secret := range secrets {
				if secret == "" {
					continue
				}
				found++
				for _, m := range everywhere {
					if strings.Contains(m.words(), secret) || strings.Contains(m.words(), escape(secret)) {
						t.Errorf("%q of %s stands in the channel: %s", secret, seat, m)
					}
				}
				for _, m := range blueSees {
					if seat == "red" && strings.Contains(m.words(), escape(secret)) {
						t.Errorf("%q of red is shown to blue: %s", secret, m)
					}
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("%d secrets were looked for, so this proves little", found)
	}
	s.quietLog()
}

// TestUndoWithConsent takes back what dice were thrown for, so that the other player must agree.
func TestUndoWithConsent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, blue := s.players()
	for _, u := range []user{red, blue} {
		u.slash("move", "command="+u.completes("move", "command=plan")[0].Value)
	}
	before := s.game()
	first, _ := turnOf(before, red, blue)
	second := red
	if first == red {
		second = blue
	}
	first.slash("move", "command="+first.completes("move", "command=scout")[0].Value) // dice fall
	first.says("The others are asked", "undo")
	ask := func(yes string) {
		t.Helper()
		g := s.game()
		if g.GetPendingUndo() == nil {
			t.Fatal("no undo waits")
		}
		s.told(g.GetVersion())
		all := s.in(channel)
		on := all[len(all)-1]
		for i := len(all) - 1; find(on, "undo|") == nil; i-- {
			on = all[i]
		}
		asked, askedBy := blue, red
		if g.GetPendingUndo().GetMissing()[0] == "red" {
			asked, askedBy = red, blue
		}
		if !slices.Equal(on.Mentions.Users, []string{asked.id}) || !strings.Contains(on.Content, "<@"+asked.id+">") {
			t.Errorf("consent is asked of %v by %q", on.Mentions.Users, on.Content)
		}
		button := find(on, "undo|"+itoa(g.GetPendingUndo().GetAsked())+"|"+yes)
		if got := askedBy.press(on, button.ID).message.Content; !strings.Contains(got,
			"Nobody waits for your consent") {
			t.Errorf("who asked may answer: %q", got)
		}
		stranger := s.user("carol", "603")
		if got := stranger.press(on, button.ID).message.Content; !strings.Contains(got,
			"Nobody waits for your consent") {
			t.Errorf("a stranger may answer: %q", got)
		}
		if g := s.game(); g.GetPendingUndo() == nil {
			t.Fatal("somebody else's button answered")
		}
		if got := asked.press(on, button.ID).message.Content; yes == "yes" && !strings.Contains(got, "You agreed") ||
			yes == "no" && !strings.Contains(got, "You refused") {
			t.Errorf("answered: %q", got)
		}
	}
	if s.game().GetPendingUndo() == nil {
		t.Fatal("an undo of what the other seat has answered needs no consent")
	}
	// A button of a question that another took the place of answers nothing.
	old := s.game().GetPendingUndo()
	ask("no")
	if g := s.game(); g.GetPendingUndo() != nil || g.GetHead() == 0 {
		t.Errorf("after a refusal: %v", g.GetPendingUndo())
	}
	first.says("The others are asked", "undo")
	answering := blue
	if old.GetMissing()[0] == "red" {
		answering = red
	}
	for i := range s.in(channel) {
		on := s.in(channel)[i]
		if button := find(on, "undo|"+itoa(old.GetAsked())+"|yes"); button != nil {
			if got := answering.press(on, button.ID).message.Content; !strings.Contains(got,
				"Nobody waits for your consent") {
				t.Errorf("the old button answers the new question: %q", got)
			}
			old.Asked = 0
		}
	}
	if old.Asked != 0 || s.game().GetPendingUndo() == nil {
		t.Errorf("the old button was not there, or answered: %v", s.game().GetPendingUndo())
	}
	s.again() // the question stands in the channel, whoever runs the bridge
	head := s.game().GetHead()
	ask("yes")
	g := s.game()
	if g.GetHead() >= head {
		t.Errorf("the head is still %d", g.GetHead())
	}
	s.told(g.GetVersion())
	s.once(g.GetVersion())
	second.slash("redo")
	if after := s.game(); after.GetVersion() == g.GetVersion() {
		first.says("Done again", "redo")
	}
	if after := s.game(); after.GetHead() != head {
		t.Errorf("after redo the head is %d, want %d", after.GetHead(), head)
	}
}

// TestNothingIsToldTwice loses the answers to posts: with the channel's history first, then with nonces alone.
func TestNothingIsToldTwice(t *testing.T) {
	t.Parallel()
	for name, blind := range map[string]bool{"by history": false, "by nonces": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.mu.Lock()
			s.blind, s.forgetful, s.losePosts, s.loseCalls, s.limitPosts = blind, !blind, 3, 1, 2
			s.mu.Unlock()
			red, blue := s.players()
			for i := range 12 {
				u, seat := turnOf(s.game(), red, blue)
				if seat == "" {
					break
				}
				u.slash("move", "command="+u.completes("move", "command=")[0].Value)
				if i%4 == 1 {
					s.mu.Lock()
					s.losePosts = 1
					s.mu.Unlock()
				}
				if i == 6 {
					s.again()
				}
			}
			g := s.game()
			s.told(g.GetVersion())
			s.once(g.GetVersion())
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.losePosts > 0 || s.loseCalls > 0 || s.limitPosts > 0 {
				t.Errorf("%d posts were to be lost yet, %d to be limited", s.losePosts, s.limitPosts)
			}
		})
	}
}

// TestCallsAreOnePerTurn follows who is called: both at first, then whoever the turn comes to, nobody
// again after a restart.
func TestCallsAreOnePerTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, blue := s.players()
	called := func(n int, users ...string) {
		t.Helper()
		s.until("call "+itoa(n), func() bool { return len(calls(s.messages[channel])) >= n })
		all := calls(s.in(channel))
		if len(all) != n {
			t.Fatalf("%d calls, want %d: %v", len(all), n, all)
		}
		m := all[n-1]
		slices.Sort(m.Mentions.Users)
		if !slices.Equal(m.Mentions.Users, users) || len(m.Mentions.Parse) > 0 {
			t.Errorf("call %d is for %v, want %v", n, m.Mentions.Users, users)
		}
		if _, err := png.Decode(bytes.NewReader(m.Files[pictureName])); err != nil {
			t.Errorf("call %d has no picture: %v", n, err)
		}
	}
	n := len(calls(s.in(channel)))
	red.slash("move", "command="+red.completes("move", "command=plan")[0].Value)
	s.again()
	blue.slash("move", "command="+blue.completes("move", "command=plan")[0].Value)
	first, _ := turnOf(s.game(), red, blue)
	second := red
	if first == red { // who planned first has to be told that it goes on; blue knows
		n++
		called(n, red.id)
		second = blue
	}
	for range 2 { // several commands of one turn call nobody
		found := first.completes("move", "command=move")
		first.slash("move", "command="+found[0].Value)
		s.told(s.game().GetVersion())
	}
	s.again()
	first.slash("move", "command=end")
	n++
	called(n, second.id)
	s.again()
	second.slash("move", "command=end")
	n++
	called(n, first.id)
}

// TestTablesInJapanese plays in a channel whose language is Japanese.
func TestTablesInJapanese(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red := s.user("花子", "601")
	red.locale = "ja"
	red.says("ゲームを始めます", "create", "ruleset=toy", "scenario=ridge", "language=ja")
	red.says("席に着きました", "join", "seat=red")
	s.until("a call in Japanese", func() bool {
		for _, m := range calls(s.messages[channel]) {
			if strings.Contains(m.Content, "の番です") {
				return true
			}
		}
		return false
	})
	red.says("作戦立案", "show")
	english := s.user("alice", "602")
	english.says("You sit at", "join", "seat=blue")
}

// TestLookingAround goes through pictures and replay.
func TestLookingAround(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, blue := s.players()
	red.slash("move", "command="+red.completes("move", "command=plan")[0].Value)
	picture := func(m *message) (width int) {
		t.Helper()
		img, err := png.Decode(bytes.NewReader(m.Files[pictureName]))
		if err != nil {
			t.Fatalf("no picture with %q: %v", m.Content, err)
		}
		return img.Bounds().Dx()
	}
	open := blue.slash("show")
	if open.alone {
		t.Error("show is for everybody")
	}
	whole := picture(open.message)
	if part := picture(blue.slash("show", "space=0202", "radius=1").message); part == whole {
		t.Error("a part is as large as the whole")
	}
	if !blue.slash("show", "mine=true").alone {
		t.Error("one's own board is for oneself")
	}
	blue.says("no space", "show", "space=nowhere")
	last := int(s.game().GetVersion())
	at := red.slash("replay").message
	if !strings.Contains(at.Content, "Record 1 of "+itoa(last)) {
		t.Errorf("replay begins with %q", at.Content)
	}
	picture(at)
	next := red.press(at, find(at, "past|2|").ID)
	if !strings.Contains(next.message.Content, "Record 2 of") || next.acknowledged != 6 {
		t.Errorf("a step further: %q, by %d", next.message.Content, next.acknowledged)
	}
	if c := find(at, "past|1|prev"); c == nil || !c.Disabled {
		t.Error("there is a step before the first")
	}
	mine := red.press(calls(s.waitCalls(1))[0], "look|")
	if !mine.alone {
		t.Error("my board is shown to everybody")
	}
	picture(mine.message)
}

func (s *stage) waitCalls(n int) []*message {
	s.t.Helper()
	s.until("calls", func() bool { return len(calls(s.messages[channel])) >= n })
	return s.in(channel)
}

// TestCompletions asks for what may be typed.
func TestCompletions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	u := s.user("alice", "601")
	for _, c := range []struct {
		sub     string
		options []string
		want    string
	}{
		{"create", []string{"ruleset="}, "toy"}, {"create", []string{"ruleset=toy", "scenario=ri"}, "ridge"},
		{"create", []string{"ruleset=toy", "options=length"}, "length=short"},
		{"create", []string{"ruleset=toy", "options=length=short "}, "length=short pursuit=true"},
	} {
		if found := u.completes(c.sub, c.options...); !slices.ContainsFunc(found,
			func(p struct{ Name, Value string }) bool { return p.Value == c.want }) {
			t.Errorf("%v: %v, want %s", c.options, found, c.want)
		}
	}
	if found := u.completes("join", "seat="); len(found) != 0 {
		t.Errorf("seats of no game: %v", found)
	}
	red, blue := s.players()
	if found := blue.completes("join", "seat="); len(found) != 0 {
		t.Errorf("all seats are taken, but %v", found)
	}
	if found := red.completes("leave", "seat="); len(found) != 1 || found[0].Value != "red" {
		t.Errorf("red's seats: %v", found)
	}
	if found := s.user("carol", "603").completes("move", "command="); len(found) != 0 {
		t.Errorf("a stranger may %v", found)
	}
}

// TestWhatIsRefused goes through mistakes.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	u := s.user("alice", "601")
	u.says("There is no game", "move")
	u.says("is no option", "create", "ruleset=toy", "scenario=ridge", "options=length")
	u.says("scenario", "create", "ruleset=toy", "scenario=nowhere")
	red, blue := s.players()
	blue.says("has a game that goes on", "create", "ruleset=toy", "scenario=ridge")
	blue.says("is held", "join", "seat=red")
	blue.says("no seat", "join", "seat=green")
	s.user("carol", "603").says("You hold no seat", "move")
	blue.says("do not hold that seat", "move", "command=end", "seat=red")
	blue.says("do not hold that seat", "leave", "seat=red")
	red.says("TY 2.2", "move", "command=plan 0202")
	blue.says("Only the player who began", "close")
	// A button of somebody else's menu does nothing for others.
	menu := red.slash("move").message
	shown := menuOf(menu).Options[0].Value
	if got := blue.choose(menu, shown).message.Content; !strings.Contains(got, "do not hold that seat") {
		t.Errorf("red's menu answers blue: %q", got)
	}
	for _, id := range []string{"top|red|0|0|0|0", "kind|red|0|0|0|0", "back|red", "seat|"} {
		token := blue.dispatch(3, blue,
			map[string]any{"custom_id": id, "component_type": 3, "values": []string{"red"}}, menu)
		if got := blue.wait(token, id).message.Content; !strings.Contains(got, "do not hold that seat") {
			t.Errorf("%s answers blue: %q", id, got)
		}
	}
	// A menu of a position that is gone is shown anew.
	first := red.act(menu, func(int) int { return 0 })
	if got := red.choose(menu, menuOf(menu).Options[0].Value).message.Content; strings.Contains(got, "Done") {
		t.Errorf("an old menu still does something: %q after %q", got, first.Content)
	}
	blue.says("You have left", "leave", "seat=blue")
	blue.says("You sit at", "join", "seat=blue")
	red.says("The game is closed", "close")
	s.told(s.game().GetVersion())
	for got := ""; !strings.Contains(got, "The game begins"); { // as soon as the bridge has heard of the end
		if got = blue.slash("create", "ruleset=toy",
			"scenario=ridge").message.Content; !strings.Contains(got, "begins") && !strings.Contains(got, "goes on") {
			t.Fatalf("a game after a closed one: %q", got)
		}
	}
	info, err := os.Stat(s.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file with tokens has mode %v, %v", info.Mode(), err)
	}
}

// TestServerAway begins a game while the server is away, stops the bridge before it is back, and
// loses the gateway once.
func TestServerAway(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red := s.user("alice", "601")
	s.stopServer()
	red.says("as soon as it is back", "create", "ruleset=toy", "scenario=ridge")
	red.says("has a game", "create", "ruleset=toy", "scenario=ridge")
	s.again()
	s.serveAgain()
	s.told(1)
	red.says("You sit at", "join", "seat=red")
	s.stopServer()
	red.says("cannot be reached", "move")
	s.serveAgain()
	if !raced {
		s.cut()
		s.until("a resumed gateway", func() bool { return s.resumed > 0 })
	}
	red.says("**red**", "move")
	s.told(s.game().GetVersion())
	s.once(s.game().GetVersion())
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// terminal is a person at a pseudo-terminal: what the program draws is read as a terminal would, and keys are typed.
type terminal struct {
	t      *testing.T
	master *os.File
	screen vt10x.Terminal
	exited chan int
}

// playing starts a command line of a person on a terminal of its own.
func (p *person) playing(columns, rows int, line string) *terminal {
	p.t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}); err != nil {
		p.t.Fatal(err)
	}
	v := &terminal{t: p.t, master: master, screen: vt10x.New(vt10x.WithSize(columns, rows)), exited: make(chan int, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	w := world{in: tty, out: tty, err: tty, tty: true, inTTY: true, width: columns,
		env: func(string) string { return "" }}
	args := append([]string{"--server", p.server, "--config-dir", p.dir}, strings.Fields(line)...)
	go func() {
		v.exited <- run(ctx, args, w)
		close(v.exited)
		tty.Close()
	}()
	p.t.Cleanup(func() {
		cancel()
		v.drain()
		<-v.exited
		master.Close()
	})
	return v
}

// drawn is how long a test waits for what must be drawn, on the slowest machine.
const drawn = 5 * time.Minute

// until reads what is drawn until the screen has a match of the pattern, and gives the match.
func (v *terminal) until(pattern string) []string {
	v.t.Helper()
	want := regexp.MustCompile("(?s)" + pattern)
	if err := v.master.SetReadDeadline(time.Now().Add(drawn)); err != nil {
		v.t.Fatal(err)
	}
	buf, seen := make([]byte, 1<<16), ""
	for {
		if text := strings.TrimSpace(v.screen.String()); text != "" {
			seen = text // a program that ended has cleared the screen
		}
		if m := want.FindStringSubmatch(v.screen.String()); m != nil {
			return m
		}
		n, err := v.master.Read(buf)
		if err != nil {
			v.t.Fatalf("no %q on the screen (%v):\n%s", pattern, err, seen)
		}
		if _, err := v.screen.Write(buf[:n]); err != nil {
			v.t.Fatal(err)
		}
	}
}

// press types keys: text as it is, and the named ones.
func (v *terminal) press(keys ...string) {
	v.t.Helper()
	named := map[string]string{"enter": "\r", "esc": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C",
		"left": "\x1b[D", "ctrl+c": "\x03", "del": "\x7f"}
	for _, k := range keys {
		if code, ok := named[k]; ok {
			k = code
		}
		if _, err := v.master.WriteString(k); err != nil {
			v.t.Fatal(err)
		}
	}
}

// ends waits for the program's exit code.
func (v *terminal) ends(code int) {
	v.t.Helper()
	v.drain()
	if got := <-v.exited; got != code {
		v.t.Errorf("exit code %d, want %d", got, code)
	}
}

// drain reads on what is drawn, which would block the program otherwise, until the program is gone.
func (v *terminal) drain() {
	_ = v.master.SetReadDeadline(time.Time{})
	go func() { _, _ = io.Copy(io.Discard, v.master) }()
}

func TestPlayOnTheScreen(t *testing.T) {
	t.Parallel()
	server := serve(t)
	red, blue := newPerson(t, server), newPerson(t, server)
	red.do("create toy ridge --take red --dice manual --rolled 1 --name me", "Created")
	game := regexp.MustCompile(`games/\w+`).FindString(red.do("show ."))
	blue.do("join " + game + " blue --name you")

	v := red.playing(100, 30, "play .")
	v.until(`YOUR DECISION.*\? YOU: .*0103`)
	v.press("?")
	v.until("The keys.*PAST.*up, down scroll")
	v.press("x")
	v.until(`arrows move|\? for`)

	// A plan from the list of all, found by its words.
	v.press("/", "0503", "enter")
	v.until(`All that may be done: 1 with 0503.*> Plan.*plan 0503`)
	v.press("enter")
	v.until(`waits for blue.*version 4`)
	blue.do("do . plan 0103") // the screen follows what the others do
	v.until(`YOUR DECISION.*version 5`)

	// A piece by cursor and destination.
	v.press("n")
	v.until(`── log`)
	v.press(":", "move r1 0503", "enter") // four hexes away
	v.until(`refused: .*\(TY 4.1\)`)
	v.press(":", "move r2 9", "del", "0203", "enter")
	v.until(`version 6.*r2`)
	v.press("u")
	v.until(`version 7`)
	v.press("r")
	v.until(`version 8`)
	v.press("[")
	v.until(`VERSION 7 OF 8`)
	v.press("a")
	v.until(`This is the past`)
	v.press("{")
	v.until(`VERSION 1 OF 8`)
	v.press("g")
	v.until(`\(version 8\)`)
	v.press("a")
	v.until(`All that may be done: \d+`)
	v.press("p")
	v.until(`What would come of it.*up, down scroll`)
	v.press("esc")
	v.until(`enter does it`)
	v.press("esc")
	v.until(`arrows move`)
	v.press("i")
	v.until(`The log.*plan 0503.*up, down scroll`)
	v.press("q")
	v.until(`arrows move`)
	v.press("q")
	v.ends(exitDone)
}

// TestOffersOnTheScreenAskAgain: they are on a page of their own, and one that was chosen or typed is
// sent after a y alone.
func TestOffersOnTheScreenAskAgain(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red", "Created")
	v := p.playing(100, 30, "play .")
	v.until(`YOUR DECISION`)
	v.press("a")
	v.until(`All that may be done: 4 `)
	v.press("esc")
	v.until(`arrows move`)
	v.press("o")
	v.until(`Offers: 2.*> Offer a draw`)
	v.press("down", "enter")
	v.until(`Concede: this may end the game`)
	v.press("n")
	v.until(`Nothing was sent`)
	v.press(":", "concede", "enter")
	v.until(`Concede: this may end the game`)
	v.press("y")
	v.until(`THE GAME IS OVER`)
	v.press("q")
	v.ends(exitDone)
}

func TestAPieceIsMovedByCursorAndKeys(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	p.do("do . plan 0103 --as red")
	p.do("do . plan 0503 --as blue")
	v := p.playing(110, 34, "play . --as red")
	v.until(`YOUR DECISION`)
	// From wherever the cursor is to red's second unit: the left edge, then right and down.
	v.press("left", "left", "left", "left", "left", "up", "up", "up", "up", "up")
	v.until(`0101[^\n]*: Clear`)
	v.press("right", "down", "down", "down")
	v.until(`Red 2`)
	v.press(" ")
	v.until(`chosen: r2.*enter on a lit place`)
	v.press("up", "enter")
	v.until(`version 6`)
	if log := p.do("log . --after 5"); !strings.Contains(log, "move r2 0203") {
		t.Errorf("the log has\n%s", log)
	}
	v.press("ctrl+c")
	v.ends(exitDone)
}

func TestAWholeGameIsPlayedOnTheScreen(t *testing.T) {
	t.Parallel()
	server := serve(t)
	red, bot := newPerson(t, server), newPerson(t, server)
	red.do("create toy ford --take red --option length=short --name me")
	game := regexp.MustCompile(`games/\w+`).FindString(red.do("show ."))
	finished := make(chan int, 1)
	go func() {
		code, _, _ := bot.run("play-bot", game, "blue", "--seed", "3", "--agree")
		finished <- code
	}()
	v := red.playing(100, 30, "play .")
	for at := "0"; ; {
		m := v.until(fmt.Sprintf(
			`(THE GAME IS OVER)|(Somebody was quicker)|YOUR DECISION  \(version (%s)\) +\n.*── log`, above(at),
		))
		if m[1] != "" {
			break
		}
		if m[2] != "" { // the bot planned at the same time
			v.press("esc")
			v.until(`── log`)
		} else {
			at = m[3]
		}
		v.press("a")
		v.until(`All that may be done: \d+`)
		v.press("enter")
	}
	v.press("q")
	v.ends(exitDone)
	if code := <-finished; code != exitDone {
		t.Errorf("the bot ended with %d", code)
	}
	red.do("show .", "over")
}

// above matches versions that are not the one given.
func above(version string) string {
	var others []string
	for i := range version {
		others = append(others, fmt.Sprintf(`%s[^%c\D]\d*`, version[:i], version[i]))
	}
	return strings.Join(append(others, version+`\d+`), "|")
}

func TestOnlookersOnlyLookOn(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p, stranger := newPerson(t, server), newPerson(t, server)
	p.do("create toy ridge --take red,blue --dice manual --rolled 1")
	game := regexp.MustCompile(`games/\w+`).FindString(p.do("show ."))
	v := stranger.playing(60, 16, "play "+game)
	v.until(`waits for`)
	v.press("a")
	v.until(`You only look on`)
	v.press("q")
	v.ends(exitDone)

	small := stranger.playing(30, 8, "play "+game)
	small.until(`too small`)
	small.press("ctrl+c")
	small.ends(exitDone)
	stranger.fails(exitUsage, "play "+game, "needs a terminal")
}

func TestTheAreasOfAMapAreAList(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create anniversary 1941 --take germany,japan,italy,soviet-union,united-kingdom,united-states")
	v := p.playing(120, 34, "play . --as germany")
	v.until(`YOUR DECISION`)
	first := v.until(`# ([A-Z][\w ]+)`)[1]
	v.press("down", "down", "down")
	if v.until(`\* |# `); strings.Contains(v.screen.String(), "# "+first) {
		v.until(`# [^` + first[:1] + `]`)
	}
	v.press("t")
	v.until(`How things stand.*: \d+.*up, down scroll`)
	v.press("esc")
	v.until(`arrows move`)
	v.press("c")
	v.until(`next to.*up, down scroll`)
	v.press("esc")
	v.until(`arrows move`)
	v.press("q")
	v.ends(exitDone)
}

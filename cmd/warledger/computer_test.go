package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestComputersByCommand: one person offers a bot, another gives it a seat, plays against it to the end, and takes a
// seat of another game back.
func TestComputersByCommand(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	ann, bob := newPerson(t, addr), newPerson(t, addr)
	ann.do("computer list", "No computer player is on offer")
	account := filepath.Join(t.TempDir(), "account")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs sheet
	ended := make(chan int, 1)
	go func() {
		line := "--server " + addr + " --config-dir " + bob.dir + " computer offer Deep-Hex --account " + account +
			" --bot random --seats 3"
		ended <- run(ctx, strings.Fields(line), world{in: strings.NewReader(""), out: &out, err: &errs,
			env: func(string) string { return "" }})
	}()
	for !strings.Contains(out.String(), "is on offer as") {
		select {
		case code := <-ended:
			t.Fatalf("it ended with %d: %s%s", code, out.String(), errs.String())
		default:
		}
	}
	list := ann.do("computer list", "COMPUTER +NAME", "Deep-Hex +others +0 of 3 +.*toy.*chance")
	_, rest, _ := strings.Cut(list, "\n")
	computer := strings.Fields(rest)[0]
	var game, other struct{ Name string }
	ann.json(&game, "create toy ridge --take red")
	ann.fails(exitNotFound, "computer seat . blue", "no computer")
	ann.do("computer seat . blue "+computer, "plays blue in "+game.Name, `blue=Deep-Hex \(computer\)`)
	ann.do("computer list .", "1 of 3")
	ann.do("play-bot . red -q", "The game is over")
	ann.json(&other, "create toy ridge --take red")
	ann.do("computer seat . blue " + computer)
	ann.do("computer unseat . blue", "blue of "+other.Name+" is free")
	ann.fails(exitRefused, "computer unseat . blue", "no computer holds the seat")
	cancel()
	if code := <-ended; code != exitDone && code != exitInterrupted {
		t.Errorf("it ended with %d: %s", code, errs.String())
	}
	if info, err := os.Stat(account); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the account: %v, %v", info, err)
	}
	ann.fails(exitUsage, "computer offer x --account "+account+" --threads 0")
}

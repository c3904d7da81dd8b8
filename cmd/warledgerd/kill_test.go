package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

// killsSetting is the environment variable that says how often TestKilledUnderLoad kills the server.
const killsSetting = "WARLEDGER_TEST_KILLS"

const usualKills = 6

func killsWanted(t *testing.T) int {
	text, set := os.LookupEnv(killsSetting)
	if !set {
		return usualKills
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, expected a number from 1", killsSetting, text)
	}
	return n
}

// TestKilledUnderLoad kills the serving program with SIGKILL at random moments while players play and watch, and starts
// it again on the same file. After each start every player finds what was acknowledged, unchanged and once, and beyond
// it at most the request that it had under way, whole; every request that is sent again gets its first answer; and the
// watchers, who resume where they were cut off, have seen the log.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "games.db")
	killedUnderLoad(t, killsWanted(t), []string{"--db", db}, func() (eventstore.Store, error) {
		return boltstore.Open(db, boltstore.Options{})
	})
}

// killedUnderLoad kills the program on a store that some arguments name, and that open opens afterwards.
func killedUnderLoad(t *testing.T, kills int, store []string, open func() (eventstore.Store, error)) {
	t.Helper()
	args := append([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--with-toy",
		"--log-level", "error"}, store...)
	players := make([]*player, 6)
	for i := range players {
		players[i] = &player{t: t, rnd: rand.New(rand.NewPCG(7, uint64(i)))}
	}
	moment := rand.New(rand.NewPCG(11, uint64(time.Now().UnixNano())))
	for kill := range kills {
		cmd, p := spawn(t, "", args...)
		games, conn := dial(t, p.grpcAddress())
		var wg sync.WaitGroup
		var found atomic.Int32 // players who have found what they had been promised
		for _, p := range players {
			wg.Go(func() { p.live(games, &found) })
		}
		// Also while they look and send again, but not always, so that every life has load.
		for kill%4 != 0 && int(found.Load()) < len(players) && !t.Failed() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(moment.IntN(150_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		wg.Wait()
		_ = conn.Close()
		if t.Failed() {
			t.Fatalf("after kill %d", kill+1)
		}
	}
	last := launch(t, args...)
	games, conn := dial(t, last.grpcAddress())
	answers, records, retried := 0, 0, 0
	for _, p := range players {
		// What the last kill left without an answer may be stored all the same, a game that nobody knows the name of
		// among it: sent again, it says so.
		err := p.find(context.Background(), games)
		if err == nil {
			err = p.sendAgain(context.Background(), games)
		}
		if err == nil {
			err = p.findAll(context.Background(), games)
		}
		if err != nil {
			t.Error(err)
		}
		answers, retried = answers+p.answers, retried+p.retried
		for _, g := range p.games {
			records += len(g.stored)
		}
	}
	_ = conn.Close()
	last.interrupt()
	wantSound(t, open, records)
	t.Logf("%d kills, %d requests acknowledged, %d sent again after a kill, %d records",
		kills, answers, retried, records)
}

// wantSound checks the store itself: every index and every hash.
func wantSound(t *testing.T, open func() (eventstore.Store, error), records int) {
	t.Helper()
	store, err := open()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	report, err := store.Check(context.Background(), func(stream string, e eventstore.Entry) error {
		if len(stream) < 6 || stream[:6] != "games/" {
			return nil
		}
		found++
		r, err := ledger.Open(e.Data)
		if err == nil && r.Hash() != e.Hash {
			err = errors.New("the entry has another hash than its record")
		}
		return err
	}, func(f eventstore.Fault) { t.Error(f) })
	if err != nil || report.Faults > 0 || found != records {
		t.Errorf("%+v, %d records, the players know %d: %v", report, found, records, err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// live is a player's part of one life of the server: it looks at what is there, sends again what it may have lost, and
// plays until the server is gone.
func (p *player) live(games v1.GameServiceClient, found *atomic.Int32) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := p.find(ctx, games)
	if err == nil {
		err = p.sendAgain(ctx, games)
	}
	found.Add(1)
	var watching sync.WaitGroup
	defer watching.Wait()
	for n := 0; err == nil; n++ {
		if n == 0 || p.begun {
			if g := p.game(); g != nil {
				p.begun = false
				watching.Go(func() { g.watch(ctx, p.t, games) })
			}
		}
		err = p.step(ctx, games)
	}
	if !gone(err) {
		p.t.Errorf("%s: %v", p.where(), err)
	}
}

func (p *player) where() string {
	if g := p.game(); g != nil {
		return fmt.Sprintf("%s after %d answers", g.name, p.answers)
	}
	return "no game"
}

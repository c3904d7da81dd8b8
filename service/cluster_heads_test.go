package service_test

import (
	"sync"
	"testing"

	"google.golang.org/grpc/codes"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// TestCheckpointsOfTwoServers has two servers sign by turns: each checkpoint goes on from the last one, whoever signed
// it, and holds the heads of all games, whichever server they were played at.
func TestCheckpointsOfTwoServers(t *testing.T) {
	t.Parallel()
	sign := newSigning(t)
	hosts := cluster(t, 2, func(s *setting) { s.signing, s.network = sign, true })
	games := []*table{hosts[0].seated(), hosts[1].seated()}
	var last *warledger.Checkpoint
	for round := range 6 {
		games[round/2%2].play(2, uint64(round))
		c := hosts[round%2].sdk()
		next, err := c.Checkpoint(t.Context(), last)
		must(t, err)
		if last != nil && next.Size() != last.Size()+1 {
			t.Errorf("round %d: %d heads, %d before", round, next.Size(), last.Size())
		}
		for _, g := range games {
			now := g.game()
			version, hash, err := c.Game(g.name, "").Head(t.Context(), next)
			if err != nil || version != now.Version || hexOf(hash) != now.LastHash {
				t.Fatalf("version %d with hash %x, %v; the game is at %d", version, hash, err, now.Version)
			}
		}
		last = next
	}
}

// TestCheckpointsAtOnce has three servers sign at once while games go on: no call fails, and a fourth server can go on
// with their log.
func TestCheckpointsAtOnce(t *testing.T) {
	t.Parallel()
	sign := newSigning(t)
	hosts := cluster(t, 4, func(s *setting) { s.signing, s.network = sign, true })
	var wg sync.WaitGroup
	for _, h := range hosts[:3] {
		g, c := h.seated(), v1.NewCheckpointServiceClient(h.conn)
		wg.Go(func() {
			for size, round := uint64(0), 0; round < 12; round++ {
				g.play(1, uint64(round))
				next, err := c.GetCheckpoint(as(), new(v1.GetCheckpointRequest))
				if err != nil || next.TreeSize <= size {
					t.Errorf("got %v, %v after a tree of %d", next, err, size)
					return
				}
				size = next.TreeSize
			}
		})
	}
	wg.Wait()
	must(t, second(hosts[3].sdk().Checkpoint(t.Context(), nil)))
}

// TestServersSignWithOneKey: a server with another key than the others of its store does not start; one that found the
// store away when it started signs nothing.
func TestServersSignWithOneKey(t *testing.T) {
	t.Parallel()
	first := memory.New()
	l := newLink(first.Share())
	t.Cleanup(func() { must(t, first.Close()); must(t, l.Store.Close()) })
	open(t, func(s *setting) { s.store, s.signing = first, newSigning(t) })
	reg, err := rules.NewRegistry(toy.Ruleset())
	must(t, err)
	start := func() (*service.Service, error) {
		return service.New(service.Config{Registry: reg, Store: l, Signing: newSigning(t)})
	}
	if s, err := start(); err == nil {
		s.Close()
		t.Error("a server with another key starts")
	} else if fault.ReasonOf(err) != string(fault.CheckpointsOff) {
		t.Errorf("got %v", err)
	}
	l.away.Store(true)
	late := open(t, func(s *setting) { s.store, s.signing = l, newSigning(t) })
	l.away.Store(false)
	_, err = v1.NewCheckpointServiceClient(late.conn).GetCheckpoint(as(), &v1.GetCheckpointRequest{})
	wantError(t, err, codes.FailedPrecondition, fault.CheckpointsOff)
}

package service_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/grpc/codes"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

func newSigning(t testing.TB) *service.Signing {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "warledger")
	must(t, err)
	signer, err := note.NewSigner(secret)
	must(t, err)
	return &service.Signing{Signer: signer, VerifierKey: public}
}

func (h *host) sdk() *warledger.Client {
	h.t.Helper()
	c, err := warledger.Dial(h.address, warledger.WithPlaintext(), warledger.WithPatience(0))
	must(h.t, err)
	h.t.Cleanup(func() { must(h.t, c.Close()) })
	return c
}

func TestCheckpoints(t *testing.T) {
	t.Parallel()
	store, sign := memory.New(), newSigning(t)
	t.Cleanup(func() { must(t, store.Close()) })
	start := func() *host {
		return open(t, func(s *setting) { s.store, s.signing, s.network = store, sign, true })
	}
	h := start()
	empty, err := h.sdk().Checkpoint(t.Context(), nil)
	must(t, err)
	if empty.Size() != 0 {
		t.Errorf("%d heads without a game", empty.Size())
	}
	games := []*table{h.seated(), h.seated(), h.seated()}
	last := empty
	for round := range 6 {
		g := games[round%3]
		g.play(2, uint64(round))
		c := h.sdk()
		next, err := c.Checkpoint(t.Context(), last)
		must(t, err)
		if last != empty && next.Size() != last.Size()+1 {
			t.Errorf("%d heads, %d before", next.Size(), last.Size())
		}
		for _, g := range games {
			now := g.game()
			version, hash, err := c.Game(g.name, "").Head(t.Context(), next)
			if err != nil || version != now.Version || hexOf(hash) != now.LastHash {
				t.Fatalf("version %d with hash %x, %v; the game is at %d", version, hash, err, now.Version)
			}
			if last == empty {
				continue
			}
			if version, _, err = c.Game(g.name, "").Head(t.Context(), last); err != nil || version > now.Version {
				t.Errorf("the head in the last checkpoint: version %d, %v", version, err)
			}
		}
		again, err := c.Checkpoint(t.Context(), next)
		must(t, err)
		if again.Size() != next.Size() {
			t.Error("nothing happened and the log grew")
		}
		last = next
		if round == 3 { // the log outlives the server
			h.stop()
			h = start()
			for _, g := range games {
				g.host = h
			}
		}
	}

	// A server that lost its log, or made another, cannot prove that it goes on from what was kept.
	other := open(t, func(s *setting) { s.signing, s.network = sign, true })
	for range 12 {
		other.seated()
	}
	if _, err := other.sdk().Checkpoint(t.Context(), last); !errors.Is(err, warledger.ErrNotProved) {
		t.Errorf("another log passes: %v", err)
	}
	stranger := open(t, func(s *setting) { s.store, s.signing, s.network = store, newSigning(t), true })
	if _, err := stranger.sdk().Checkpoint(t.Context(), last); !errors.Is(err, warledger.ErrNotProved) {
		t.Errorf("another key passes: %v", err)
	}
	if _, err := warledger.ReadCheckpoint(strings.Replace(last.Note, "\n", "\n1", 1), last.VerifierKey); !errors.Is(err,
		warledger.ErrNotProved) {
		t.Errorf("a changed checkpoint passes: %v", err)
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var out strings.Builder
	for _, c := range b {
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&15])
	}
	return out.String()
}

func TestCheckpointErrors(t *testing.T) {
	t.Parallel()
	h := open(t, func(s *setting) { s.signing = newSigning(t) })
	g := h.seated()
	c := v1.NewCheckpointServiceClient(h.conn)
	wantError(t, second(c.ProveHead(as(), &v1.ProveHeadRequest{Name: g.name, TreeSize: 1})), codes.OutOfRange,
		fault.TreeSizeUnknown)
	must(t, second(c.GetCheckpoint(as(), &v1.GetCheckpointRequest{})))
	late := h.seated()
	must(t, second(c.ProveHead(as(), &v1.ProveHeadRequest{Name: g.name, TreeSize: 1})))
	wantError(t, second(c.ProveHead(as(), &v1.ProveHeadRequest{Name: late.name, TreeSize: 1})), codes.NotFound,
		fault.HeadNotLogged)
	wantError(t, second(c.ProveHead(as(), &v1.ProveHeadRequest{Name: "x", TreeSize: 1})), codes.InvalidArgument,
		fault.ValidationFailed)
	for _, sizes := range [][2]uint64{{0, 1}, {1, 9}, {9, 1}, {1, 1 << 63}} {
		wantError(t,
			second(c.ProveConsistency(as(), &v1.ProveConsistencyRequest{OldSize: sizes[0], NewSize: sizes[1]})),
			codes.OutOfRange, fault.TreeSizeUnknown)
	}
	off := v1.NewCheckpointServiceClient(open(t).conn)
	wantError(t, second(off.GetCheckpoint(as(), &v1.GetCheckpointRequest{})), codes.FailedPrecondition,
		fault.CheckpointsOff)
}

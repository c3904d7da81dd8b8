package service_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/service/fault"
)

// keyringStores open stores of which several servers may each have a handle.
var keyringStores = map[string]func(t *testing.T) func() eventstore.Store{
	"memory": func(t *testing.T) func() eventstore.Store {
		first := memory.New()
		t.Cleanup(func() { must(t, first.Close()) })
		return func() eventstore.Store {
			another := first.Share()
			t.Cleanup(func() { must(t, another.Close()) })
			return another
		}
	},
	"PostgreSQL": func(t *testing.T) func() eventstore.Store { return onPostgreSQL(t) },
}

// TestKeyringsGivePlacesBack: a keyring that was deleted or removed leaves its place to a new person, however many have
// come before, and then has to find another one itself.
func TestKeyringsGivePlacesBack(t *testing.T) {
	t.Parallel()
	for name, opened := range keyringStores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var later atomic.Int64
			handle := opened(t)
			server := func() *host {
				return open(t, keeping(serverSecret, nil), func(s *setting) {
					s.keyrings.Most, s.store = 2, handle()
					s.clock = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
				})
			}
			h, other := server(), server()
			full := func(h *host, who string) {
				t.Helper()
				wantError(t, second(h.ring(secretOf(who)).put("x", "")), codes.ResourceExhausted, fault.TooManyKeyrings)
			}
			for _, who := range []string{"ann", "bob", "cid", "dot"} {
				must(t, second(h.ring(secretOf(who)).put("x", "")))
				must(t, h.ring(secretOf(who)).drop())
			}
			must(t, h.ring(secretOf("ann")).drop()) // there is nothing to give back
			must(t, second(h.ring(secretOf("eve")).put("x", "")))
			must(t, second(h.ring(secretOf("ann")).put("x", "")))
			full(h, "new")
			full(h, "bob")

			full(other, "new") // which has not counted yet
			must(t, h.ring(secretOf("eve")).drop())
			must(t, second(other.service.SweepKeyrings(context.Background())))
			must(t, second(other.ring(secretOf("new")).put("x", "")))
			full(other, "eve")

			later.Store(int64(keyringKeep + time.Hour))
			full(other, "last")
			removed, err := other.service.SweepKeyrings(context.Background())
			if err != nil || removed != 2 {
				t.Errorf("%d were removed, %v", removed, err)
			}
			must(t, second(other.ring(secretOf("last")).put("x", "")))
			must(t, second(other.ring(secretOf("eve")).put("x", "")))
			full(other, "one more")
		})
	}
}

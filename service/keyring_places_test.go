package service_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
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

// counter is a store whose answers to Count come late: when all servers have asked once, and others have had a turn.
type counter struct {
	eventstore.Store
	asked sync.Once
	all   *sync.WaitGroup
}

func (c *counter) Count(ctx context.Context, prefix string) (uint64, error) {
	n, err := c.Store.Count(ctx, prefix)
	if prefix == "keyrings/" {
		c.asked.Do(c.all.Done)
		c.all.Wait()
		for range 1000 {
			runtime.Gosched()
		}
	}
	return n, err
}

// TestKeyringsBoundAtOnce: however many come at once, to however many servers of a store, no more keyrings are made
// than there are places.
func TestKeyringsBoundAtOnce(t *testing.T) {
	t.Parallel()
	stores := maps.Clone(keyringStores)
	stores["a file"] = func(t *testing.T) func() eventstore.Store {
		s, err := boltstore.Open(filepath.Join(t.TempDir(), "games.db"), boltstore.Options{})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return func() eventstore.Store { return s }
	}
	for name, opened := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const places, callers = 2, 12
			handle, all := opened(t), new(sync.WaitGroup)
			server := func() *host {
				all.Add(1)
				return open(t, keeping(serverSecret, nil), func(s *setting) {
					s.keyrings.Most, s.store = places, &counter{Store: handle(), all: all}
				})
			}
			servers := []*host{server()}
			for servers[0].store.Shared() && len(servers) < 3 {
				servers = append(servers, server())
			}
			var made atomic.Int32
			var wg sync.WaitGroup
			for i := range callers {
				wg.Go(func() {
					switch err := second(servers[i%len(servers)].ring(secretOf(fmt.Sprint(i))).put("x", "")); {
					case err == nil:
						made.Add(1)
					case reasonOf(err) != fault.TooManyKeyrings:
						t.Error(err)
					}
				})
			}
			wg.Wait()
			// While one is being stored it may count twice. Nobody who comes later is refused for that.
			for i := made.Load(); i < places; i++ {
				must(t, second(servers[0].ring(secretOf(fmt.Sprint("later ", i))).put("x", "")))
			}
			if n := made.Load(); n > places {
				t.Errorf("%d keyrings were made, and there are %d places", n, places)
			}
			wantError(t, second(servers[0].ring(secretOf("too late")).put("x", "")), codes.ResourceExhausted,
				fault.TooManyKeyrings)
		})
	}
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

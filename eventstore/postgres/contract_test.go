package postgres

import (
	"bytes"
	"context"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/storetest"
)

var ctx = context.Background()

// TestContract runs the suite with the settings of a server and with others: nothing that a caller sees may differ.
func TestContract(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"default": {},
		"alone":   {Readers: 1, BatchAppends: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, factory(o))
		})
	}
}

func factory(o Options) storetest.Factory {
	return func(t testing.TB) storetest.Engine {
		dsn, _ := cluster(t).Empty(t)
		s := mustOpen(t, dsn, o)
		return storetest.Engine{
			Store:  s,
			Second: func(t testing.TB) eventstore.Store { return mustOpen(t, dsn, o) },
			Reopen: func(t testing.TB) eventstore.Store {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
				s = mustOpen(t, dsn, o)
				return s
			},
			Restore: func(t testing.TB, backup []byte) eventstore.Store {
				dsn, _ := cluster(t).Empty(t)
				s := mustOpen(t, dsn, o)
				if _, err := dump.Read(ctx, bytes.NewReader(backup), s); err != nil {
					t.Fatal(err)
				}
				return s
			},
		}
	}
}

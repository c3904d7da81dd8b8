package boltstore

import (
	"context"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// TestObserverIsToldOfTheDevice has the time that the device took be a part of the commit's.
func TestObserverIsToldOfTheDevice(t *testing.T) {
	t.Parallel()
	told := make(chan eventstore.Batch, 10)
	s := mustOpen(t, newPath(t), Options{Observe: func(b eventstore.Batch) { told <- b }})
	if err := s.Append(context.Background(), (&storetest.Chain{Stream: "s"}).Next("k", "x")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if b := <-told; b.Appends != 1 || b.Write <= 0 || b.Write > b.Commit {
		t.Errorf("told of %+v", b)
	}
}

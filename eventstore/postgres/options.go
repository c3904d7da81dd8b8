package postgres

import (
	"context"
	"time"

	"github.com/warledger/warledger/eventstore"
)

// Options tune an engine. The zero value is right for a server.
type Options struct {
	// Readers is the most connections that reads share; 0 means 8. Beside them a store has two connections that write,
	// one that listens, and one for each open snapshot.
	Readers int
	// BatchAppends is the most appends that one statement stores; 0 means 128.
	BatchAppends int
	// BatchBytes is how much there is to write when a batch is closed to further appends; 0 means 8 MiB.
	BatchBytes int
	// WriteTimeout is how long the database may take to store a batch, beside a second for each MiB of it; 0 means 10
	// s. Then the connection is closed, and the appends get [eventstore.ErrUncertain].
	WriteTimeout time.Duration
	// ConnectTimeout is how long each host may take to accept a connection; 0 means 5 s. A connect_timeout in the
	// connection string wins.
	ConnectTimeout time.Duration
	// Ask is how often the store asks how far the streams are that somebody waits for; 0 means once a second. It finds
	// what a lost notification would have told.
	Ask time.Duration
	// AcceptLoss opens a database that has standbys of which none is synchronous. When such a standby takes over,
	// acknowledged appends are lost.
	AcceptLoss bool
	// ReadOnly opens a store to be read: none is made, and one of an older format is refused.
	ReadOnly bool
	// Lock says which other handles may not have the store open at the same time. Open returns [eventstore.ErrLocked]
	// while one of them is there.
	Lock Lock
	// Served, if not nil, is asked after the lock was lost and taken again whether the store may still be served:
	// others may have had it alone meanwhile. It is asked for each connection that writes.
	Served func(context.Context, eventstore.Store) error
	// Lost, if not nil, is told why the store can no longer be used: the connection that held the lock was lost,
	// and since then another handle has taken the store, or Served has refused it. A handle that had it alone is told
	// at once, with [ErrLost].
	Lost func(error)
	// ObserveWake, if not nil, is told how long after an append was stored its notification arrived. The handle
	// measures that with its own notifications, which come the same way as those of others.
	ObserveWake func(time.Duration)
	// Observe, if not nil, is told of each commit, one at a time: it must be quick. The engine cannot tell what part of
	// a commit its device took, so [eventstore.Batch.Write] is the whole.
	Observe func(eventstore.Batch)

	hooks hooks
}

// point is a place in the program where tests of this package let something happen.
type point string

const (
	// beforeStatement is where a batch was taken, and nothing of it is sent.
	beforeStatement point = "before a batch is sent"
	// afterStatement is where the database has stored a batch. An error there stands for a lost answer.
	afterStatement point = "after a batch is stored"
	// inMigration is where a step of a migration is done and not committed.
	inMigration point = "before a migration is committed"
)

// hooks run at points. Each returns the error that shall happen there.
type hooks map[point]func() error

func (h hooks) at(p point) error {
	if f := h[p]; f != nil {
		return f()
	}
	return nil
}

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, usual time.Duration) {
		if *d <= 0 {
			*d = usual
		}
	}
	set(&o.WriteTimeout, 10*time.Second)
	set(&o.ConnectTimeout, 5*time.Second)
	set(&o.Ask, time.Second)
	if o.Readers <= 0 {
		o.Readers = 8
	}
	if o.BatchAppends <= 0 {
		o.BatchAppends = 128
	}
	if o.BatchBytes <= 0 {
		o.BatchBytes = 8 << 20
	}
	return o
}

package postgres

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// isLocked tells the refusal of a store that another handle has alone.
func isLocked(err error) bool {
	holder := regexp.MustCompile(`a process on the machine of the database, connected since \d+-.* UTC`)
	return errors.Is(err, eventstore.ErrLocked) && holder.MatchString(err.Error())
}

// TestAlone has one handle keep out another that wants the store alone, until it is closed, and also after its
// connections were lost. Whoever does not want the store alone is not kept out, nor is a store in another schema.
func TestAlone(t *testing.T) {
	t.Parallel()
	alone := Options{Alone: true, Ask: 40 * time.Millisecond, Lost: func(err error) { t.Errorf("lost: %v", err) }}
	s, dsn, schema := fresh(t, alone)
	mustRefuse(t, dsn, alone, isLocked)
	elsewhere, _, _ := fresh(t, alone)
	mustAppend(t, elsewhere, (&storetest.Chain{Stream: "s"}).Next("", "x"))
	other := mustOpen(t, dsn, Options{})
	mustAppend(t, other, (&storetest.Chain{Stream: "s"}).Next("", "x"))
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	c := cluster(t)
	holders := `select coalesce(string_agg(pid::text, ','), '') from pg_locks where locktype = 'advisory'
		and objid::bigint = hashtext('` + schema + `')::bigint & 4294967295`
	before := c.MustSQL(t, holders)
	endConnections(t, c, schema)
	waitFor(t, func() bool { now := c.MustSQL(t, holders); return now != "" && now != before })
	mustRefuse(t, dsn, alone, isLocked)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := mustOpen(t, dsn, alone).Close(); err != nil {
		t.Error(err)
	}
}

// TestAloneAfterItself wants a handle to get the store from a session of its own that the server believes to be there.
func TestAloneAfterItself(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	handle := &Store{}
	for range 2 {
		if err := handle.takeAlone(ctx, mustConnect(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := new(Store).takeAlone(ctx, mustConnect(t, s)); !isLocked(err) {
		t.Errorf("another handle: %v", err)
	}
}

// TestAloneLost tells a handle that lost its connection, and with it the store to another handle.
func TestAloneLost(t *testing.T) {
	t.Parallel()
	lost := make(chan error, 100)
	_, dsn, schema := fresh(t, Options{Alone: true, Ask: 2 * time.Second, Lost: func(err error) { lost <- err }})
	endConnections(t, cluster(t), schema)
	other := mustOpen(t, dsn, Options{Alone: true})
	defer other.Close()
	waitFor(t, func() bool { return len(lost) > 0 })
	if err := <-lost; !isLocked(err) {
		t.Errorf("told of %v", err)
	}
}

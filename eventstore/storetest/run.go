// Package storetest is the suite of tests that every engine of package eventstore passes.
package storetest

import (
	"context"
	"testing"

	"github.com/warledger/warledger/eventstore"
)

// Engine is a store under test and what can be done to it besides its contract.
type Engine struct {
	Store eventstore.Store
	// Reopen closes the store that was opened last and opens what it held again; nil when it keeps nothing. The suite
	// closes what it returns.
	Reopen func(t testing.TB) eventstore.Store
	// Second opens another handle on the store, as another process would; nil if only one process can have it. The
	// suite closes what it returns.
	Second func(t testing.TB) eventstore.Store
	// Narrow says that the store has so little room in memory that writing may wait for snapshots to be closed.
	Narrow bool
	// Restore opens a new store from a backup.
	Restore func(t testing.TB, backup []byte) eventstore.Store
}

// Factory makes an engine with an empty store. The suite closes the store.
type Factory func(t testing.TB) Engine

// Run proves an engine: each clause of the contract has a test. Every store is checked when its test ends.
func Run(t *testing.T, open Factory) {
	tests := []struct {
		name string
		test func(*testing.T, Factory)
	}{
		{"append gives versions and a chain", testAppend},
		{"invalid arguments are named", testInvalid},
		{"an unexpected version changes nothing", testConflict},
		{"a link that does not fit changes nothing", testLink},
		{"keys are unique for ever", testKeys},
		{"a retry is told of its key before any conflict", testRetry},
		{"pages", testPages},
		{"pages end by bytes", testPageBytes},
		{"pages are copies", testCopies},
		{"metadata", testMeta},
		{"metadata of another version change nothing", testMetaConflict},
		{"refusals come in order", testOrder},
		{"one of several changes of metadata wins", testMetaRace},
		{"list", testList},
		{"list pages by prefix", testListPages},
		{"what does not exist", testNotFound},
		{"count", testCount},
		{"clock", testNow},
		{"pages with their head", testReadAt},
		{"pages and heads are of one moment", testOneMoment},
		{"ended contexts", testContext},
		{"closed stores", testClosed},
		{"one of several writers wins", testRace},
		{"one of several writers at two handles wins", testRaceOfHandles},
		{"what one handle writes the other sees", testHandles},
		{"one handle wakes the other", testWakeHandle},
		{"many writers on many streams", testManyWriters},
		{"readers see prefixes of the chain", testReaders},
		{"wait", testWait},
		{"wait for metadata", testWaitForMeta},
		{"wait from the past into the present", testFollow},
		{"wait ends", testWaitEnds},
		{"backup while serving", testBackup},
		{"snapshots do not move", testSnapshot},
		{"snapshots end with the store", testSnapshotEnds},
		{"dumps of one engine restore in another", testDump},
		{"dumps while serving", testDumpWhileServing},
		{"check counts and verifies", testCheck},
		{"stats", testStats},
		{"reopen keeps everything", testReopen},
		{"large data", testLarge},
		{"random operations match a model", testModel},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, open)
		})
	}
}

// start opens a store that is checked and closed when the test ends.
func start(t testing.TB, open Factory) eventstore.Store {
	t.Helper()
	s := open(t).Store
	finish(t, s)
	return s
}

func finish(t testing.TB, s eventstore.Store) {
	t.Cleanup(func() {
		MustBeSound(t, s)
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// handles opens a store twice, if the engine can, and otherwise returns the one handle twice. Both are closed when the
// test ends.
func handles(t testing.TB, open Factory) (first, second eventstore.Store) {
	t.Helper()
	e := open(t)
	finish(t, e.Store)
	if e.Second == nil {
		return e.Store, e.Store
	}
	second = e.Second(t)
	finish(t, second)
	return e.Store, second
}

// MustBeSound fails the test with each fault that a check of the store finds. The entries must be [Chain]'s.
func MustBeSound(t testing.TB, s eventstore.Store) eventstore.CheckReport {
	t.Helper()
	report, err := s.Check(context.Background(), Verify, func(f eventstore.Fault) { t.Errorf("fault: %v", f) })
	if err != nil {
		t.Errorf("check: %v", err)
	}
	return report
}

package ledger_test

import (
	"bytes"
	"testing"

	"github.com/warledger/warledger/service/ledger"
)

// TestFilesWithManyUndosAreAudited: an audit of a file goes back to many places. It once began the file anew for each,
// while it read on. A player who takes back one move after another makes many of them.
func TestFilesWithManyUndosAreAudited(t *testing.T) {
	t.Parallel()
	game := newTable(t, committed)
	game.begin()
	game.sit("red", "")
	game.sit("blue", "")
	moves := game.play(60)
	for range 300 {
		game.move(game.tree.UndoTarget())
		game.move(game.tree.RedoTarget())
	}
	for range moves - 1 {
		game.move(game.tree.UndoTarget())
	}
	game.play(200)
	game.release()
	file := game.file(game.exportHeader(game.records), game.records)
	if len(file) < 128<<10 { // a reader takes in 64 KiB at once
		t.Fatalf("the file has %d bytes, too few to show it", len(file))
	}
	e, err := ledger.ReadExport(bytes.NewReader(file))
	game.must(err)
	o := ledger.AuditOptions{Stride: 1}
	sum, err := ledger.AuditExport(t.Context(), e, registry(t, game.set), o, func(f ledger.Finding) { t.Error(f) })
	if err != nil || sum.Records != uint64(len(game.records)) {
		t.Errorf("%d of %d records, %v", sum.Records, len(game.records), err)
	}
}

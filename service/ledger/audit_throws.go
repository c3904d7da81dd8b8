package ledger

import (
	"fmt"
	"maps"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// throwsAudit lists the undos that took back mutual dice, by the seats that had a part in them. Whether a seat's player
// asked or agreed, or somebody else with the seat's token, no log can tell: a token is no link.
type throwsAudit struct {
	// parts are the seats whose links went into the dice of a command, by its version.
	parts map[uint64][]string
	// taken are the versions of undos that took back such a throw, by seat.
	taken map[string][]uint64
}

// add takes the next record. asked is what was asked for before it, and tree the history.
func (t *throwsAudit) add(r *Record, asked *Asked, tree *Tree) {
	h := r.Header()
	switch {
	case h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND && h.Asked != 0 && asked != nil:
		if t.parts == nil {
			t.parts, t.taken = make(map[uint64][]string), make(map[string][]uint64)
		}
		for _, l := range asked.Links {
			t.parts[h.Version] = append(t.parts[h.Version], l.Seat)
		}
	case h.Kind == logv1.RecordKind_RECORD_KIND_UNDO && len(t.parts) > 0:
		had := make(map[string]struct{})
		for v := h.Parent; v != h.Head && v != 0; v = tree.Parent(v) {
			for _, seat := range t.parts[v] {
				had[seat] = struct{}{}
			}
		}
		for seat := range had {
			t.taken[seat] = append(t.taken[seat], h.Version)
		}
	}
}

func (t *throwsAudit) unchecked() (what []string) {
	for _, seat := range slices.Sorted(maps.Keys(t.taken)) {
		what = append(what, fmt.Sprintf("dice: throws that %s had a part in were taken back in %s; only its player "+
			"knows whether they asked or agreed", seat, listed(t.taken[seat])))
	}
	return what
}

package ledger

import (
	"bytes"
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Forked makes the leaves of a copy of a record in the log of a fork: what happened stays, and the first record says
// what the fork is. Salts are made anew when it is sealed.
func Forked(created *logv1.GameCreated, r *Record) ([]Leaf, error) {
	leaves := append([]Leaf(nil), r.Leaves()...)
	if r.Header().Kind != logv1.RecordKind_RECORD_KIND_CREATED {
		return leaves, nil
	}
	if len(leaves) == 0 {
		return nil, fmt.Errorf("record %d: expected a GameCreated, found no event", r.Version())
	}
	leaf, err := logLeaf(created)
	leaves[0] = leaf
	return leaves, err
}

// ForkFloor is the version that no undo goes behind; 0 if none exists.
func ForkFloor(created *logv1.GameCreated) uint64 {
	if from := created.GetForkedFrom(); from != nil && !from.Private {
		return from.Records
	}
	return 0
}

// inspectFork checks a record against what the first one says about a fork.
func inspectFork(created *logv1.GameCreated, h *logv1.RecordHeader) (fault string) {
	from := created.GetForkedFrom()
	if from == nil {
		return ""
	}
	copied := h.Version <= from.Records
	switch {
	case h.Version == 1 &&
		(from.Records == 0 || from.Version < from.Records || from.Game == h.Game || len(from.Hash) != len(Hash{})):
		return fmt.Sprintf("is of a fork whose origin cannot be: %d records as far as version %d of %q",
			from.Records, from.Version, from.Game)
	case copied && h.Version > 1 && h.Kind != logv1.RecordKind_RECORD_KIND_COMMAND:
		return fmt.Sprintf("is a %s among the %d records that are copies; only commands are copied",
			h.Kind, from.Records)
	case h.Kind == logv1.RecordKind_RECORD_KIND_UNDO && h.Head < ForkFloor(created):
		return fmt.Sprintf("moves the head back to %d, before the fork at %d", h.Head, from.Records)
	}
	return ""
}

// AuditFork compares the records of a fork that are copies with those of its origin, and calls report for each
// difference; it says how many records are the same. That the origin is what it claims to be is for an audit of its
// own, and so are its dice, which are those of the copies. The error is a source's or the context's.
func AuditFork(ctx context.Context, fork, origin Source, report func(Finding)) (same uint64, err error) {
	a := &auditor{ctx: ctx, src: origin, report: report}
	f := &auditor{ctx: ctx, src: fork, report: report}
	for _, log := range []*auditor{a, f} {
		intact, err := log.readChain()
		if err != nil || !intact {
			return 0, err
		}
	}
	from := f.chain.Created().GetForkedFrom()
	line := a.chain.Tree().LineTo(from.GetVersion())
	if from == nil || from.Game != a.chain.Game() || uint64(len(line)) != from.Records ||
		f.chain.Tree().Version() < from.Records {
		f.find(1, Error, CheckFork, "does not name %d records as far as version %d of %q as its origin",
			len(line), from.GetVersion(), a.chain.Game())
		return 0, nil
	}
	copies := make([]*Record, 0, from.Records)
	if err := f.each(func(r *Record) bool {
		copies = append(copies, r.kept())
		return uint64(len(copies)) < from.Records
	}); err != nil {
		return 0, err
	}
	err = a.each(func(r *Record) bool {
		if len(line) == 0 {
			return false
		}
		if r.Version() != line[0] {
			return true
		}
		if len(line) == 1 && !bytes.Equal(r.hash[:], from.Hash) {
			f.find(1, Error, CheckFork, "names hash %x for version %d of the origin, which has %x",
				from.Hash, from.Version, r.hash)
		}
		if what := differsFrom(copies[len(copies)-len(line)], r); what != "" {
			f.find(copies[len(copies)-len(line)].Version(), Error, CheckFork,
				"is no copy of record %d of the origin: %s", r.Version(), what)
		} else {
			same++
		}
		line = line[1:]
		return true
	})
	return same, err
}

// kept is a record that stays when its source goes on.
func (r *Record) kept() *Record {
	k, err := Parse(bytes.Clone(r.data))
	if err != nil { // cannot happen: it was read before
		return r
	}
	return k
}

// differsFrom says in what a copy differs from what it is a copy of; empty if in nothing. Versions, times
// and salts are its own.
func differsFrom(copied, origin *Record) string {
	c, o := copied.header, origin.header
	if c.Seat != o.Seat || c.CommandId != o.CommandId || c.Kind != o.Kind || c.Revealed != o.Revealed ||
		c.Aside != o.Aside || c.Carries != 0 {
		return "seat, command id or kind are others"
	}
	if len(copied.leaves) != len(origin.leaves) {
		return fmt.Sprintf("it has %d leaves and not %d", len(copied.leaves), len(origin.leaves))
	}
	for i := range origin.leaves {
		a, b := &copied.leaves[i], &origin.leaves[i]
		if i == 0 && o.Kind == logv1.RecordKind_RECORD_KIND_CREATED {
			if !sameStart(copied, origin) {
				return "it is a game of something else"
			}
			continue
		}
		if a.Kind != b.Kind || a.Audience != b.Audience {
			return fmt.Sprintf("leaf %d is of another kind or audience", i)
		}
		if !a.Redacted && !b.Redacted && (a.Type != b.Type || a.Schema != b.Schema || !bytes.Equal(a.Data, b.Data)) {
			return fmt.Sprintf("leaf %d is another", i)
		}
	}
	return ""
}

// sameStart compares what is played. Title, dice and commitments are the fork's own.
func sameStart(copied, origin *Record) bool {
	var what [2]*logv1.GameCreated
	for i, r := range []*Record{copied, origin} {
		created, err := r.Created()
		if err != nil {
			return false
		}
		what[i] = &logv1.GameCreated{
			Ruleset: created.Ruleset, RulesVersion: created.RulesVersion, Scenario: created.Scenario,
			ScenarioDigest: created.ScenarioDigest,
			Options:        created.Options,
		}
	}
	return proto.Equal(what[0], what[1])
}

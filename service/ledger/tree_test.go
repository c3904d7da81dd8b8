package ledger_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

// plainTree is a tree without cleverness.
type plainTree struct {
	parent  map[uint64]uint64
	heads   []uint64
	forward []uint64
}

func (p *plainTree) head() uint64 { return p.heads[len(p.heads)-1] }

func (p *plainTree) line(v uint64) (line []uint64) {
	for ; v != 0; v = p.parent[v] {
		line = append(line, v)
	}
	slices.Reverse(line)
	return line
}

func TestTreeAgreesWithAPlainOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var tree ledger.Tree
		plain := plainTree{parent: map[uint64]uint64{1: 0}, heads: []uint64{0, 1}}
		add := func(h *logv1.RecordHeader) {
			if err := tree.Add(h); err != nil {
				t.Fatal(err)
			}
		}
		add(tree.Next(logv1.RecordKind_RECORD_KIND_CREATED))
		for range rapid.IntRange(0, 60).Draw(t, "records") {
			version, head := tree.Version()+1, plain.head()
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				add(tree.Next(logv1.RecordKind_RECORD_KIND_TABLE))
			case 1:
				line := plain.line(head)
				if len(line) < 2 {
					continue
				}
				plain.forward = append(plain.forward, head)
				head = rapid.SampledFrom(line[:len(line)-1]).Draw(t, "target")
				add(tree.NextMove(head))
			case 2:
				if tree.RedoTarget() == 0 {
					continue
				}
				top := plain.forward[len(plain.forward)-1]
				line := plain.line(top)
				head = rapid.SampledFrom(line[slices.Index(line, head)+1:]).Draw(t, "target")
				if head == top {
					plain.forward = plain.forward[:len(plain.forward)-1]
				}
				add(tree.NextMove(head))
			default:
				add(tree.Next(logv1.RecordKind_RECORD_KIND_COMMAND))
				plain.parent[version], head, plain.forward = head, version, nil
			}
			plain.heads = append(plain.heads, head)
		}
		checkTree(t, &tree, &plain)
	})
}

func checkTree(t *rapid.T, tree *ledger.Tree, plain *plainTree) {
	if diff := cmp.Diff(plain.line(plain.head()), tree.Line()); diff != "" {
		t.Error(diff)
	}
	if tree.UndoTarget() != plain.parent[plain.head()] {
		t.Errorf("undo to %d, expected %d", tree.UndoTarget(), plain.parent[plain.head()])
	}
	if got := tree.RedoTarget(); (got == 0) != (len(plain.forward) == 0) ||
		got != 0 && got != plain.forward[len(plain.forward)-1] {
		t.Errorf("redo to %d, expected the last of %v", got, plain.forward)
	}
	for v := uint64(0); v <= tree.Version()+1; v++ {
		if v <= tree.Version() && tree.HeadAt(v) != plain.heads[v] {
			t.Errorf("head at %d is %d, expected %d", v, tree.HeadAt(v), plain.heads[v])
		}
		if tree.Parent(v) != plain.parent[v] {
			t.Errorf("parent of %d is %d, expected %d", v, tree.Parent(v), plain.parent[v])
		}
		parent, place := plain.parent[v]
		line := plain.line(v)
		if !place {
			line = nil
		} else if tree.Depth(v) != len(line)-1 {
			t.Errorf("depth of %d is %d, expected %d", v, tree.Depth(v), len(line)-1)
		}
		if diff := cmp.Diff(line, tree.LineTo(v)); diff != "" {
			t.Errorf("line to %d (parent %d): %s", v, parent, diff)
		}
		for a := uint64(0); a <= tree.Version()+1; a++ {
			if got, want := tree.Precedes(a, v), a != v && slices.Contains(line, a); got != want {
				t.Errorf("%d precedes %d: %v", a, v, got)
			}
		}
	}
}

func TestTreeRefusesAndStaysAsItWas(t *testing.T) {
	t.Parallel()
	const created, command, table, undo, redo = logv1.RecordKind_RECORD_KIND_CREATED,
		logv1.RecordKind_RECORD_KIND_COMMAND, logv1.RecordKind_RECORD_KIND_TABLE, logv1.RecordKind_RECORD_KIND_UNDO,
		logv1.RecordKind_RECORD_KIND_REDO
	var tree ledger.Tree
	if tree.Head() != 0 || tree.Line() != nil || tree.UndoTarget() != 0 || tree.RedoTarget() != 0 {
		t.Error("an empty tree is not empty")
	}
	if tree.Add(tree.Next(command)) == nil {
		t.Error("a game can begin with a command")
	}
	for _, k := range []logv1.RecordKind{created, command, command, table} {
		if err := tree.Add(tree.Next(k)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Add(tree.NextMove(2)); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*logv1.RecordHeader{
		"a gap":                {Version: 7, Parent: 2, Head: 7, Kind: command},
		"no version":           {Version: 0, Parent: 2, Head: 6, Kind: command},
		"off the head":         {Version: 6, Parent: 3, Head: 6, Kind: command},
		"created again":        {Version: 6, Parent: 2, Head: 6, Kind: created},
		"head elsewhere":       {Version: 6, Parent: 2, Head: 3, Kind: command},
		"table as a place":     {Version: 6, Parent: 2, Head: 6, Kind: table},
		"undo to itself":       {Version: 6, Parent: 2, Head: 2, Kind: undo},
		"undo to nothing":      {Version: 6, Parent: 2, Head: 0, Kind: undo},
		"undo forward":         {Version: 6, Parent: 2, Head: 3, Kind: undo},
		"redo back":            {Version: 6, Parent: 2, Head: 1, Kind: redo},
		"redo to the table":    {Version: 6, Parent: 2, Head: 4, Kind: redo},
		"redo into the future": {Version: 6, Parent: 2, Head: 1 << 60, Kind: redo},
		"no kind":              {Version: 6, Parent: 2, Head: 6},
		"an aside with dice":   {Version: 6, Parent: 2, Head: 6, Kind: command, Seat: "a", Aside: true, Asked: 4},
	} {
		if err := tree.Add(h); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if tree.Version() != 5 || tree.Head() != 2 || tree.RedoTarget() != 3 {
		t.Error("a refused record changed the tree")
	}
}

// A redo goes along the line that was left, not down another branch.
func TestRedoStaysOnItsLine(t *testing.T) {
	t.Parallel()
	const command = logv1.RecordKind_RECORD_KIND_COMMAND
	var tree ledger.Tree
	for _, next := range []func() *logv1.RecordHeader{
		func() *logv1.RecordHeader { return tree.Next(logv1.RecordKind_RECORD_KIND_CREATED) },
		func() *logv1.RecordHeader { return tree.Next(command) },
		func() *logv1.RecordHeader { return tree.Next(command) },
		func() *logv1.RecordHeader { return tree.NextMove(2) },
		func() *logv1.RecordHeader { return tree.Next(command) },
		func() *logv1.RecordHeader { return tree.NextMove(2) },
	} {
		if err := tree.Add(next()); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Add(tree.NextMove(3)); err == nil {
		t.Error("the head went forward to 3, which is not on the line to 5")
	}
	if err := tree.Add(tree.NextMove(5)); err != nil {
		t.Error(err)
	}
}

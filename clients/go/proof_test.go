package warledger

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// FuzzProve reads arbitrary bytes as the proof of a record from a server. Nothing may panic, and a proof that passes
// has the hash that it claims.
func FuzzProve(f *testing.F) {
	header, err := proto.Marshal(&logv1.RecordHeader{Game: "g", Version: 3, Kind: logv1.RecordKind_RECORD_KIND_ASK})
	if err != nil {
		f.Fatal(err)
	}
	event, err := proto.Marshal(&logv1.TableEvent{
		Event: &logv1.TableEvent_DiceAsked{DiceAsked: &logv1.DiceAsked{Owed: []*logv1.OwedLink{{Seat: "a", Link: 1}}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	r := &logv1.Record{PrevHash: make([]byte, 32), Header: header, Hash: make([]byte, 32), Leaves: []*logv1.Leaf{
		{Kind: logv1.LeafKind_LEAF_KIND_COMMAND, Digest: make([]byte, 32)},
		{Kind: logv1.LeafKind_LEAF_KIND_EVENT, Salt: make([]byte, 16),
			Payload: &logv1.Payload{Type: "warledger.log.v1.TableEvent", Schema: 1, Data: event}},
	}}
	for _, change := range []func(){
		func() {}, func() { r.Hash = nil }, func() { r.Leaves[0].Digest = nil }, func() { r.Header = []byte{7} },
	} {
		change()
		data, err := proto.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(logv1.Record)
		if proto.Unmarshal(data, m) != nil {
			return
		}
		p, err := prove(m)
		if err != nil {
			return
		}
		if string(p.hash[:]) != string(m.Hash) || len(p.prev) != sha256.Size {
			t.Errorf("a proof passes that proves nothing: %v", m)
		}
		p.asks()
	})
}

// TestProofsHideNothingPublic: a proof whose hash is right proves nothing if it hides what everyone may see, because
// nobody can then say whether it replaces a chain.
func TestProofsHideNothingPublic(t *testing.T) {
	t.Parallel()
	const (
		table, ask, command = logv1.RecordKind_RECORD_KIND_TABLE, logv1.RecordKind_RECORD_KIND_ASK,
			logv1.RecordKind_RECORD_KIND_COMMAND
		event, played = logv1.LeafKind_LEAF_KIND_EVENT, logv1.LeafKind_LEAF_KIND_COMMAND
	)
	leaf := func(kind logv1.LeafKind, audience uint32, shown bool) *logv1.Leaf {
		l := &logv1.Leaf{Kind: kind, Audience: audience, Salt: make([]byte, 16),
			Payload: &logv1.Payload{Type: "warledger.log.v1.TableEvent", Schema: 1, Data: []byte{}}}
		if !shown {
			digest := digestOf(l)
			l.Salt, l.Payload, l.Digest = nil, nil, digest[:]
		}
		return l
	}
	for name, c := range map[string]struct {
		kind   logv1.RecordKind
		leaves []*logv1.Leaf
		proves bool
	}{
		"all is shown":                    {table, []*logv1.Leaf{leaf(event, 0, true)}, true},
		"a change of the table is hidden": {table, []*logv1.Leaf{leaf(event, 0, false)}, false},
		"the second of two is hidden": {table,
			[]*logv1.Leaf{leaf(event, 0, true), leaf(event, 0, false)}, false},
		"a change that one seat may see": {table, []*logv1.Leaf{leaf(event, 1, true)}, false},
		"a change that is another's":     {table, []*logv1.Leaf{leaf(event, 2, false)}, false},
		"a secret command that asks":     {ask, []*logv1.Leaf{leaf(played, 2, false), leaf(event, 0, true)}, true},
		"what it asks for is hidden": {ask,
			[]*logv1.Leaf{leaf(played, 2, false), leaf(event, 0, false)}, false},
		"what it asks for is for some": {ask, []*logv1.Leaf{leaf(played, 2, false), leaf(event, 2, true)}, false},
		"a secret event of a command": {command,
			[]*logv1.Leaf{leaf(played, 2, false), leaf(event, 2, false)}, true},
		"an open event of a command, hidden": {command,
			[]*logv1.Leaf{leaf(played, 0, true), leaf(event, 0, false)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := prove(sealed(t, c.kind, c.leaves)); (err == nil) != c.proves {
				t.Errorf("proves %v: %v", c.proves, err)
			}
		})
	}
}

// sealed makes a record with its hash.
func sealed(t *testing.T, kind logv1.RecordKind, leaves []*logv1.Leaf) *logv1.Record {
	t.Helper()
	header, err := proto.Marshal(&logv1.RecordHeader{Game: "g", Version: 3, Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	r := &logv1.Record{PrevHash: make([]byte, 32), Header: header, Leaves: leaves}
	sum := sha256.Sum256(header)
	in := append(append(field(nil, labelRecord), r.PrevHash...), sum[:]...)
	in = binary.BigEndian.AppendUint32(in, uint32(len(leaves)))
	for _, l := range leaves {
		in = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(in, uint32(l.Kind)), l.Audience)
		digest := l.Digest
		if l.Payload != nil {
			sum := digestOf(l)
			digest = sum[:]
		}
		in = append(in, digest...)
	}
	sum = sha256.Sum256(in)
	r.Hash = sum[:]
	return r
}

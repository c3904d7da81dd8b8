package warledger

import (
	"crypto/sha256"
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

package ledger_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// sameAsParse checks that a parser makes of bytes what Parse makes of them, error or not, whatever
// it has parsed before.
func sameAsParse(t rapid.TB, p *ledger.Parser, data []byte) {
	t.Helper()
	want, wantErr := ledger.Parse(data)
	got, err := p.Parse(data)
	if wantErr != nil || err != nil {
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%x: error %v, expected %v", data, err, wantErr)
		}
		return
	}
	if diff := cmp.Diff(want.Header(), got.Header(), protocmp.Transform()); diff != "" {
		t.Fatalf("%x: header (-expected +found)\n%s", data, diff)
	}
	if diff := cmp.Diff(want.Leaves(), got.Leaves()); diff != "" {
		t.Fatalf("%x: leaves (-expected +found)\n%s", data, diff)
	}
	if got.Prev() != want.Prev() || got.Hash() != want.Hash() || !bytes.Equal(got.Data(), data) {
		t.Fatalf("%x: prev %x, hash %x, data %x", data, got.Prev(), got.Hash(), got.Data())
	}
}

// anyHeader draws a header as it may be stored, by this program or another.
func anyHeader(t *rapid.T) []byte {
	word := rapid.SampledFrom([]string{"", "red", "blue", "game-1", "第五七軍", "0b8f5c1e-7d6a-4f0e-9a52-000000000001"})
	h := &logv1.RecordHeader{
		Game: word.Draw(t, "game"), Version: rapid.Uint64Range(0, 300).Draw(t, "version"),
		Parent: rapid.Uint64().Draw(t, "parent"),
		Seat:   word.Draw(t, "seat"), CommandId: word.Draw(t, "id"),
		Kind: logv1.RecordKind(rapid.Int32Range(-1, 7).Draw(t, "kind")),
		Head: rapid.Uint64Range(0, 300).Draw(t, "head"), Revealed: rapid.Bool().Draw(t, "revealed"),
	}
	if rapid.Bool().Draw(t, "timed") {
		h.Time = &timestamppb.Timestamp{Seconds: rapid.SampledFrom([]int64{0, 1, 1 << 40, -1}).Draw(t, "seconds"),
			Nanos: rapid.SampledFrom([]int32{0, 9, -9}).Draw(t, "nanos")}
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	switch rapid.IntRange(0, 5).Draw(t, "header damage") {
	case 0: // a later field
		data = protowire.AppendVarint(protowire.AppendTag(data, 12, protowire.VarintType), 7)
	case 1: // written twice
		data = append(data, data...)
	case 2: // another byte
		if len(data) > 0 {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
	}
	return data
}

// anyRecord draws the bytes of a record, most of them sound but for the hash.
func anyRecord(t *rapid.T) []byte {
	field := func(b []byte, number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), content)
	}
	data := field(field(nil, 1, make([]byte, 32)), 2, anyHeader(t))
	for range rapid.IntRange(0, 6).Draw(t, "leaves") {
		leaf := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType),
			rapid.Uint64Range(1, 4).Draw(t, "leaf"))
		if rapid.Bool().Draw(t, "hidden") {
			leaf = field(protowire.AppendVarint(protowire.AppendTag(leaf, 2, protowire.VarintType), 3), 5,
				bytes.Repeat([]byte{7}, 32))
		} else {
			name := rapid.SampledFrom([]string{"a.Event", "a.Command", "a.b\xff"}).Draw(t, "type")
			load := protowire.AppendVarint(protowire.AppendTag(field(nil, 1, []byte(name)), 2, protowire.VarintType), 1)
			if rapid.Bool().Draw(t, "full") {
				load = field(load, 3, []byte("data"))
			}
			leaf = field(field(leaf, 3, make([]byte, ledger.SaltSize)), 4, load)
		}
		data = field(data, 3, leaf)
	}
	data = field(data, 4, bytes.Repeat([]byte{9}, 32))
	if rapid.IntRange(0, 4).Draw(t, "cut") == 0 {
		data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
	}
	return data
}

func TestParserIsParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := new(ledger.Parser)
		for range 20 {
			if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				p.Again()
			}
			sameAsParse(t, p, anyRecord(t))
		}
	})
}

// TestParserKeepsRecords: records stay as they are while others are parsed, until their memory is given back.
func TestParserKeepsRecords(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	p := new(ledger.Parser)
	for range 3 {
		p.Again()
		var records []*ledger.Record
		for range 40 { // more than a parser begins with
			for _, data := range game.records {
				r, err := p.Parse(data)
				if err != nil {
					t.Fatal(err)
				}
				records = append(records, r)
			}
		}
		for i, r := range records {
			want, err := ledger.Parse(game.records[i%len(game.records)])
			if err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(r.Header(), want.Header()) || !cmp.Equal(r.Leaves(), want.Leaves()) ||
				r.Hash() != want.Hash() {
				t.Fatalf("record %d has become another", i)
			}
		}
	}
}

func FuzzParser(f *testing.F) {
	r := goldenRecord(f)
	f.Add(r.Data(), r.Redact(rules.Spectator).Data())
	f.Fuzz(func(t *testing.T, first, second []byte) {
		p := new(ledger.Parser)
		for _, data := range [][]byte{first, second, first} {
			sameAsParse(t, p, data)
		}
		p.Again()
		sameAsParse(t, p, second)
	})
}

func BenchmarkParser(b *testing.B) {
	p := new(ledger.Parser)
	benchmarkRead(b, func(data []byte) (*ledger.Record, error) {
		p.Again()
		return p.Parse(data)
	})
}

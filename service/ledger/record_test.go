package ledger_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

var update = flag.Bool("update", false, "write golden files anew")

// A program in another language has the document alone. This is what it would do, with protobuf's own encoder and
// nothing of the package.

func field(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(p))), p...)
	}
	return out
}

func u32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func strangersSalt(secret []byte, game string, version uint64, leaf uint32) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(field([]byte("warledger/log/1/salt"), []byte(game)))
	mac.Write(binary.BigEndian.AppendUint64(nil, version))
	mac.Write(u32(leaf))
	return mac.Sum(nil)[:16]
}

func strangersHash(r *logv1.Record) []byte {
	header := sha256.Sum256(r.Header)
	in := bytes.Join(
		[][]byte{field([]byte("warledger/log/1/record")), r.PrevHash, header[:], u32(uint32(len(r.Leaves)))}, nil,
	)
	for _, l := range r.Leaves {
		digest := l.Digest
		if p := l.Payload; p != nil {
			d := sha256.Sum256(bytes.Join([][]byte{field([]byte("warledger/log/1/leaf"), l.Salt, []byte(p.Type)),
				u32(p.Schema), field(p.Data)}, nil))
			digest = d[:]
		}
		in = bytes.Join([][]byte{in, u32(uint32(l.Kind)), u32(l.Audience), digest}, nil)
	}
	hash := sha256.Sum256(in)
	return hash[:]
}

var goldenSecret = ledger.SaltSecret{1, 2, 3}

func goldenLeaves() []ledger.Leaf {
	return []ledger.Leaf{
		{Kind: logv1.LeafKind_LEAF_KIND_COMMAND, Audience: rules.OnlySeats(0), Type: "warledger.toy.v1.Command",
			Schema: 1, Data: []byte{10, 2, 1, 2}},
		{Kind: logv1.LeafKind_LEAF_KIND_ROLL, Type: "warledger.log.v1.Roll", Schema: 1,
			Data: []byte{16, 6, 24, 4, 34, 1, 'a'}},
		{Kind: logv1.LeafKind_LEAF_KIND_EVENT, Type: "warledger.toy.v1.Event", Schema: 1},
		{Kind: logv1.LeafKind_LEAF_KIND_EVENT, Audience: rules.AuditorOnly, Type: "warledger.toy.v1.Event", Schema: 300,
			Data: bytes.Repeat([]byte{7}, 200)},
	}
}

func goldenHeader() *logv1.RecordHeader {
	return &logv1.RecordHeader{Game: "game-1", Version: 7, Parent: 6, Time: timestamppb.New(epoch), Seat: "red",
		CommandId: "id", Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Head: 7, Revealed: true}
}

func goldenRecord(tb testing.TB) *ledger.Record {
	tb.Helper()
	s, err := ledger.Seal(ledger.Hash{9, 9}, goldenHeader(), goldenLeaves(), ledger.NewSalter(goldenSecret, "game-1"))
	if err != nil {
		tb.Fatal(err)
	}
	r, err := ledger.Open(s.Data)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestGoldenRecord pins bytes and hashes for ever: a difference means that stored games can no longer be verified.
func TestGoldenRecord(t *testing.T) {
	t.Parallel()
	r := goldenRecord(t)
	commitment := goldenSecret.Commitment()
	var b strings.Builder
	line := func(name string, data []byte) { b.WriteString(name + " " + hex.EncodeToString(data) + "\n") }
	hash := r.Hash()
	line("salt-secret", goldenSecret[:])
	line("salt-commitment", commitment[:])
	for _, l := range r.Leaves() {
		line("salt", l.Salt)
		line("digest", l.Digest[:])
	}
	line("hash", hash[:])
	line("record", r.Data())
	line("redacted-for-spectator", r.Redact(rules.Spectator).Data())
	golden(t, "testdata/record.golden", b.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}

func drawLeaf(t *rapid.T) ledger.Leaf {
	return ledger.Leaf{
		Kind:     logv1.LeafKind(rapid.IntRange(1, 3).Draw(t, "kind")),
		Audience: rules.Audience(rapid.OneOf(rapid.Just(uint32(0)), rapid.Uint32()).Draw(t, "audience")),
		Type:     rapid.StringN(1, 30, 60).Draw(t, "type"),
		Schema:   rapid.Uint32Range(1, 1<<32-1).Draw(t, "schema"),
		Data:     rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data"),
	}
}

func drawRecord(
	t *rapid.T,
) (sealed ledger.Sealed, prev ledger.Hash, h *logv1.RecordHeader, leaves []ledger.Leaf, secret ledger.SaltSecret) {
	copy(prev[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "prev"))
	copy(secret[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
	h = &logv1.RecordHeader{
		Game: rapid.StringN(1, 20, 60).Draw(t, "game"), Version: rapid.Uint64Min(1).Draw(t, "version"),
		Parent: rapid.Uint64().Draw(t, "parent"),
		Seat:   rapid.String().Draw(t, "seat"), CommandId: rapid.String().Draw(t, "id"),
		Kind: logv1.RecordKind(rapid.IntRange(1, 5).Draw(t, "kind")),
		Head: rapid.Uint64().Draw(t, "head"), Revealed: rapid.Bool().Draw(t, "revealed"),
	}
	leaves = rapid.SliceOfN(rapid.Custom(drawLeaf), 0, 5).Draw(t, "leaves")
	sealed, err := ledger.Seal(prev, h, leaves, ledger.NewSalter(secret, h.Game))
	if err != nil {
		t.Fatal(err)
	}
	return sealed, prev, h, leaves, secret
}

func TestSealAndOpenAreInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, prev, h, leaves, secret := drawRecord(t)
		r, err := ledger.Open(s.Data)
		if err != nil {
			t.Fatal(err)
		}
		if r.Prev() != prev || r.Hash() != s.Hash || r.Version() != h.Version || !bytes.Equal(r.Data(), s.Data) {
			t.Error("prev, hash, version or data differ")
		}
		if diff := cmp.Diff(h, r.Header(), protocmp.Transform()); diff != "" {
			t.Error(diff)
		}
		if len(r.Leaves()) != len(leaves) {
			t.Fatalf("%d leaves, expected %d", len(r.Leaves()), len(leaves))
		}
		for i, l := range r.Leaves() {
			want := leaves[i]
			if l.Kind != want.Kind || l.Audience != want.Audience || l.Type != want.Type || l.Schema != want.Schema ||
				!bytes.Equal(l.Data, want.Data) || l.Redacted {
				t.Errorf("leaf %d is %+v, expected %+v", i, l, want)
			}
			if !bytes.Equal(l.Salt, strangersSalt(secret[:], h.Game, h.Version, uint32(i))) {
				t.Errorf("leaf %d: the salt is not the documented one", i)
			}
		}
		m := new(logv1.Record)
		if err := proto.Unmarshal(s.Data, m); err != nil {
			t.Fatal(err)
		}
		if again, err := proto.Marshal(m); err != nil || !bytes.Equal(again, s.Data) {
			t.Errorf("protobuf writes other bytes: %v", err)
		}
		if !bytes.Equal(strangersHash(m), s.Hash[:]) {
			t.Error("the hash is not the documented one")
		}
	})
}

func TestRedactionKeepsTheHashAndHidesTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, _, _, _, _ := drawRecord(t)
		open := rapid.SampledFrom([]func([]byte) (*ledger.Record, error){ledger.Open, ledger.Parse}).Draw(t, "open")
		r, err := open(s.Data)
		if err != nil {
			t.Fatal(err)
		}
		v := rules.Viewer{Seats: rules.Seats(rapid.Uint32Range(0, 1<<31-1).Draw(t, "seats"))}
		hidden := r.Redact(v)
		checked, err := ledger.Open(hidden.Data())
		if err != nil {
			t.Fatalf("the redacted record does not open: %v", err)
		}
		if checked.Hash() != s.Hash || checked.Prev() != r.Prev() || len(checked.Leaves()) != len(r.Leaves()) {
			t.Error("redaction changes hash, prev or the number of leaves")
		}
		if !bytes.Equal(strangersHash(checked.Message()), s.Hash[:]) {
			t.Error("the hash is not the documented one")
		}
		n := 0
		for i, l := range checked.Leaves() {
			whole := r.Leaves()[i]
			if l.Redacted == v.MaySee(l.Audience) {
				t.Errorf("leaf %d for %b: hidden from %b is %v", i, l.Audience, v.Seats, l.Redacted)
			}
			if l.Redacted {
				n++
				if l.Type != "" || l.Schema != 0 || l.Data != nil || l.Salt != nil {
					t.Errorf("leaf %d is hidden and shows %+v", i, l)
				}
			}
			if l.Kind != whole.Kind || l.Audience != whole.Audience {
				t.Errorf("leaf %d changed its kind or audience", i)
			}
		}
		if hidden.Hidden() != n || checked.Hidden() != n {
			t.Errorf("%d hidden leaves, counted %d and %d", n, hidden.Hidden(), checked.Hidden())
		}
		if twice := hidden.Redact(v); !bytes.Equal(twice.Data(), hidden.Data()) {
			t.Error("redacting twice differs")
		}
		if m, err := ledger.OpenMessage(hidden.Message()); err != nil || m.Hash() != s.Hash {
			t.Errorf("as a message: %v", err)
		}
		if r.Redact(rules.Auditor) != r {
			t.Error("the auditor gets another record")
		}
	})
}

// TestEveryBitCounts turns every bit of a record, whole and redacted: none may pass.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	r := goldenRecord(t)
	for name, data := range map[string][]byte{"whole": r.Data(), "redacted": r.Redact(rules.Spectator).Data(),
		"seat": r.Redact(rules.SeatViewer(0)).Data()} {
		for bit := range 8 * len(data) {
			damaged := bytes.Clone(data)
			damaged[bit/8] ^= 1 << (bit % 8)
			if _, err := ledger.Open(damaged); err == nil {
				t.Errorf("%s: bit %d of byte %d can be turned", name, bit%8, bit/8)
			}
		}
		for n := range data {
			if _, err := ledger.Open(data[:n]); err == nil {
				t.Errorf("%s: the first %d bytes are a record", name, n)
			}
		}
	}
	if _, err := ledger.Open(append(bytes.Clone(r.Data()), 0x2a, 0)); err == nil {
		t.Error("an unknown field passes")
	}
}

func TestOpenRefusesWhatNoHashWouldCover(t *testing.T) {
	t.Parallel()
	good := goldenRecord(t).Data()
	at := func(i int, insert ...byte) []byte {
		return bytes.Join([][]byte{good[:i], insert, good[i:]}, nil)
	}
	header := 34 // behind the hash of the record before
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "expected the hash of the record before"},
		{"a field twice", at(0, good[:34]...), "byte 34: expected a header"},
		{"an unknown field", at(header, 0x2a, 1, 0), "expected a header"},
		{"a long varint", bytes.Join([][]byte{{0x0a, 0xa0, 0}, good[2:]}, nil),
			"the hash of the record before is no number in its shortest form"},
		{"an empty header", append(bytes.Clone(good[:header]), 0x12, 0), "a header is empty"},
		{"a short hash", append([]byte{0x0a, 31}, good[3:]...), ""},
		{"a length beyond the end", []byte{0x0a, 0xff, 0x7f}, "has 16383 bytes, only 0 are left"},
		{"a number without end", append([]byte{0x0a}, bytes.Repeat([]byte{0xff}, 12)...),
			"no number in its shortest form"},
		{"too large", make([]byte, ledger.MaxRecord+1), "more than 16777216"},
	} {
		_, err := ledger.Open(c.data)
		var format *ledger.FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.want)
		}
	}
}

func TestOpenRefusesMessagesWithMoreThanItHashes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(m *logv1.Record){
		"unknown field in a leaf": func(m *logv1.Record) {
			m.Leaves[0].ProtoReflect().SetUnknown([]byte{0xa0, 6, 1})
		},
		"unknown field in a payload": func(m *logv1.Record) {
			m.Leaves[0].Payload.ProtoReflect().SetUnknown([]byte{0xa0, 6, 1})
		},
		"payload and digest": func(m *logv1.Record) { m.Leaves[0].Digest = make([]byte, 32) },
		"digest and salt": func(m *logv1.Record) {
			m.Leaves[0].Payload, m.Leaves[0].Digest = nil, make([]byte, 32)
		},
		"no kind":          func(m *logv1.Record) { m.Leaves[0].Kind = 0 },
		"kind of tomorrow": func(m *logv1.Record) { m.Leaves[0].Kind = 4 },
		"no schema":        func(m *logv1.Record) { m.Leaves[0].Payload.Schema = 0 },
		"no type":          func(m *logv1.Record) { m.Leaves[0].Payload.Type = "" },
		"long salt":        func(m *logv1.Record) { m.Leaves[0].Salt = make([]byte, 17) },
		"short digest": func(m *logv1.Record) {
			m.Leaves[0] = &logv1.Leaf{Kind: 1, Digest: make([]byte, 31)}
		},
		"header without a game":    func(m *logv1.Record) { m.Header = []byte{16, 1, 56, 2} },
		"header without a version": func(m *logv1.Record) { m.Header = []byte{10, 1, 'g', 56, 2} },
		"header without a kind":    func(m *logv1.Record) { m.Header = []byte{10, 1, 'g', 16, 1} },
		"header of no message":     func(m *logv1.Record) { m.Header = []byte{0xff} },
	} {
		m := goldenRecord(t).Message()
		change(m)
		m.Hash = strangersHash(m)
		var format *ledger.FormatError
		if _, err := ledger.OpenMessage(m); !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := goldenRecord(t).Message()
	m.Leaves[1].Payload.Data[3]++
	if _, err := ledger.OpenMessage(m); !errors.Is(err, ledger.ErrHash) {
		t.Errorf("changed contents: %v", err)
	}
	if _, err := ledger.Parse(func() []byte { data, _ := proto.Marshal(m); return data }()); err != nil {
		t.Errorf("Parse does not compute hashes, and said %v", err)
	}
}

func TestSealRefusesWhatCouldNotBeReadBack(t *testing.T) {
	t.Parallel()
	salts := ledger.NewSalter(goldenSecret, "g")
	for name, change := range map[string]func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf{
		"no game":         func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { h.Game = ""; return l },
		"no version":      func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { h.Version = 0; return l },
		"no kind":         func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { h.Kind = 0; return l },
		"no UTF-8":        func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { h.Seat = "\xff"; return l },
		"leaf, no kind":   func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { l[0].Kind = 0; return l },
		"leaf, no type":   func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { l[0].Type = ""; return l },
		"leaf, no schema": func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { l[0].Schema = 0; return l },
		"leaf, redacted": func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
			l[0].Redacted = true
			return l
		},
		"too large": func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
			l[0].Data = make([]byte, ledger.MaxRecord)
			return l
		},
		"too many": func(h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
			return append(l, make([]ledger.Leaf, ledger.MaxLeaves)...)
		},
	} {
		h := goldenHeader()
		if _, err := ledger.Seal(ledger.Hash{}, h, change(h, goldenLeaves()), salts); err == nil {
			t.Errorf("%s: sealed", name)
		}
	}
}

package ledger_test

import (
	"bytes"
	"io"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// typical is a command with two dice and six events: about what a move in a wargame brings.
func typical() []ledger.Leaf {
	event := func(n int) ledger.Leaf {
		return ledger.Leaf{Kind: logv1.LeafKind_LEAF_KIND_EVENT, Type: "warledger.toy.v1.Event", Schema: 1,
			Data: bytes.Repeat([]byte{1}, n)}
	}
	roll := ledger.Leaf{Kind: logv1.LeafKind_LEAF_KIND_ROLL, Type: "warledger.log.v1.Roll", Schema: 1,
		Data: make([]byte, 14)}
	command := ledger.Leaf{Kind: logv1.LeafKind_LEAF_KIND_COMMAND, Type: "warledger.toy.v1.Command", Schema: 1,
		Data: make([]byte, 24)}
	hidden := event(40)
	hidden.Audience = rules.OnlySeats(1)
	return []ledger.Leaf{command, event(24), roll, roll, event(30), event(12), hidden, event(60), event(20)}
}

func sealTypical(b *testing.B) ledger.Sealed {
	b.Helper()
	s, err := ledger.Seal(ledger.Hash{}, goldenHeader(), typical(), ledger.NewSalter(goldenSecret, "game-1"))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkSeal(b *testing.B) {
	b.ReportAllocs()
	h, leaves, salts := goldenHeader(), typical(), ledger.NewSalter(goldenSecret, "game-1")
	var s ledger.Sealed
	for b.Loop() {
		s, _ = ledger.Seal(ledger.Hash{}, h, leaves, salts)
	}
	b.ReportMetric(float64(len(s.Data)), "bytes/record")
}

func BenchmarkSalt(b *testing.B) {
	b.ReportAllocs()
	salts := ledger.NewSalter(goldenSecret, "game-1")
	for b.Loop() {
		salts.Salt(7, 3)
	}
}

func BenchmarkOpen(b *testing.B)  { benchmarkRead(b, ledger.Open) }
func BenchmarkParse(b *testing.B) { benchmarkRead(b, ledger.Parse) }
func BenchmarkRedact(b *testing.B) {
	r, err := ledger.Parse(sealTypical(b).Data)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.Redact(rules.Spectator)
	}
}

func benchmarkRead(b *testing.B, read func([]byte) (*ledger.Record, error)) {
	data := sealTypical(b).Data
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay folds a whole game from its bytes; ns/record is what a record costs.
func BenchmarkReplay(b *testing.B) {
	game := whole(b, committed)
	line := game.tree.Line()
	b.ReportAllocs()
	for b.Loop() {
		g, err := ledger.Setup(game.set, game.created(), game.doc)
		if err != nil {
			b.Fatal(err)
		}
		replay := ledger.NewReplayer(g, 0)
		for _, v := range line {
			r, err := ledger.Parse(game.records[v-1])
			if err != nil {
				b.Fatal(err)
			}
			if err := replay.Add(r); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(line)), "ns/record")
}

func BenchmarkAudit(b *testing.B) {
	game := whole(b, committed)
	reg := registry(b, game.set)
	for b.Loop() {
		if sum, err := ledger.Audit(b.Context(), source(game.records), reg, game.doc, ledger.AuditOptions{},
			nil); err != nil || sum.Errors > 0 {
			b.Fatalf("%+v, %v", sum, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(game.records)), "ns/record")
}

func BenchmarkExport(b *testing.B) {
	game := whole(b, committed)
	h := game.exportHeader(game.records)
	for b.Loop() {
		if err := ledger.WriteExport(io.Discard, h, source(game.records)()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(game.records)), "ns/record")
}

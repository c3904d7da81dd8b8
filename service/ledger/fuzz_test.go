package ledger_test

import (
	"bytes"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// FuzzOpen: whatever opens is canonical, and stays verifiable for every viewer.
func FuzzOpen(f *testing.F) {
	r := goldenRecord(f)
	f.Add(r.Data())
	f.Add(r.Redact(rules.Spectator).Data())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := ledger.Parse(data)
		opened, bad := ledger.Open(data)
		if err != nil {
			if bad == nil {
				t.Error("opens, but does not parse")
			}
			return
		}
		message, wrong := ledger.OpenMessage(parsed.Message())
		if (wrong == nil) != (bad == nil) {
			t.Errorf("as bytes: %v; as a message: %v", bad, wrong)
		}
		if bad != nil {
			return
		}
		if !bytes.Equal(message.Data(), data) {
			t.Error("the message gives other bytes: a bit of the record is not proved")
		}
		hidden, err := ledger.Open(opened.Redact(rules.Spectator).Data())
		if err != nil || hidden.Hash() != opened.Hash() {
			t.Errorf("redacted: %v", err)
		}
	})
}

// FuzzReadExport: no bytes make the reader or the audit panic, and a file that passes keeps passing.
func FuzzReadExport(f *testing.F) {
	game := whole(f, committed)
	f.Add(game.file(game.exportHeader(game.records[:3]), game.records[:3]))
	f.Add([]byte(ledger.ExportMagic))
	reg := registry(f, game.set)
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ledger.ReadExport(bytes.NewReader(data))
		if err != nil {
			return
		}
		sum, err := ledger.AuditExport(t.Context(), e, reg, ledger.AuditOptions{}, nil)
		if err != nil || sum.Errors > 0 {
			return
		}
		var again bytes.Buffer
		if err := ledger.WriteExport(&again, e.Header(), e.Records()); err != nil {
			t.Fatalf("a file that was verified cannot be written: %v", err)
		}
		second, err := ledger.ReadExport(bytes.NewReader(again.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if sum2, err := ledger.AuditExport(t.Context(), second, reg, ledger.AuditOptions{}, nil); err != nil ||
			sum2.Hash != sum.Hash || sum2.Errors > 0 {
			t.Errorf("written again it is not verified: %+v, %v", sum2, err)
		}
	})
}

// FuzzAudit changes a log behind correct hashes: nothing may panic, whatever the records claim.
func FuzzAudit(f *testing.F) {
	game := whole(f, committed)
	f.Add(uint16(5), uint8(1), uint16(3), uint8(1))
	f.Add(uint16(0), uint8(0), uint16(9), uint8(200))
	f.Fuzz(func(t *testing.T, record uint16, leaf uint8, at uint16, xor uint8) {
		mine := *game
		mine.tb = t
		mine.salts = ledger.NewSalter(mine.salt, mine.game)
		forged := mine.forge(func(log []parts) []parts {
			p := &log[int(record)%len(log)]
			l := &p.leaves[int(leaf)%len(p.leaves)]
			l.Data = bytes.Clone(l.Data)
			if len(l.Data) > 0 {
				l.Data[int(at)%len(l.Data)] ^= xor
			}
			return log
		})
		sum, _ := mine.audit(forged, ledger.AuditOptions{Stride: 1})
		if honest := bytes.Equal(forged[len(forged)-1], game.records[len(game.records)-1]); honest && sum.Errors > 0 {
			t.Errorf("an honest game: %+v", sum)
		}
	})
}

package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

func (t *table) exportHeader(records [][]byte) *logv1.ExportHeader {
	return &logv1.ExportHeader{Game: t.game, Records: uint64(len(records)), LastHash: t.prev[:],
		ScenarioDocument: t.doc, Program: "warledger test"}
}

func (t *table) file(h *logv1.ExportHeader, records [][]byte) []byte {
	t.tb.Helper()
	if n := len(records); n > 0 {
		last, err := ledger.Parse(records[n-1])
		t.must(err)
		hash := last.Hash()
		h.LastHash = hash[:]
	}
	var b bytes.Buffer
	t.must(ledger.WriteExport(&b, h, source(records)()))
	return b.Bytes()
}

// verify is what the command line does with a file.
func (t *table) verify(file []byte) (ledger.Summary, []ledger.Finding, error) {
	t.tb.Helper()
	e, err := ledger.ReadExport(bytes.NewReader(file))
	if err != nil {
		return ledger.Summary{}, nil, err
	}
	var found []ledger.Finding
	sum, err := ledger.AuditExport(t.tb.Context(), e, registry(t.tb, t.set), ledger.AuditOptions{},
		func(f ledger.Finding) { found = append(found, f) })
	return sum, found, err
}

func TestExportedGameIsReadBackAndVerified(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	file := game.file(game.exportHeader(game.records), game.records)
	sum, found, err := game.verify(file)
	if err != nil || len(found) > 0 || sum.Records != uint64(len(game.records)) || len(sum.Unchecked) > 0 ||
		sum.Rolls == 0 {
		t.Errorf("%+v, found %v, %v", sum, found, err)
	}
	e, err := ledger.ReadExport(io.MultiReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	var records [][]byte
	for data, err := range e.Records() {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, data)
	}
	if diff := cmp.Diff(game.records, records); diff != "" {
		t.Error(diff)
	}
	want := game.exportHeader(game.records)
	want.Format = 1
	if diff := cmp.Diff(want, e.Header(), protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	for _, err := range e.Records() {
		if err == nil || !strings.Contains(err.Error(), "can be read only once") {
			t.Errorf("read from a pipe twice: %v", err)
		}
	}
}

func TestFileOfAViewerIsVerifiedAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	records := make([][]byte, len(game.records))
	for i, r := range game.opened() {
		records[i] = r.Redact(rules.SeatViewer(0)).Data()
	}
	h := game.exportHeader(records)
	_, found, err := game.verify(game.file(h, records))
	if err != nil || len(found) != 1 ||
		!strings.Contains(found[0].String(), "leaves are hidden in a file that is said to be whole") {
		t.Errorf("found %v, %v", found, err)
	}
	h.Redacted = true
	sum, found, err := game.verify(game.file(h, records))
	if err != nil || len(found) > 0 || len(sum.Unchecked) == 0 || sum.Hidden == 0 {
		t.Errorf("%+v, found %v, %v", sum, found, err)
	}
}

// TestHeadersHaveABound: the header of a file holds the largest document and 64 KiB more.
func TestHeadersHaveABound(t *testing.T) {
	t.Parallel()
	r := goldenRecord(t)
	hash := r.Hash()
	h := &logv1.ExportHeader{Format: ledger.ExportFormat, Game: "game-1", Records: 1, LastHash: hash[:],
		ScenarioDocument: make([]byte, ledger.MaxDocument)}
	h.Program = strings.Repeat("p", 60<<10) // its length takes as many bytes as that of the rest
	h.Program = strings.Repeat("p", 60<<10+ledger.MaxDocument+64<<10-proto.Size(h))
	for more, good := range map[string]bool{"": true, "p": false} {
		big := proto.CloneOf(h)
		big.Program += more
		var b bytes.Buffer
		err := ledger.WriteExport(&b, big, source([][]byte{r.Data()})())
		if (err == nil) != good {
			t.Errorf("writing a header of %d bytes: %v", proto.Size(big), err)
		}
	}
}

// TestGoldenFile pins the frame of a file byte for byte.
func TestGoldenFile(t *testing.T) {
	t.Parallel()
	r := goldenRecord(t)
	hash := r.Hash()
	var b bytes.Buffer
	h := &logv1.ExportHeader{Game: "game-1", Records: 1, LastHash: hash[:], ScenarioDocument: []byte("{}"),
		Program: "warledger"}
	if err := ledger.WriteExport(&b, h, source([][]byte{r.Data()})()); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/file.golden", hex.Dump(b.Bytes()))

	h.Format = 1
	header, err := proto.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("warledger game file 1\n")
	for _, piece := range [][]byte{header, r.Data()} {
		want = append(binary.AppendUvarint(want, uint64(len(piece))), piece...)
	}
	sum := sha256.Sum256(want)
	if !bytes.Equal(append(want, sum[:]...), b.Bytes()) {
		t.Error("the file is not the documented one")
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	t.Parallel()
	r := goldenRecord(t)
	hash := r.Hash()
	var b bytes.Buffer
	h := &logv1.ExportHeader{Game: "game-1", Records: 2, LastHash: hash[:], ScenarioDocument: []byte("{}")}
	if err := ledger.WriteExport(&b, h, source([][]byte{r.Data(), r.Data()})()); err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) error {
		e, err := ledger.ReadExport(bytes.NewReader(data))
		if err != nil {
			return err
		}
		for _, err := range e.Records() {
			if err != nil {
				return err
			}
		}
		return nil
	}
	file := b.Bytes()
	if err := read(file); err != nil {
		t.Fatal(err)
	}
	for n := range file {
		var bad *ledger.FileError
		if err := read(file[:n]); !errors.As(err, &bad) || !strings.Contains(err.Error(), "ends") {
			t.Errorf("the first %d of %d bytes: %v", n, len(file), err)
		}
	}
	for bit := range 8 * len(file) {
		damaged := bytes.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		var bad *ledger.FileError
		if err := read(damaged); !errors.As(err, &bad) {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
	}
	if err := read(append(bytes.Clone(file), 0)); err == nil ||
		!strings.Contains(err.Error(), "more after the checksum") {
		t.Errorf("more at the end: %v", err)
	}
}

// sealFile makes a file of pieces, with the right checksum.
func sealFile(pieces ...[]byte) []byte {
	file := []byte(ledger.ExportMagic)
	for _, p := range pieces {
		file = append(binary.AppendUvarint(file, uint64(len(p))), p...)
	}
	sum := sha256.Sum256(file)
	return append(file, sum[:]...)
}

func encode(t *testing.T, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestForgedFilesAreRefusedByName(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	n := len(game.records)
	header := func(change func(h *logv1.ExportHeader)) []byte {
		h := game.exportHeader(game.records)
		h.Format = 1
		change(h)
		return encode(t, h)
	}
	same := header(func(*logv1.ExportHeader) {})
	pieces := func(first []byte, records [][]byte) []byte { return sealFile(append([][]byte{first}, records...)...) }
	swapped, changed := slices.Clone(game.records), slices.Clone(game.records)
	swapped[5], swapped[6] = swapped[6], swapped[5]
	changed[5] = bytes.Clone(changed[5])
	changed[5][50] ^= 1
	long := binary.AppendUvarint([]byte(ledger.ExportMagic), 1<<40)
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"another magic", []byte("warledger game file 2\n...."), `the first line is not "warledger game file 1"`},
		{"a newer format", pieces(header(func(h *logv1.ExportHeader) { h.Format = 2 }), game.records),
			"format 2, this program reads 1"},
		{"a header of no message", pieces([]byte{0xff}, nil), "game file: header:"},
		{"a header without end", long, "length of the header is no sensible number"},
		{"a huge header", append(binary.AppendUvarint([]byte(ledger.ExportMagic), 9<<20), 1),
			"the header has 9437184 bytes, more than"},
		{"a huge document", pieces(header(func(h *logv1.ExportHeader) {
			h.ScenarioDocument = make([]byte, ledger.MaxDocument+1)
		}), game.records), "the scenario document has 4194305 bytes, more than"},
		{"a huge record", pieces(same, [][]byte{make([]byte, ledger.MaxRecord+1)}),
			"record 1: the record has 16777217 bytes, more than"},
		{"a huge record that is not there",
			append(append(binary.AppendUvarint([]byte(ledger.ExportMagic), uint64(len(same))), same...), 0x80, 0x80,
				0x80, 4, 1), "record 1: the file ends in the record, after 1 of 8388608 bytes"},
		{"an empty record", pieces(same, [][]byte{{}}), "record 1: the length of the record is 0"},
		{"fewer records than said", pieces(header(func(h *logv1.ExportHeader) { h.Records++ }), game.records),
			"game file: record "},
		{"more records than said", pieces(header(func(h *logv1.ExportHeader) { h.Records-- }), game.records),
			"the checksum after record"},
		{"records swapped", pieces(same, swapped), "chain: record 6 has version 7, expected 6"},
		{"a record changed", pieces(same, changed), "chain: record 6 cannot be read: "},
		{"a record dropped", pieces(header(func(h *logv1.ExportHeader) {
			h.Records--
		}), slices.Delete(slices.Clone(game.records), 5, 6)), "chain: record 6 has version 7, expected 6"},
		{"another last hash",
			pieces(header(func(h *logv1.ExportHeader) { h.LastHash = make([]byte, 32) }), game.records),
			"the file is said to end with 0000"},
		{"cut at the end, with a new header",
			pieces(header(func(h *logv1.ExportHeader) { h.Records-- }), game.records[:n-1]),
			"the file is said to end with"},
		{"another game", pieces(header(func(h *logv1.ExportHeader) { h.Game = "g-8" }), game.records),
			`error: file: the file is said to hold game "g-8", its records are of "g-7"`},
		{"another document",
			pieces(header(func(h *logv1.ExportHeader) { h.ScenarioDocument = []byte("{}") }), game.records),
			"commitment: record 1 names a scenario document with digest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sum, found, err := game.verify(c.file)
			got := ""
			if err != nil {
				got = err.Error()
			}
			for _, f := range found {
				got += "\n" + f.String()
			}
			if !strings.Contains(got, c.want) || err == nil && sum.Errors == 0 {
				t.Errorf("expected %q, got: %s", c.want, got)
			}
		})
	}
}

func TestWriteExportRefusesWhatItWouldNotReadBack(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	broken := errors.New("broken disk")
	for name, c := range map[string]struct {
		change  func(h *logv1.ExportHeader)
		records iterSeq
	}{
		"too few":      {func(h *logv1.ExportHeader) { h.Records++ }, source(game.records)()},
		"too many":     {func(h *logv1.ExportHeader) { h.Records-- }, source(game.records)()},
		"another hash": {func(h *logv1.ExportHeader) { h.LastHash = nil }, source(game.records)()},
		"no record":    {func(h *logv1.ExportHeader) { h.Records = 1 }, source([][]byte{{1}})()},
		"a huge document": {func(h *logv1.ExportHeader) { h.ScenarioDocument = make([]byte, ledger.MaxDocument+1) },
			source(game.records)()},
		"a broken source": {func(h *logv1.ExportHeader) {},
			func(yield func([]byte, error) bool) { yield(nil, broken) }},
	} {
		h := game.exportHeader(game.records)
		c.change(h)
		if err := ledger.WriteExport(io.Discard, h, c.records); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// WriteExport writes a game file: the header, as many records as it says, and a checksum. The header's format is
// set here; its number of records and last hash must be those of the records. An error leaves a file that
// [ReadExport] refuses.
func WriteExport(w io.Writer, header *logv1.ExportHeader, records iter.Seq2[[]byte, error]) error {
	h := proto.CloneOf(header)
	h.Format = ExportFormat
	if len(h.ScenarioDocument) > MaxDocument {
		return fmt.Errorf("export: the scenario document has %d bytes, more than %d",
			len(h.ScenarioDocument), MaxDocument)
	}
	first, err := marshal(h)
	if err != nil {
		return fmt.Errorf("export: header: %w", err)
	}
	if len(first) > maxExportHeader {
		return fmt.Errorf("export: the header has %d bytes, more than %d", len(first), maxExportHeader)
	}
	sum := sha256.New()
	out := io.MultiWriter(w, sum)
	if _, err := io.WriteString(out, ExportMagic); err != nil {
		return err
	}
	if err := writeFrame(out, first); err != nil {
		return err
	}
	if err := writeRecords(out, h, records); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

func writeRecords(w io.Writer, h *logv1.ExportHeader, records iter.Seq2[[]byte, error]) error {
	n := uint64(0)
	var last *Record
	for data, err := range records {
		if err != nil {
			return err
		}
		if n++; n > h.Records {
			return fmt.Errorf("export: more than the %d records of the header", h.Records)
		}
		if last, err = Parse(data); err != nil {
			return fmt.Errorf("export: record %d: %w", n, err)
		}
		if err := writeFrame(w, data); err != nil {
			return err
		}
	}
	if n != h.Records {
		return fmt.Errorf("export: %d records, the header says %d", n, h.Records)
	}
	if last != nil && string(last.hash[:]) != string(h.LastHash) {
		return fmt.Errorf("export: the last record has hash %x, the header says %x", last.hash, h.LastHash)
	}
	return nil
}

func writeFrame(w io.Writer, data []byte) error {
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(data)))); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

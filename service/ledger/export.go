package ledger

import (
	"context"
	"fmt"

	"github.com/warledger/warledger/rules"
)

// The frame of an exported game file.
const (
	// ExportMagic is how a game file begins.
	ExportMagic = "warledger game file 1\n"
	// ExportFormat is the format that this program writes, and the newest that it reads.
	ExportFormat = 1
	// MaxDocument is the size of a scenario document in bytes.
	MaxDocument = 4 << 20
	// maxExportHeader leaves room for the rest of the header.
	maxExportHeader = MaxDocument + 64<<10
)

// FileError says that bytes are no game file.
type FileError struct {
	// Record that was being read, from 1; 0 for the beginning of the file.
	Record uint64
	// What was found and what was expected.
	What string
}

func (e *FileError) Error() string {
	if e.Record == 0 {
		return "game file: " + e.What
	}
	return fmt.Sprintf("game file: record %d: %s", e.Record, e.What)
}

// AuditExport audits a game file: its header and everything that [Audit] checks. The file must be one that [ReadExport]
// can read more than once. The error is a *[FileError] if it is no whole game file.
func AuditExport(
	ctx context.Context, e *Export, reg *rules.Registry, o AuditOptions, report func(Finding),
) (Summary, error) {
	a := &auditor{ctx: ctx, report: report}
	sum, err := Audit(ctx, e.Records, reg, e.header.ScenarioDocument, o, report)
	if err != nil || sum.Records < e.header.Records {
		return sum, err
	}
	if sum.Game != e.header.Game {
		a.find(0, Error, CheckFile, "the file is said to hold game %q, its records are of %q", e.header.Game, sum.Game)
	}
	if string(sum.Hash[:]) != string(e.header.LastHash) {
		a.find(sum.Records, Error, CheckFile, "has hash %x, the file is said to end with %x",
			sum.Hash, e.header.LastHash)
	}
	if sum.Hidden > 0 && !e.header.Redacted {
		a.find(0, Error, CheckFile, "%d leaves are hidden in a file that is said to be whole", sum.Hidden)
	}
	sum.Errors += a.sum.Errors
	return sum, nil
}

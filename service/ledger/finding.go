package ledger

import (
	"fmt"
	"iter"

	"github.com/warledger/warledger/rules/dice"
)

// Source gives the stored records of a log, oldest first, from the beginning each time it is called: an audit reads a
// log more than once, so that it need not keep it. A record's bytes must stay as they are until the next is asked for.
type Source func() iter.Seq2[[]byte, error]

// Severity says how bad a finding is.
type Severity uint8

// The severities.
const (
	// Notice is worth knowing: the rules of the program would decide otherwise than those that the game was made with.
	Notice Severity = iota + 1
	// Error says that the log is not what it claims to be.
	Error
)

func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "notice"
}

// Check is a kind of examination that an audit makes.
type Check string

// The checks.
const (
	// CheckChain: every record is what its hash says, and they follow each other.
	CheckChain Check = "chain"
	// CheckCommitment: secrets and scenario document are those that the first record committed to.
	CheckCommitment Check = "commitment"
	// CheckTime: no record is older than the one before.
	CheckTime Check = "time"
	// CheckDice: every roll follows from the secret, and from the links that seats owed and revealed.
	CheckDice Check = "dice"
	// CheckFold: the events fold into positions.
	CheckFold Check = "fold"
	// CheckAdjudication: the rules decide every command as it was decided.
	CheckAdjudication Check = "adjudication"
	// CheckFork: a fork is what it says it was copied from.
	CheckFork Check = "fork"
	// CheckFile: the header of an exported file agrees with its records.
	CheckFile Check = "file"
)

// Finding is something that an audit found.
type Finding struct {
	// Version of the record; 0 for the log as a whole.
	Version uint64
	// Severity says how bad it is.
	Severity Severity
	// Check that found it.
	Check Check
	// Message says what was found and what was expected. It quotes nothing that a viewer might not see.
	Message string
	// Detail quotes contents, for those who may see everything; may be empty.
	Detail string
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s: ", f.Severity, f.Check)
	if f.Version != 0 {
		s += fmt.Sprintf("record %d ", f.Version)
	}
	s += f.Message
	if f.Detail != "" {
		s += " [" + f.Detail + "]"
	}
	return s
}

// AuditOptions are what an audit may be told. The zero value is good.
type AuditOptions struct {
	// DiceSecret and SaltSecret are for whoever knows them before they are released; nil otherwise.
	DiceSecret *dice.Secret
	SaltSecret *SaltSecret
	// Stride is how many commands lie between two positions that are kept for going back to, as long as they are
	// recent; 0 means 16. Of earlier ones fewer are kept.
	Stride int
	// Progress is told after each record how far the audit is; may be nil.
	Progress func(records, total uint64)
}

// Summary ends an audit.
type Summary struct {
	// Game is its id.
	Game string
	// Records, Rolls and Commands count what was checked: commands decided again and dice recomputed.
	Records, Rolls, Commands uint64
	// Hidden counts leaves that are redacted.
	Hidden uint64
	// Errors and Notices count the findings.
	Errors, Notices uint64
	// Head is the version of the current position.
	Head uint64
	// Ended is true if the log has its end: the record that releases the secrets.
	Ended bool
	// Hash of the last record.
	Hash Hash
	// Unchecked says what could not be checked, and why; empty if everything was.
	Unchecked []string
}

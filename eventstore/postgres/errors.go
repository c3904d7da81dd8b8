package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/warledger/warledger/eventstore"
)

// UnsafeError is returned when a database is set up so that what was acknowledged could be lost, or so that the engine
// cannot work with it. Nothing is written to such a database.
type UnsafeError struct {
	// Setting names what is wrong, as PostgreSQL does where it has a name for it.
	Setting string
	// Value is what was found.
	Value string
	// Want says what it must be, and why.
	Want string
}

// Error names the setting, what was found and what it must be.
func (e *UnsafeError) Error() string {
	return fmt.Sprintf("the database has %s = %s: %s", e.Setting, e.Value, e.Want)
}

// ErrStandby is returned, wrapped with the place, when every host in the connection string is a standby.
var ErrStandby = errors.New("the database is a standby: name its primary, or all hosts of the cluster")

// Codes of PostgreSQL's errors that the contract has a name for.
const (
	codeDiskFull      = "53100"
	codeReadOnly      = "25006"
	codeNoPrivilege   = "42501"
	codeUniqueness    = "23505"
	codeDeadlock      = "40P01"
	codeSerialization = "40001"

	classConnection     = "08"
	classIntervention   = "57P" // the server stops, starts or was told to end a session
	codeTooManySessions = "53300"
)

// Away reports whether an error of [Open] says that the database cannot be reached or does not serve at present, so
// that the same call may succeed later. A wrong password, an unknown database and settings that are not safe are no
// such errors. A standby is one, since another one may be about to take over.
func Away(err error) bool {
	var refused, away bool
	var look func(error)
	look = func(err error) {
		switch e := err.(type) {
		case *pgconn.PgError:
			passing := e.Code == codeTooManySessions || strings.HasPrefix(e.Code, classConnection) ||
				strings.HasPrefix(e.Code, classIntervention)
			away, refused = away || passing, refused || !passing
		case net.Error, *pgconn.ConnectError:
			away = true
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			look(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, part := range e.Unwrap() {
				look(part)
			}
		}
	}
	look(err)
	away = away || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	return away && !refused
}

// failed says in the contract's words why a call failed. The context's own error goes before what it led to.
func failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	var corrupt *eventstore.CorruptError
	if errors.As(err, &corrupt) || errors.Is(err, eventstore.ErrNotFound) || errors.Is(err, eventstore.ErrIO) {
		return err
	}
	cause := eventstore.ErrIO
	var said *pgconn.PgError
	if errors.As(err, &said) {
		switch said.Code {
		case codeDiskFull:
			cause = eventstore.ErrFull
		case codeReadOnly, codeNoPrivilege:
			cause = eventstore.ErrReadOnly
		}
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// lost reports whether an error of a statement leaves open what became of it. An answer that says ERROR means that
// nothing was stored; one that says FATAL, or no answer, does not.
func lost(err error) bool {
	var said *pgconn.PgError
	return !errors.As(err, &said) || said.SeverityUnlocalized != "ERROR"
}

// passing reports whether the same statement may succeed when it is sent again at once.
func passing(err error) bool {
	return hasCode(err, codeDeadlock, codeSerialization)
}

func hasCode(err error, codes ...string) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && slices.Contains(codes, said.Code)
}

package lab

import (
	"fmt"

	labv1 "github.com/warledger/warledger/proto/warledger/lab/v1"
)

// Reason says what kind of mistake a request has.
type Reason uint8

// The reasons, by the numbers of the contract.
const (
	// Malformed: the bytes are no request.
	Malformed = Reason(labv1.Reason_REASON_MALFORMED)
	// NotReady: nothing was opened or begun.
	NotReady = Reason(labv1.Reason_REASON_NOT_READY)
	// Unknown: there is no such ruleset, scenario or option.
	Unknown = Reason(labv1.Reason_REASON_UNKNOWN)
	// OutOfRange: a number is out of its range.
	OutOfRange = Reason(labv1.Reason_REASON_OUT_OF_RANGE)
)

// Refused is the error of a request that was not carried out. Nothing has happened.
type Refused struct {
	// Reason of it.
	Reason Reason
	// Game that it is about, -1 for none.
	Game int
	// Message says what is wrong and what was expected.
	Message string
}

func (r *Refused) Error() string { return r.Message }

func refuse(reason Reason, format string, args ...any) *Refused {
	return &Refused{reason, -1, fmt.Sprintf(format, args...)}
}

func outOfRange(game int, format string, args ...any) *Refused {
	return &Refused{OutOfRange, game, fmt.Sprintf(format, args...)}
}

package fault

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// Error is an error of the service: a reason with its message, metadata and details. It is a gRPC status too.
type Error struct {
	// Reason is a row of the table, or one that a ruleset defines.
	Reason Reason
	// Message says what was wrong and what was expected, in English.
	Message string
	// Metadata repeats whatever is dynamic in the message.
	Metadata map[string]string
	// Code is that of the reason.
	Code codes.Code

	details []protoadapt.MessageV1
	cause   error
}

// New makes an error of a reason of the table.
func New(r Reason, format string, args ...any) *Error {
	row, ok := Find(r)
	if !ok {
		panic(fmt.Sprintf("fault: the reason %s is not in the table", r))
	}
	e := &Error{Reason: r, Message: fmt.Sprintf(format, args...), Code: row.Code}
	for _, d := range row.Details {
		if d == retryInfo {
			e.detail(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
		}
	}
	return e
}

// With adds metadata: pairs of key and value.
func (e *Error) With(pairs ...any) *Error {
	if e.Metadata == nil {
		e.Metadata = make(map[string]string)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		e.Metadata[fmt.Sprint(pairs[i])] = fmt.Sprint(pairs[i+1])
	}
	return e
}

// Because keeps the cause for logs; the caller never sees it.
func (e *Error) Because(cause error) *Error { e.cause = cause; return e }

// Resource names what was looked for.
func (e *Error) Resource(kind, name string) *Error {
	return e.detail(&errdetails.ResourceInfo{ResourceType: kind, ResourceName: name, Description: e.Message})
}

// Quota names the limit that was reached.
func (e *Error) Quota(subject string) *Error {
	return e.detail(&errdetails.QuotaFailure{
		Violations: []*errdetails.QuotaFailure_Violation{{Subject: subject, Description: e.Message}},
	})
}

// RetryAfter says when the same request may be worth another try, in place of what the table says.
func (e *Error) RetryAfter(wait time.Duration) *Error {
	for _, d := range e.details {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			r.RetryDelay = durationpb.New(wait)
		}
	}
	return e
}

func (e *Error) detail(d protoadapt.MessageV1) *Error { e.details = append(e.details, d); return e }

// Error says the reason and the message.
func (e *Error) Error() string { return string(e.Reason) + ": " + e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// GRPCStatus is the error as callers see it.
func (e *Error) GRPCStatus() *status.Status {
	info := &errdetails.ErrorInfo{Reason: string(e.Reason), Domain: Domain, Metadata: e.Metadata}
	st := status.New(e.Code, e.Message)
	full, err := st.WithDetails(append([]protoadapt.MessageV1{info}, e.details...)...)
	if err != nil { // invalid UTF-8 in a detail
		full = st
	}
	p := full.Proto()
	censor(p)
	return status.FromProto(p)
}

// Violations collects what is wrong with the fields of a request.
type Violations []*errdetails.BadRequest_FieldViolation

// mostViolations is how many violations an error lists. A short request may have a million, each of which takes a
// hundred times as much in the answer.
const mostViolations = 250

// Add appends a violation; field is a path as in "options.fog". It keeps the first 250.
func (v *Violations) Add(field, format string, args ...any) {
	switch n := len(*v); {
	case n == mostViolations:
		format, args = "there are more faults, which are not listed", nil
	case n > mostViolations:
		return
	}
	*v = append(*v, &errdetails.BadRequest_FieldViolation{Field: field, Description: fmt.Sprintf(format, args...)})
}

// Err makes an error of a reason that lists them all; nil when none exist.
func (v Violations) Err(r Reason) error {
	if len(v) == 0 {
		return nil
	}
	e := New(r, "%s: %s", v[0].Field, v[0].Description)
	if len(v) > 1 {
		e.Message += fmt.Sprintf(" (and %d more)", len(v)-1)
	}
	return e.detail(&errdetails.BadRequest{FieldViolations: v})
}

// ReasonOf is the reason of an error, INTERNAL if it has none, and empty for no error.
func ReasonOf(err error) string {
	var known *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &known):
		return string(known.Reason)
	}
	return string(Internal)
}

// Cause is what only the server's own log says about an error.
func Cause(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return fmt.Sprint(inner)
	}
	return fmt.Sprint(err)
}

// panicked is where a goroutine panicked.
type panicked string

func (p panicked) Error() string { return "panic at " + string(p) }

// Panicked is a panic as an error, for the server's own log. It has only the place, because the value of a panic
// may quote a position.
func Panicked(stack []byte) error { return panicked(stack) }

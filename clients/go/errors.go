package warledger

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Domain is that of every error of a Warledger server.
const Domain = "warledger"

// Error is an error of the server, or of the way to it. errors.Is finds its reason.
type Error struct {
	// Code is that of gRPC.
	Code codes.Code
	// Reason is empty if the server gave none, as when it cannot be reached.
	Reason Reason
	// Message says what was wrong and what was expected, in English.
	Message string
	// Metadata repeats whatever is dynamic in the message.
	Metadata map[string]string
	// Fields lists what is wrong with single fields of the request or of a scenario document.
	Fields []Field
	// RetryAfter is how long to wait before trying again; 0 if the server did not say.
	RetryAfter time.Duration

	status *status.Status
}

// Field is what is wrong with one field.
type Field struct {
	// Path of the field ("units[3].hex").
	Path string
	// What is wrong and what was expected, in English.
	What string
}

func (e *Error) Error() string {
	if e.Reason == "" {
		return e.Code.String() + ": " + e.Message
	}
	return string(e.Reason) + ": " + e.Message
}

// Is reports whether target is the error's reason.
func (e *Error) Is(target error) bool {
	r, ok := target.(Reason)
	return ok && r == e.Reason
}

// GRPCStatus is the status that the error was made of.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// Refused is a command that the rules refused. Nothing happened. It is an [*Error] too.
type Refused struct {
	// Reason is one of the service or of the ruleset.
	Reason Reason
	// Rule is the paragraph that forbids it ("DF 13.10-4"); empty if no rule is concerned.
	Rule string
	// Title is the title of the rule, in the language asked for; empty if no rule is concerned.
	Title string
	// Ruleset is the name of the ruleset that the rule belongs to.
	Ruleset string
	// Message says why in English, with the rule id at the end.
	Message string
	// Words say why in the language asked for, without the rule id.
	Words string
	// Pieces and Spaces are the ids concerned.
	Pieces, Spaces []string
	// Metadata repeats whatever is dynamic in the message.
	Metadata map[string]string

	err *Error
}

func (r *Refused) Error() string { return r.err.Error() }

// Unwrap returns the error that the refusal is.
func (r *Refused) Unwrap() error { return r.err }

// GRPCStatus is the status that the refusal was made of.
func (r *Refused) GRPCStatus() *status.Status { return r.err.status }

// fromServer makes a typed error of what gRPC returned. An error that is not gRPC's stays as it is.
func fromServer(err error) error {
	var known *Error
	if err == nil || err == io.EOF || errors.As(err, &known) {
		return err
	}
	st, ok := status.FromError(err)
	if !ok {
		return err
	}
	e := &Error{Code: st.Code(), Message: st.Message(), status: st}
	refused, words, help := false, "", ""
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			if d.Domain == Domain {
				e.Reason, e.Metadata = Reason(d.Reason), d.Metadata
			}
		case *errdetails.BadRequest:
			for _, v := range d.FieldViolations {
				e.Fields = append(e.Fields, Field{v.Field, v.Description})
			}
		case *errdetails.RetryInfo:
			e.RetryAfter = d.RetryDelay.AsDuration()
		case *errdetails.PreconditionFailure:
			refused = true
		case *errdetails.LocalizedMessage:
			words = d.Message
		case *errdetails.Help:
			if len(d.Links) > 0 {
				help = d.Links[0].Description
			}
		}
	}
	if !refused {
		return e
	}
	return &Refused{
		Reason: e.Reason, Rule: e.Metadata["rule"], Ruleset: e.Metadata["ruleset"], Message: e.Message, Words: words,
		Title:  strings.TrimSpace(strings.TrimPrefix(help, e.Metadata["rule"])),
		Pieces: list(e.Metadata["pieces"]), Spaces: list(e.Metadata["spaces"]), Metadata: e.Metadata, err: e,
	}
}

func list(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, ",")
}

// typedUnary and typedStream turn every error of a connection into a typed one.
func typedUnary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	return fromServer(invoke(ctx, method, req, reply, cc, opts...))
}

func typedStream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer,
	opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, cc, method, opts...)
	if err != nil {
		return nil, fromServer(err)
	}
	return typedReceiver{s}, nil
}

type typedReceiver struct{ grpc.ClientStream }

// RecvMsg receives a message; its errors are typed.
func (s typedReceiver) RecvMsg(m any) error { return fromServer(s.ClientStream.RecvMsg(m)) }

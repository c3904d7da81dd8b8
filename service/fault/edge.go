package fault

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
)

// FromStore makes an error of what the event store said about a stream.
func FromStore(err error) *Error {
	var corrupt *eventstore.CorruptError
	var invalid *eventstore.InvalidError
	uncertain := errors.Is(err, eventstore.ErrUncertain)
	switch {
	case errors.Is(err, eventstore.ErrStopped): // also says why, which must not be taken for a fault of this call
		return New(StoreFailed, "the store writes nothing more until the server is restarted").
			With("uncertain", uncertain).Because(err)
	case errors.As(err, &corrupt):
		return New(LogCorrupt, "the log is damaged at version %d", corrupt.Version).With("version",
			corrupt.Version).Because(err)
	case errors.As(err, &invalid):
		return New(RecordTooLarge, "the store refuses the record: %s", invalid.Problem).Quota(invalid.What).Because(err)
	case errors.Is(err, eventstore.ErrFull) && !uncertain:
		return New(StoreFull, "the store is full").Quota("store").Because(err)
	case errors.Is(err, eventstore.ErrReadOnly) && !uncertain:
		return New(StoreReadOnly, "the store is read-only").Because(err)
	case errors.Is(err, eventstore.ErrClosed):
		return New(ShuttingDown, "the server is shutting down").Because(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fromContext(err)
	}
	return New(StoreFailed, "the store failed").With("uncertain", uncertain).Because(err)
}

func fromContext(err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return New(DeadlinePassed, "the deadline passed").Because(err)
	}
	return New(Canceled, "the caller gave up").Because(err)
}

// AtEdge maps whatever a handler returned to what goes over the wire. Errors of unknown origin are defects: the
// caller learns no more.
func AtEdge(err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known.GRPCStatus().Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fromContext(err).GRPCStatus().Err()
	}
	// gRPC's own, such as a message that cannot be sent any more.
	if st, ok := status.FromError(err); ok && st.Code() != codes.Unknown {
		return err
	}
	return New(Internal, "internal error").Because(err).GRPCStatus().Err()
}

package server_test

import (
	"context"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/proto/warledger/v1/warledgerv1connect"
)

// TestManySmallElements has a stranger send millions of empty messages in one request, by every protocol. It took
// gigabytes of memory, and each fault of each of them was listed in the answer.
func TestManySmallElements(t *testing.T) {
	t.Parallel()
	r := start(t)
	reminders := make([]*durationpb.Duration, 200_000)
	for i := range reminders {
		reminders[i] = new(durationpb.Duration)
	}
	req := &v1.CreateGameRequest{Deadlines: &logv1.Deadlines{Reminders: reminders}}
	check := func(protocol string, code codes.Code, err error, size int) {
		if code != codes.InvalidArgument || size > 10_000 ||
			!strings.Contains(err.Error(), "fields and list elements") {
			t.Errorf("%s: an error of %d bytes, %v", protocol, size, err)
		}
	}
	_, err := v1.NewGameServiceClient(r.conn).CreateGame(context.Background(), req)
	check("gRPC", status.Code(err), err, proto.Size(status.Convert(err).Proto()))
	for protocol, options := range protocols() {
		_, err := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web, options...).
			CreateGame(context.Background(), connect.NewRequest(req))
		size := 0
		for _, d := range detailsOf(err) {
			size += len(d.Bytes())
		}
		check(protocol, codes.Code(connect.CodeOf(err)), err, size)
	}
}

func detailsOf(err error) []*connect.ErrorDetail {
	if e, ok := err.(*connect.Error); ok {
		return e.Details()
	}
	return nil
}

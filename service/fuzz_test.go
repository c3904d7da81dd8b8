package service_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// calls lists every call of the services.
func calls() (all []protoreflect.MethodDescriptor) {
	for _, file := range []protoreflect.FileDescriptor{v1.File_warledger_v1_game_service_proto, v1.File_warledger_v1_catalog_service_proto, v1.File_warledger_v1_access_service_proto} {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				all = append(all, methods.Get(j))
			}
		}
	}
	return all
}

// seeds are requests that mean something to the game, so that the fuzzer begins behind the first checks.
func seeds(g *table) []proto.Message {
	uuid := "0b8f5c1e-7d6a-4f0e-9a52-3c8e1d2f4b60"
	return []proto.Message{
		&v1.CreateGameRequest{RequestId: uuid, Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: g.document("ford")}},
		&v1.TakeSeatRequest{Name: g.name, Seat: "red", RequestId: uuid},
		&v1.SubmitCommandRequest{Name: g.name, CommandId: uuid, Form: &v1.SubmitCommandRequest_Notation{Notation: "plan 0303"}, ManualDice: []uint32{1}},
		g.command("move r2 0304"),
		&v1.PreviewCommandRequest{Name: g.name, Form: &v1.PreviewCommandRequest_Notation{Notation: "move r2 0304"}, Policies: map[string]string{"hit": "stand"}},
		&v1.UndoRequest{Name: g.name, RequestId: uuid, Target: 1, Ask: true},
		&v1.AnswerUndoRequest{Name: g.name, RequestId: uuid, Asked: 6, Agree: true},
		&v1.RedoRequest{Name: g.name, RequestId: uuid},
		&v1.LeaveSeatRequest{Name: g.name, RequestId: uuid, Seat: "blue"},
		&v1.ListLegalActionsRequest{Name: g.name, Seat: "red", PageSize: 2, Kind: "move", Piece: "r2", Space: "0304"},
		&v1.GetBoardRequest{Name: g.name, Version: 3, Viewer: "red", LanguageCode: "ja", IncludeMap: true},
		&v1.ListRecordsRequest{Name: g.name, AfterVersion: 1, PageSize: 2, WholeTree: true, Viewer: "spectator"},
		&v1.WatchGameRequest{Name: g.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: 1}, Heartbeat: durationpb.New(time.Second)},
		&v1.ListGamesRequest{PageSize: 3, Ruleset: "rulesets/toy"},
		&v1.ListRulesRequest{Parent: "rulesets/toy", PageSize: 3},
		&v1.CreateTokenRequest{Name: g.name, Seat: "red", Rights: v1.Rights_RIGHTS_ACT, ExpireTime: hour(), RequestId: uuid},
		&v1.ListTokensRequest{Parent: g.name},
		&v1.RevokeTokenRequest{Name: g.name + "/tokens/aaaaaaaaaaaaaaaa"},
		&v1.GetScenarioRequest{Name: "rulesets/toy/scenarios/ford"},
	}
}

// FuzzRequests sends any bytes as the request of every call: nothing may panic, and nothing may be answered with a code that says that the server is at
// fault.
func FuzzRequests(f *testing.F) {
	h := open(f)
	g := redBegins(h)
	all := calls()
	for _, m := range seeds(g) {
		data, err := proto.Marshal(m)
		must(f, err)
		for i, call := range all {
			if call.Input().FullName() == m.ProtoReflect().Descriptor().FullName() {
				f.Add(uint8(i), uint8(3), data)
			}
		}
	}
	for i := range all {
		f.Add(uint8(i), uint8(0), []byte{})
	}
	f.Fuzz(func(t *testing.T, which, who uint8, data []byte) {
		call := all[int(which)%len(all)]
		kind, err := protoregistry.GlobalTypes.FindMessageByName(call.Input().FullName())
		must(t, err)
		req := kind.New().Interface()
		if proto.Unmarshal(data, req) != nil {
			return
		}
		var tokens []string
		for i, token := range []string{g.red, g.blue, g.owner} {
			if who&(1<<i) != 0 {
				tokens = append(tokens, token)
			}
		}
		if err := invoke(as(tokens...), g.conn, call, req); err != nil {
			switch code := status.Code(err); code {
			case codes.Internal, codes.Unknown, codes.DataLoss, codes.Unimplemented:
				t.Errorf("%s answers %s: %v\n%v", call.Name(), code, err, req)
			}
			if m := status.Convert(err).Message(); len(m) > 2000 || strings.Contains(m, "\n\n") {
				t.Errorf("%s: an error of %d characters: %.200s", call.Name(), len(m), m)
			}
		}
	})
}

// invoke makes a call; of a stream it reads a few messages.
func invoke(ctx context.Context, conn *grpc.ClientConn, call protoreflect.MethodDescriptor, req proto.Message) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	path := "/" + string(call.Parent().FullName()) + "/" + string(call.Name())
	kind, err := protoregistry.GlobalTypes.FindMessageByName(call.Output().FullName())
	if err != nil {
		return err
	}
	if !call.IsStreamingServer() {
		return conn.Invoke(ctx, path, req, kind.New().Interface())
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return err
	}
	if err := stream.SendMsg(req); err != nil {
		return nil // the stream's own error comes with the first message
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	err = stream.RecvMsg(kind.New().Interface())
	if err != nil && err.Error() == "EOF" {
		return nil
	}
	return err
}

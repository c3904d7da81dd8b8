package service

import (
	"bufio"
	"cmp"
	"context"

	"google.golang.org/grpc"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

// exportPart is the size of the messages that a file is sent in.
const exportPart = 64 << 10

// program names this program in exported files.
const program = "warledgerd"

// ExportGame streams a whole game as one file.
func (s *gameServer) ExportGame(
	req *v1.ExportGameRequest, stream grpc.ServerStreamingServer[v1.ExportGameResponse],
) error {
	ctx := stream.Context()
	v, done, err := s.enterStream(ctx, v1.GameService_ExportGame_FullMethodName, req.GetName())
	if err != nil {
		return err
	}
	defer done()
	ctx, stop := whileValid(ctx, v.caller)
	defer stop()
	m := v.Current()
	note(ctx).version = m.Version()
	viewer := v.viewer(m)
	document, err := s.scenarios.Document(ctx, ledger.Hash(v.Created.ScenarioDigest))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(exportStream{stream}, exportPart)
	header := exportHeader(v.ID, cmp.Or(m.Meta.ImportedProgram, program), viewer.All)
	header.Records, header.LastHash, header.ScenarioDocument = m.Version(), m.Hash[:], document
	if err := ledger.WriteExport(out, header, s.source(ctx, v.Game, m, viewer)()); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return out.Flush()
}

// exportHeader is what a file says about itself, but for what is in it.
func exportHeader(game, program string, all bool) *logv1.ExportHeader {
	return &logv1.ExportHeader{Game: game, Program: program, Redacted: !all}
}

// exportStream sends what is written in messages of moderate size.
type exportStream struct {
	stream grpc.ServerStreamingServer[v1.ExportGameResponse]
}

func (w exportStream) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		part := rest[:min(len(rest), 16*exportPart)]
		// Send may keep the bytes after it returns, and the writer uses them again.
		if err := w.stream.Send(&v1.ExportGameResponse{Data: append([]byte(nil), part...)}); err != nil {
			return len(data) - len(rest), err
		}
		rest = rest[len(part):]
	}
	return len(data), nil
}

package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/warledger/warledger/service/fault"
)

// adminPrefix begins the methods that need the admin token.
const adminPrefix = "/warledger.admin.v1."

// admin lets calls of administration through that bring the right token.
type admin struct{ hash [sha256.Size]byte }

// registerAdmin adds administration to the port for operations, if there is a token for it.
func (s *Server) registerAdmin(calls *grpc.Server) {
	if s.options.AdminToken != "" {
		s.service.RegisterAdmin(calls)
	}
}

func newAdmin(token string) *admin { return &admin{sha256.Sum256([]byte(token))} }

// allow compares digests, so that neither time nor length tells anything of the token.
func (a *admin) allow(ctx context.Context, method string) error {
	if !strings.HasPrefix(method, adminPrefix) {
		return nil
	}
	values := metadata.ValueFromIncomingContext(ctx, "authorization")
	if len(values) == 0 {
		return fault.New(fault.TokenRequired, "the call needs the server's admin token")
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if len(values) > 1 || !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare(sum[:], a.hash[:]) != 1 {
		return fault.New(fault.TokenUnknown, "that is not the server's admin token")
	}
	return nil
}

func (a *admin) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	if err := a.allow(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	return handle(ctx, req)
}

func (a *admin) stream(
	srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler,
) error {
	if err := a.allow(stream.Context(), info.FullMethod); err != nil {
		return err
	}
	return handle(srv, stream)
}

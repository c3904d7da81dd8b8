package server

import (
	"context"
	"net"
)

// Inside connects a client in the same process to the services, with the handlers and interceptors of the ports and
// without a socket. Its calls have no address, so nothing bounds them: end the client before [Server.Stop].
func (s *Server) Inside(ctx context.Context, _ string) (net.Conn, error) {
	return s.web.pipe.DialContext(ctx)
}

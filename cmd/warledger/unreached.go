package main

import (
	"crypto/tls"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/reach"
)

// unreachedError says in which way the server could not be reached, and what helps.
type unreachedError struct {
	reach.Result
	server string
}

func (e *unreachedError) Error() string {
	return fmt.Sprintf("the server at %s cannot be reached: %s", e.server, e.Found)
}

// unreached finds out why a call failed on its way, step by step: gRPC's own words teach nothing. It returns nil
// if the server itself gave the answer.
func (a *app) unreached(err error) *unreachedError {
	var e *warledger.Error
	if a.client == nil || !errors.As(err, &e) || e.Reason != "" {
		return nil
	}
	switch e.Code {
	case codes.Unavailable, codes.Unimplemented, codes.Unknown, codes.Internal, codes.DeadlineExceeded,
		codes.Unauthenticated, codes.PermissionDenied: // what gRPC makes of the pages of proxies too
	default:
		return nil
	}
	way, err := a.way()
	if err != nil {
		return nil
	}
	found := reach.Find(a.ctx, way)
	switch {
	case found.Kind != reach.OK:
		return &unreachedError{found, a.line.Server}
	case e.Code == codes.Unavailable: // it has come back meanwhile
		found.Found, found.Do = e.Message, "it answers now: try again"
		return &unreachedError{found, a.line.Server}
	}
	return nil
}

// way is how this program means to reach the server.
func (a *app) way() (reach.Way, error) {
	w := reach.Way{Target: a.line.Server, Patience: patience}
	config, err := a.trusted()
	if err != nil || config != nil {
		w.TLS = config
		return w, err
	}
	if a.line.TLS == "auto" && !warledger.OnThisHost(a.line.Server) {
		w.TLS = new(tls.Config)
	}
	return w, nil
}

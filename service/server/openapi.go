package server

import (
	_ "embed"
	"net/http"
)

// openAPI describes the plain paths, for whoever makes clients from such documents. It is made from the protos by
// internal/openapi.
//
//go:embed openapi.json
var openAPI []byte

func serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(openAPI) // the caller has gone
}

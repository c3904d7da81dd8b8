package reach

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

const (
	askCatalog = v1.CatalogService_ListRulesets_FullMethodName
	askHealth  = healthv1.Health_Check_FullMethodName
)

// longestBody is how much of an answer is read, in bytes.
const longestBody = 1 << 20

// answer is what came back for a call.
type answer struct {
	http    int
	grpc    string // the status; empty if it is no answer of gRPC
	message string // what came with it, or the text of a page
	body    []byte // the message of gRPC
}

// call asks the server for its rulesets, and then how it is. asked says whether it wanted a certificate of the client.
func (w Way) call(ctx context.Context, conn net.Conn, address string, asked bool) Result {
	t := transport(conn)
	defer t.CloseIdleConnections()
	got, err := w.ask(ctx, t, conn, address, askCatalog)
	if err != nil {
		return w.lost(err, address, asked)
	}
	if r := got.verdict(address); r.Kind != OK {
		return r
	}
	got, err = w.ask(ctx, t, conn, address, askHealth)
	if err != nil {
		return w.lost(err, address, asked)
	}
	state := new(healthv1.HealthCheckResponse)
	if got.grpc == "0" && proto.Unmarshal(got.body, state) == nil &&
		state.Status == healthv1.HealthCheckResponse_NOT_SERVING {
		return Result{Kind: NotServing, Found: "the server at " + address + " says that it can't work now",
			Do: "it is stopping, or its store can't be written: look at its log, its disk or its database"}
	}
	return Result{Kind: OK, Found: "a Warledger server answers at " + address}
}

// lost says why a call had no answer.
func (w Way) lost(err error, address string, asked bool) Result {
	switch alert := alertIn(err); {
	case isTimeout(err):
		return silent(address, w.Patience)
	case asked: // with TLS 1.3 a server refuses a client after the handshake, and its alert may be lost
		return wantsCertificate(address)
	case alert != "":
		return refusedBy(alert, address)
	}
	return Result{Kind: Broken, Found: fmt.Sprintf("%s ends the connection during a call: %v", address, err),
		Do: "a proxy in between may not pass gRPC on; otherwise look at the server's log"}
}

// ask makes a call with an empty message.
func (w Way) ask(ctx context.Context, t http.RoundTripper, conn net.Conn, address, method string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, w.Patience)
	defer cancel()
	at := url.URL{Scheme: "http", Host: address, Path: method}
	if _, ok := conn.(*tls.Conn); ok {
		at.Scheme = "https"
	}
	if conn.RemoteAddr().Network() == "unix" {
		at.Host = "localhost"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), bytes.NewReader(make([]byte, 5)))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/grpc")
	req.Header.Set("Te", "trailers")
	resp, err := t.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, longestBody))
	if err != nil {
		return answer{}, err
	}
	got := answer{http: resp.StatusCode}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/grpc") {
		got.message = string(body)
		return got, nil
	}
	if len(body) > 5 {
		got.body = body[5:]
	}
	for _, h := range []http.Header{resp.Trailer, resp.Header} { // a refusal may come without a body
		if s := h.Get("Grpc-Status"); s != "" {
			got.grpc, got.message = s, h.Get("Grpc-Message")
			break
		}
	}
	return got, nil
}

// verdict says what an answer means.
func (a answer) verdict(address string) Result {
	if a.grpc == "" {
		return a.page(address)
	}
	n, err := strconv.ParseUint(a.grpc, 10, 32)
	if err != nil {
		return notOurs(address)
	}
	switch code := codes.Code(n); code {
	case codes.OK:
		return Result{Kind: OK}
	case codes.Unimplemented:
		return wrongPath(address)
	case codes.ResourceExhausted:
		return Result{Kind: Busy, Found: "the server at " + address + " refuses for now: " + a.message,
			Do: "wait a moment; many programs behind one address share its limits"}
	case codes.Unavailable:
		return Result{Kind: NotServing, Found: "the server at " + address + " can't work now: " + a.message,
			Do: "it is stopping, or a proxy finds no server behind it: wait, then look at its log"}
	default:
		return Result{Kind: Broken, Found: fmt.Sprintf("%s answers %v: %s", address, code, a.message),
			Do: "look at the server's log"}
	}
}

// page says what an answer means that gRPC would not give.
func (a answer) page(address string) Result {
	status := fmt.Sprintf("%d %s", a.http, http.StatusText(a.http))
	switch a.http {
	case http.StatusMisdirectedRequest:
		return Result{Kind: WrongHost, Found: fmt.Sprintf("%s answers, but not under this name (%s)", address, status),
			Do: "its operator must add the name with --hosts; a proxy must pass on a name that the server knows"}
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusOK:
		return wrongPath(address)
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Result{Kind: BehindProxy,
			Found: fmt.Sprintf("a proxy at %s can't reach the server (%s)", address, status),
			Do:    "is warledgerd running behind it, and does the proxy speak HTTP/2 to the port of --listen?"}
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return Result{Kind: Forbidden,
			Found: fmt.Sprintf("a proxy at %s does not let this call through (%s)", address, status),
			Do:    "its operator must let calls to /warledger.v1.* through: the server checks tokens by itself"}
	}
	return Result{Kind: Broken, Found: fmt.Sprintf("%s answers %s, which is not a gRPC answer", address, status),
		Do: "a proxy in between may not pass gRPC on"}
}

func wrongPath(address string) Result {
	return Result{Kind: WrongPath, Found: "what answers at " + address + " is not a Warledger server",
		Do: "see that the port is the one of --listen, and that a proxy passes all paths /warledger.v1.* on"}
}

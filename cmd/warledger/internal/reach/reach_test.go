package reach

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop is a server that knows the catalogue.
type shop struct {
	v1.UnimplementedCatalogServiceServer
	err error
}

func (s shop) ListRulesets(context.Context, *v1.ListRulesetsRequest) (*v1.ListRulesetsResponse, error) {
	return &v1.ListRulesetsResponse{}, s.err
}

// served runs a gRPC server and gives its address. With a config it speaks TLS.
func served(t *testing.T, config *tls.Config, with func(*grpc.Server)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if config != nil {
		l = tls.NewListener(l, config)
	}
	srv := grpc.NewServer()
	with(srv)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Stop()
		<-done
	})
	return l.Addr().String()
}

func warledgers(srv *grpc.Server) { v1.RegisterCatalogServiceServer(srv, shop{}) }

// mint makes a certificate that signs itself, as changed.
func mint(t *testing.T, change func(*x509.Certificate)) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	change(c)
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: parsed}, pool
}

func asIs(*x509.Certificate) {}

// speaking answers each connection with bytes, once something was read, and closes it.
func speaking(t *testing.T, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1024))
			_, _ = conn.Write([]byte(text))
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// mute takes connections and never says anything.
func mute(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

// page runs a server that answers every request with a status and a text, by HTTP/2 without TLS too.
func page(t *testing.T, code int, http2 bool) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "a page", code)
	}))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(http2)
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// secureOf is a server of a certificate and the client's trust in it.
func secureOf(t *testing.T, change func(*x509.Certificate)) (string, *tls.Config) {
	t.Helper()
	cert, pool := mint(t, change)
	config := &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}}
	return served(t, config, warledgers), &tls.Config{RootCAs: pool}
}

// TestFind plants each way in which a server can't be reached.
func TestFind(t *testing.T) {
	t.Parallel()
	closed := mute(t)
	expired := func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }
	tomorrow := func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Hour) }
	elsewhere := func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"play.example"} }
	for _, test := range []struct {
		name  string
		plant func(t *testing.T, w *Way)
		kind  Kind
		found string
	}{
		{"a server", func(t *testing.T, w *Way) { w.Target = served(t, nil, warledgers) }, OK, "a Warledger server"},
		{"by a scheme", func(t *testing.T, w *Way) { w.Target = "dns:///" + served(t, nil, warledgers) }, OK, ""},
		{"with TLS", func(t *testing.T, w *Way) { w.Target, w.TLS = secureOf(t, asIs) }, OK, ""},
		{"no port", func(t *testing.T, w *Way) { w.Target = "play.example" }, BadAddress, "names no host and port"},
		{"a page", func(t *testing.T, w *Way) { w.Target = "https://play.example/" }, BadAddress, "address of a page"},
		{"no such name", func(t *testing.T, w *Way) {
			w.Target = "no.example:7480"
			w.Lookup = func(context.Context, string) ([]string, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "no.example", IsNotFound: true}
			}
		}, NoName, `"no.example"`},
		{"no DNS", func(t *testing.T, w *Way) {
			w.Target = "no.example:7480"
			w.Lookup = func(context.Context, string) ([]string, error) {
				return nil, &net.DNSError{Err: "timeout", Name: "no.example", IsTimeout: true}
			}
		}, NoResolver, "could not be looked up"},
		{"refused", func(t *testing.T, w *Way) { w.Target = refusing(t) }, Refused, "nothing listens"},
		{"no socket", func(t *testing.T, w *Way) { w.Target = "unix:" + t.TempDir() + "/socket" }, Refused, ""},
		{"mute", func(t *testing.T, w *Way) { w.Target = closed }, Timeout, "says nothing"},
		{"mute with TLS", func(t *testing.T, w *Way) { w.Target, w.TLS = closed, &tls.Config{} }, Timeout, ""},
		{"plain server", func(t *testing.T, w *Way) { w.Target, w.TLS = served(t, nil, warledgers), &tls.Config{} },
			Plain, "does not speak TLS"},
		{"TLS server", func(t *testing.T, w *Way) { w.Target, _ = secureOf(t, asIs) }, Encrypted, "speaks TLS"},
		{"expired", func(t *testing.T, w *Way) { w.Target, w.TLS = secureOf(t, expired) }, Expired, "expired at"},
		{"not valid yet", func(t *testing.T, w *Way) { w.Target, w.TLS = secureOf(t, tomorrow) }, NotYetValid, "from"},
		{"other name", func(t *testing.T, w *Way) { w.Target, w.TLS = secureOf(t, elsewhere) }, WrongName,
			"for play.example, not for 127.0.0.1"},
		{"unknown authority", func(t *testing.T, w *Way) {
			w.Target, _ = secureOf(t, asIs)
			w.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
		}, Unknown, "no authority that this machine trusts"},
		{"client certificate", func(t *testing.T, w *Way) {
			cert, pool := mint(t, asIs)
			w.Target = served(t, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"},
				ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}, warledgers)
			w.TLS = &tls.Config{RootCAs: pool}
		}, WantsCert, "only clients with a certificate"},
		{"TLS without HTTP/2", func(t *testing.T, w *Way) {
			cert, pool := mint(t, asIs)
			w.Target = served(t, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}},
				warledgers)
			w.TLS = &tls.Config{RootCAs: pool}
		}, NoHTTP2, "HTTP/1.1 only"},
		{"HTTP/1.1", func(t *testing.T, w *Way) { w.Target = page(t, 404, false) }, NoHTTP2, "HTTP/1.1 only"},
		{"another program", func(t *testing.T, w *Way) { w.Target = speaking(t, "220 mail.example ESMTP\r\n") },
			NoHTTP2, "does not speak HTTP/2"},
		{"wrong host", func(t *testing.T, w *Way) { w.Target = page(t, 421, true) }, WrongHost, "421"},
		{"wrong path", func(t *testing.T, w *Way) { w.Target = page(t, 404, true) }, WrongPath, "not a Warledger"},
		{"no server behind", func(t *testing.T, w *Way) { w.Target = page(t, 502, true) }, BehindProxy, "502"},
		{"password wanted", func(t *testing.T, w *Way) { w.Target = page(t, 401, true) }, Forbidden, "401"},
		{"other page", func(t *testing.T, w *Way) { w.Target = page(t, 500, true) }, Broken, "500"},
		{"other gRPC", func(t *testing.T, w *Way) { w.Target = served(t, nil, func(*grpc.Server) {}) }, WrongPath, ""},
		{"busy", func(t *testing.T, w *Way) { w.Target = failing(t, codes.ResourceExhausted) }, Busy, "told so"},
		{"stopping", func(t *testing.T, w *Way) { w.Target = failing(t, codes.Unavailable) }, NotServing, "told so"},
		{"failing", func(t *testing.T, w *Way) { w.Target = failing(t, codes.Internal) }, Broken, "Internal: told so"},
		{"not serving", func(t *testing.T, w *Way) {
			w.Target = served(t, nil, func(srv *grpc.Server) {
				warledgers(srv)
				h := health.NewServer()
				h.SetServingStatus("", healthv1.HealthCheckResponse_NOT_SERVING)
				healthv1.RegisterHealthServer(srv, h)
			})
		}, NotServing, "can't work"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := Way{Patience: time.Minute} // no server here is slow
			if strings.HasPrefix(test.name, "mute") {
				w.Patience = 20 * time.Millisecond
			}
			test.plant(t, &w)
			got := Find(t.Context(), w)
			if got.Kind != test.kind || !strings.Contains(got.Found, test.found) {
				t.Errorf("%+v, want the kind %s and %q", got, test.kind, test.found)
			}
			if (got.Do == "") != (got.Kind == OK) {
				t.Errorf("%q is what to do about %s", got.Do, got.Kind)
			}
			if w.TLS != nil && got.Kind == OK && got.Expires.IsZero() {
				t.Error("nothing says when the certificate expires")
			}
		})
	}
}

// refusing is an address where nothing listens.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

func failing(t *testing.T, code codes.Code) string {
	t.Helper()
	return served(t, nil, func(srv *grpc.Server) {
		v1.RegisterCatalogServiceServer(srv, shop{err: status.Error(code, "told so")})
	})
}

// TestCancelled ends as soon as it is told to.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Find(ctx, Way{Target: served(t, nil, warledgers), Patience: time.Hour}); got.Kind == OK {
		t.Errorf("%+v of a cancelled search", got)
	}
}

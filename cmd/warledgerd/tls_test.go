package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// writePair makes a certificate with a serial number and its key.
func writePair(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	for name, block := range map[string]*pem.Block{key: {Type: "PRIVATE KEY", Bytes: secret},
		cert: {Type: "CERTIFICATE", Bytes: der}} {
		data := pem.EncodeToMemory(block)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		pool.AppendCertsFromPEM(data)
	}
	return pool
}

// TestClientCertificates has the port for gRPC accept only clients with a certificate of an authority, also after the
// authorities have changed; the port for browsers asks nobody.
func TestClientCertificates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	pool := writePair(t, file("cert.pem"), file("key.pem"), 1)
	for i, who := range []string{"bot", "stranger"} {
		writePair(t, file(who+".pem"), file(who+"-key.pem"), int64(i+10))
	}
	trust := func(who string) {
		data, err := os.ReadFile(file(who + ".pem"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file("authorities.pem"), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trust("bot")
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "off", "--db", file("games.db"),
		"--tls-cert", file("cert.pem"), "--tls-key", file("key.pem"), "--tls-client-ca", file("authorities.pem"))
	ask := func(who string) error {
		config := &tls.Config{RootCAs: pool, ServerName: "localhost"}
		if who != "" {
			pair, err := tls.LoadX509KeyPair(file(who+".pem"), file(who+"-key.pem"))
			if err != nil {
				t.Fatal(err)
			}
			config.Certificates = []tls.Certificate{pair}
		}
		conn, err := grpc.NewClient(p.grpcAddress(), grpc.WithTransportCredentials(credentials.NewTLS(config)))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = v1.NewGameServiceClient(conn).ListGames(context.Background(), &v1.ListGamesRequest{})
		return err
	}
	for who, known := range map[string]bool{"bot": true, "stranger": false, "": false} {
		if err := ask(who); (err == nil) != known {
			t.Errorf("%q: %v", who, err)
		}
	}
	if serialOf(t, p.webAddress(), pool) != 1 {
		t.Error("browsers are asked for a certificate")
	}
	trust("stranger")
	p.reload <- syscall.SIGHUP
	for ask("stranger") != nil { // until the signal has been heard
	}
	if ask("bot") == nil {
		t.Error("who is trusted no longer is spoken to")
	}
	p.interrupt()
	if code, _, errs := try("--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", file("games.db"),
		"--tls-cert", file("cert.pem"), "--tls-key", file("key.pem"),
		"--tls-client-ca", file("key.pem")); code != int(failed) || !strings.Contains(errs, "holds no certificate") {
		t.Errorf("a key for authorities: %d, %q", code, errs)
	}
}

func serialOf(t *testing.T, address string, pool *x509.CertPool) int64 {
	t.Helper()
	conn, err := tls.Dial("tcp", address,
		&tls.Config{RootCAs: pool, ServerName: "localhost", NextProtos: []string{"h2"}})
	if err != nil {
		return 0
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// TestTLS speaks to both ports over TLS, refuses TLS 1.2 and plain text, and takes a new certificate on SIGHUP.
func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool := writePair(t, cert, key, 1)
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "127.0.0.1:0",
		"--db", filepath.Join(dir, "games.db"),
		"--tls-cert", cert, "--tls-key", key)
	conn, err := grpc.NewClient(p.grpcAddress(),
		grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: pool, ServerName: "localhost"})))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v1.NewGameServiceClient(conn).ListGames(context.Background(), &v1.ListGamesRequest{}); err != nil {
		t.Error(err)
	}
	_ = conn.Close()
	if _, err := tls.Dial("tcp", p.grpcAddress(),
		&tls.Config{RootCAs: pool, ServerName: "localhost", MaxVersion: tls.VersionTLS12}); err == nil {
		t.Error("TLS 1.2 is spoken")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost"},
		ForceAttemptHTTP2: true}
	client := &http.Client{Transport: transport}
	answer, err := client.Post("https://"+p.webAddress()+"/warledger.v1.GameService/ListGames", "application/json",
		strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 || answer.ProtoMajor != 2 {
		t.Errorf("%s %s", answer.Proto, answer.Status)
	}
	if plain, err := client.Post("http://"+p.webAddress()+
		"/warledger.v1.GameService/ListGames", "application/json", strings.NewReader("{}")); err == nil {
		plain.Body.Close()
		if plain.StatusCode == 200 {
			t.Error("plain text is spoken")
		}
	}
	metrics, err := client.Get("http://" + p.opsAddress() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(metrics.Body); !strings.Contains(string(body),
		"warledger_tls_certificate_expiry_timestamp_seconds 1.") {
		t.Error("the expiry of the certificate is not in the metrics")
	}
	metrics.Body.Close()
	transport.CloseIdleConnections()

	pool = writePair(t, cert, key, 2)
	p.reload <- syscall.SIGHUP
	// until the signal has been heard
	for serialOf(t, p.grpcAddress(), pool) != 2 || serialOf(t, p.webAddress(), pool) != 2 {
	}
	p.interrupt()
}

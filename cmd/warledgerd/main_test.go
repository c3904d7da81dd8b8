package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func TestMain(m *testing.M) {
	if args := os.Getenv(asProgram); args != "" { // see stop_test.go
		os.Exit(runAsProgram(strings.Split(args, "\n")))
	}
	goleak.VerifyTestMain(database.Removing(m))
}

// process is a server that runs in the test, as the program would.
type process struct {
	t       testing.TB
	signals chan os.Signal
	reload  chan os.Signal
	code    chan int
	// line is what it printed.
	line string
}

func launch(t testing.TB, args ...string) *process {
	t.Helper()
	return launchLogging(t, io.Discard, args...)
}

// launchLogging starts a server that writes its log somewhere.
func launchLogging(t testing.TB, log io.Writer, args ...string) *process {
	t.Helper()
	p := &process{t: t, signals: make(chan os.Signal, 2), reload: make(chan os.Signal, 1), code: make(chan int, 1)}
	r, w := io.Pipe()
	go func() {
		p.code <- run(context.Background(), args, signals{stop: p.signals, reload: p.reload}, w, log)
		w.Close()
	}()
	buf := make([]byte, 1000)
	n, err := r.Read(buf)
	if err != nil {
		t.Fatalf("it printed nothing and ended with %d", <-p.code)
	}
	p.line = string(buf[:n])
	return p
}

func (p *process) interrupt() {
	p.t.Helper()
	p.signals <- os.Interrupt
	if code := <-p.code; code != 0 {
		p.t.Errorf("exit code %d", code)
	}
}

// grpcAddress is the address in the line that the program prints.
func (p *process) grpcAddress() string { return p.after(" on ") }

func (p *process) webAddress() string { return p.after(" by HTTP on ") }

func (p *process) opsAddress() string { return p.after(" operations on ") }

// postJSON makes a call without fields on the port for HTTP and gives a field of the answer.
func (p *process) postJSON(path, field string) string {
	p.t.Helper()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Post("http://"+p.webAddress()+path, "application/json",
		strings.NewReader("{}"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	var fields map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&fields); err != nil {
		p.t.Fatal(err)
	}
	value, _ := fields[field].(string)
	return value
}

// after is the address that follows some words in the line that the program prints.
func (p *process) after(words string) string {
	_, rest, _ := strings.Cut(p.line, words)
	address, _, _ := strings.Cut(rest, ",")
	return strings.TrimSpace(address)
}

func TestServesAndStops(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "games.db")
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "127.0.0.1:0", "--db", db, "--with-toy")
	if !strings.HasPrefix(p.line, "warledgerd serves ") || !strings.Contains(p.line, "toy") ||
		strings.Count(p.line, "\n") != 1 {
		t.Errorf("it says %q", p.line)
	}
	conn, err := grpc.NewClient(p.grpcAddress(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	out, err := v1.NewCatalogServiceClient(conn).ListRulesets(context.Background(), &v1.ListRulesetsRequest{})
	if err != nil || len(out.Rulesets) == 0 {
		t.Errorf("got %v, %v", out, err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	code, _, errs := try("--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", db)
	if code != 1 || !strings.Contains(errs, db+" is in use by another process") || strings.Count(errs, "\n") != 1 {
		t.Errorf("a second process on the same file: %d, %q", code, errs)
	}
	p.interrupt()
	again := launch(t, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", db)
	if strings.Contains(again.line, "toy") || !strings.Contains(again.line, "operations on no port") {
		t.Errorf("it says %q", again.line)
	}
	again.interrupt()
}

// try runs the program to its end.
func try(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, signals{stop: make(chan os.Signal)}, &o, &e)
	return code, o.String(), e.String()
}

func TestBusyPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	busy := l.Addr().String()
	for _, flag := range []string{"--listen", "--web", "--ops"} {
		args := []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "127.0.0.1:0", "--db",
			filepath.Join(t.TempDir(), "x.db"), flag, busy}
		code, _, errs := try(args...)
		if want := "warledgerd: " + busy + " is in use, perhaps by another warledgerd; choose another address with " +
			flag + "\n"; code != 1 || errs != want {
			t.Errorf("%s: %d, %q, want %q", flag, code, errs, want)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "settings.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"listn": "x"}`)
	for want, args := range map[string][]string{
		"unknown flag --nonsense":  {"--nonsense"},
		`no setting "listn"`:       {"--config", file},
		"--idle must be positive":  {"--idle", "0s"},
		"must be at least 1":       {"--live-games", "0"},
		"must not be negative":     {"--grace=-1s"},
		"go together":              {"--tls-cert", "x"},
		"needs --tls-cert":         {"--tls-client-ca", "x"},
		"--sign-every must not":    {"--sign-every=-1s"},
		"oidc-required needs":      {"--oidc-required"},
		"caller-rate and":          {"--caller-rate=-1"},
		"trace-ratio must be":      {"--trace-ratio", "2"},
		"--game-bytes":             {"--game-bytes=-1"},
		"no '/'":                   {"--free-addresses", "10.0.0.1"},
		"no such file":             {"--config", file + "x"},
		"must be one of":           {"--log-level", "loud"},
		"unexpected argument what": {"what"},
	} {
		if code, _, errs := try(args...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: %d, %q, want %q", args, code, errs, want)
		}
	}
	write("not json")
	if code, _, errs := try("--config", file); code != 2 || !strings.Contains(errs, "settings file") {
		t.Errorf("%d, %q", code, errs)
	}
}

func TestFlagBeatsEnvironmentBeatsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(file,
		[]byte(`{"listen": "file:1", "ops": "file:2", "db": "file.db", "live_games": 3, "grace": "4s"}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WARLEDGER_CONFIG", file)
	t.Setenv("WARLEDGER_OPS", "environment:2")
	t.Setenv("WARLEDGER_DB", "environment.db")
	set, done, err := readSettings([]string{"--db", "flag.db"}, io.Discard)
	if err != nil || done {
		t.Fatal(done, err)
	}
	if set.Listen != "file:1" || set.Ops != "environment:2" || set.DB != "flag.db" || set.LiveGames != 3 ||
		set.Grace.Seconds() != 4 {
		t.Errorf("got %+v", set)
	}
}

// TestFileOfEverySetting writes each setting to a file and reads it back: what a flag can say a file can say.
func TestFileOfEverySetting(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(file, []byte(`{
		"origins": ["https://a.example", "https://b.example"], "free_addresses": ["10.0.0.0/8", "::1/128"],
		"trusted_proxies": [],
		"caller_rate": 5.5, "games": 7, "reflection": false,
		"oidc_issuer": "https://issuer.example", "oidc_audience": "w", "oidc_required": true,
		"idle": "3m", "trace_ratio": 0.5, "otlp": "http://localhost:4317"
	}`), 0o600); err != nil {
		t.Fatal(err)
	}
	set, _, err := readSettings([]string{"--config", file}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Origins) != 2 || len(set.FreeAddresses) != 2 || set.FreeAddresses[0].String() != "10.0.0.0/8" ||
		len(set.TrustedProxies) != 0 ||
		set.CallerRate != 5.5 || set.Games != 7 || set.Reflection || !set.OIDCRequired || set.Idle != 3*time.Minute ||
		set.TraceRatio != 0.5 {
		t.Errorf("got %+v", set)
	}
}

// TestSettingsThatCannotWork has the program say what is wrong before it serves anybody.
func TestSettingsThatCannotWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, more := range map[string][]string{
		"at least 32 are needed":     {"--admin-token-file", short},
		"no such file":               {"--admin-token-file", short + "x"},
		"certificate " + short:       {"--tls-cert", short, "--tls-key", short},
		"must be asked over https":   {"--oidc-issuer", "http://issuer.example", "--oidc-audience", "w"},
		"--otlp: expected http://HO": {"--otlp", "localhost:4317"},
		"--public-url: expected":     {"--public-url", "play.example.org"},
		"needs a port": {"--public-url", "https://play.example.org", "--smtp-address", "mail.example.org",
			"--smtp-from", "play@example.org"},
		"the sender is no address": {"--public-url", "https://play.example.org", "--smtp-address",
			"mail.example.org:587", "--smtp-from", "play"},
	} {
		args := append([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db",
			filepath.Join(dir, "x.db")}, more...)
		if code, _, errs := try(args...); code != int(failed) || !strings.Contains(errs, want) ||
			strings.Contains(errs, "secret") {
			t.Errorf("%v: %d, %q, want %q", more, code, errs, want)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	if code, out, errs := try("--help"); code != 0 || !strings.Contains(out, "WARLEDGER_LISTEN") || errs != "" {
		t.Errorf("--help: %d, %q, %q", code, out, errs)
	}
	if code, out, _ := try("--version"); code != 0 || !strings.HasPrefix(out, "warledgerd ") {
		t.Errorf("--version: %d, %q", code, out)
	}
}

func TestNotAStore(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("a shopping list\n"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := try("--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", file)
	if code != 1 || !strings.Contains(errs, "is not an event store") {
		t.Errorf("%d, %q", code, errs)
	}
}

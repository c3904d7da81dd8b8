package doctor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	warledger "github.com/warledger/warledger/clients/go"
	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// TestFindings plants each fault. A finding that is not fine says what to do, unless nothing is to be done.
func TestFindings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // whatever the mask is
			t.Fatal(err)
		}
		return path
	}
	folder := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	took := func(d ...time.Duration) []time.Duration { return d }
	rules := func(ocs uint32) map[string]uint32 { return map[string]uint32{"ocs": ocs} }
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		got   Finding
		state State
		found string
	}{
		"valid":         {Expiry("x", "it", at(15*24*time.Hour), noon, "renew"), Fine, "until 2026-12-11"},
		"ends soon":     {Expiry("x", "it", at(13*24*time.Hour+time.Hour), noon, "renew"), Warning, "in 13 days"},
		"ends today":    {Expiry("x", "it", at(5*time.Hour), noon, "renew"), Warning, "in 5 hours"},
		"void":          {Expiry("x", "it", noon, noon, "renew"), Problem, "expired at"},
		"same clock":    {Clocks(noon, at(300*ms), at(400*ms)), Fine, "agree"},
		"same, slow":    {Clocks(at(3*time.Second), noon, at(9*time.Second)), Fine, "agree"},
		"ahead":         {Clocks(at(10*time.Second), noon, at(time.Second)), Warning, "9s ahead of"},
		"far ahead":     {Clocks(at(2*time.Minute), noon, at(time.Second)), Problem, "ahead of"},
		"behind":        {Clocks(noon, at(10*time.Second), at(11*time.Second)), Warning, "9s behind"},
		"far behind":    {Clocks(noon, at(time.Hour), at(time.Hour)), Problem, "behind"},
		"before source": {ClockSane(noon, at(time.Second)), Problem, "made after that"},
		"after source":  {ClockSane(noon, at(-time.Hour)), Fine, "2026-11-26 12:00"},
		"no source":     {ClockSane(noon, time.Time{}), Note, ""},
		"same program": {Versions(Version{"1", rules(3)}, Version{"1", rules(3)})[0], Fine,
			"the server and this program are 1"},
		"other program": {Versions(Version{"1", rules(3)}, Version{"2", rules(3)})[0], Warning, "server is 1"},
		"not told":      {Versions(Version{"", rules(3)}, Version{"2", rules(3)})[0], Note, "for operations"},
		"same rules":    {Versions(Version{"1", rules(3)}, Version{"1", rules(3)})[1], Fine, "ocs"},
		"other rules":   {Versions(Version{"1", rules(3)}, Version{"1", rules(2)})[1], Problem, "ocs 3 there, 2 here"},
		"more rules":    {Versions(Version{"1", rules(3)}, Version{"1", nil})[1], Note, "also has ocs"},
		"no rules":      {Versions(Version{"1", nil}, Version{"1", rules(3)})[1], Problem, "no ruleset"},
		"own secret":    {Secret("x", file("own", 0o600), false, true), Fine, "only its owner can access "},
		"open secret":   {Secret("x", file("open", 0o644), true, true), Problem, "mode 0644"},
		"group's": {Secret("x", file("group", 0o640), true, true), Fine,
			"only its owner and its group can access "},
		"no group's":    {Secret("x", file("mine", 0o600), true, true), Fine, "only its owner can access "},
		"not group's":   {Secret("x", file("group2", 0o640), false, true), Problem, "0640"},
		"no secret yet": {Secret("x", filepath.Join(dir, "none"), false, false), Fine, "not there"},
		"lost secret":   {Secret("x", filepath.Join(dir, "none"), false, true), Problem, "can't be examined"},
		"folder": {Secret("x", folder("f", 0o755), false, true), Fine,
			"only its owner can put files into " + dir + "/f (mode 0755)"},
		"open folder": {Secret("x", folder("g", 0o775), false, true), Problem,
			"others can put files into " + dir + "/g, which holds secrets (mode 0775)"},
		"room":          {Room("d", 2<<30), Fine, "2.0 GiB are free"},
		"little room":   {Room("d", 500<<20), Warning, "only 500.0 MiB"},
		"no room":       {Room("d", 1000), Problem, "only 1000 bytes"},
		"small file":    {Bound("f", 79, 100), Fine, "79 bytes of the 100 bytes"},
		"large file":    {Bound("f", 80, 100), Warning, "from nine tenths on"},
		"full file":     {Bound("f", 90, 100), Problem, "no new games"},
		"no bound":      {Bound("f", 1<<40, 0), Fine, "1.0 TiB"},
		"quick sync":    {SyncSpeed("d", took(ms, 2*ms, 900*ms), nil), Fine, "after 2ms (median of 3, at most 900ms)"},
		"slow sync":     {SyncSpeed("d", took(ms, 20*ms, 20*ms), nil), Warning, "after 20ms"},
		"slowest sync":  {SyncSpeed("d", took(ms, 250*ms, 300*ms), nil), Problem, "after 250ms"},
		"no writing":    {SyncSpeed("d", nil, errors.New("read-only")), Problem, "read-only"},
		"newest format": {Format(6, 6, nil), Fine, "format 6"},
		"old format":    {Format(5, 6, nil), Note, "format 5"},
		"no format":     {Format(0, 6, errors.New("gone")), Problem, "gone"},
		"sound":         {Stored("s", &adminv1.CheckSummary{Streams: 2, Entries: 5}), Fine, "2 streams with 5 records"},
		"faulty":        {Stored("s", &adminv1.CheckSummary{Faults: 3}), Problem, "3 faults"},
		"a fault": {Fault(&adminv1.StoreFault{Kind: "gap", Stream: "games/x", Version: 7, Message: "lost"}), Problem,
			"games/x, version 7: gap: lost"},
		"unread":       {Unread("s", errors.New("not an event store")), Problem, "not an event store"},
		"ops here":     {Operations("localhost:1", nil), Fine, "localhost:1"},
		"ops too far":  {Operations("localhost:1", []string{"203.0.113.7:1"}), Warning, "other hosts at 203.0.113.7:1"},
		"ops at home":  {Operations("192.168.1.2:1", nil), Note, "in that network"},
		"ops anywhere": {Operations("203.0.113.7:1", nil), Warning, "not this host"},
	} {
		if test.got.State != test.state || !strings.Contains(test.got.Found, test.found) {
			t.Errorf("%s: %+v, want %s and %q", name, test.got, test.state, test.found)
		}
		if bad := test.state == Problem || test.state == Warning; bad && test.got.Do == "" {
			t.Errorf("%s: nothing says what to do", name)
		}
	}
}

// TestCertificateFiles judges a file by the certificate that ends first.
func TestCertificateFiles(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := func(from, to time.Duration) string {
		c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: noon.Add(from), NotAfter: noon.Add(to)}
		der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		text  string
		state State
		found string
	}{
		"valid":     {made(-day, 90*day), Fine, "valid until"},
		"chain":     {made(-day, 90*day) + made(-day, 3*day), Warning, "in 3 days"},
		"expired":   {made(-day, -time.Hour) + made(-day, 90*day), Problem, "expired at"},
		"too early": {made(day, 90*day), Problem, "not valid before"},
		"none":      {"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", Problem, "no certificate"},
		"broken":    {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", Problem, "can't be read"},
	} {
		path := filepath.Join(t.TempDir(), "cert.pem")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Certificate(path, noon); got.State != test.state || !strings.Contains(got.Found, test.found) {
			t.Errorf("%s: %+v, want %s and %q", name, got, test.state, test.found)
		}
	}
	if got := Certificate(filepath.Join(t.TempDir(), "none"), noon); got.State != Problem {
		t.Errorf("no file: %+v", got)
	}
}

// TestTokens finds void tokens, lost games and tokens that end soon.
func TestTokens(t *testing.T) {
	t.Parallel()
	ends := func(d time.Duration, note string) *v1.Token {
		return &v1.Token{Name: "games/a/tokens/" + note, Note: note, ExpireTime: timestamppb.New(noon.Add(d))}
	}
	tokens := Tokens{Now: noon, Patience: time.Hour, List: func(_ context.Context, game string) ([]*v1.Token, error) {
		switch game {
		case "games/a":
			return []*v1.Token{ends(time.Hour, "bot"), ends(1000*time.Hour, "guest")}, nil
		case "games/void":
			return nil, warledger.ErrTokenRevoked
		case "games/gone":
			return nil, warledger.ErrGameNotFound
		case "games/corrupt":
			return nil, status.Error(codes.DataLoss, "not what was written")
		case "games/narrow":
			return nil, warledger.ErrTokenTooNarrow
		case "games/odd":
			return nil, errors.New("odd")
		}
		return nil, nil
	}}
	got := tokens.Examine(t.Context(),
		[]string{"games/a", "games/b", "games/corrupt", "games/gone", "games/narrow", "games/odd", "games/void"})
	want := []struct {
		state State
		found string
	}{{Warning, "(bot)"}, {Problem, "games/corrupt can't be asked"}, {Note, "no games/gone"}, {Warning, "odd"},
		{Warning, "games/void is void"}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].State != w.state || !strings.Contains(got[i].Found, w.found) {
			t.Errorf("%+v, want %s and %q", got[i], w.state, w.found)
		}
	}
	if got := tokens.Examine(t.Context(), []string{"games/b"}); len(got) != 1 || got[0].State != Fine {
		t.Errorf("%+v of a game that opens", got)
	}
}

// TestTokensEndWithTheirPatience: a server that does not answer, or is away, is asked once and no more, however many
// games are kept.
func TestTokensEndWithTheirPatience(t *testing.T) {
	t.Parallel()
	games := make([]string, 1000)
	for name, answer := range map[string]func(context.Context) error{
		"silent": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"away":   func(context.Context) error { return status.Error(codes.Unavailable, "away") },
	} {
		asked, patience := 0, time.Hour
		if name == "silent" {
			patience = time.Millisecond
		}
		got := Tokens{Now: noon, Patience: patience, List: func(ctx context.Context, _ string) ([]*v1.Token, error) {
			if asked++; asked == 1 {
				return nil, nil
			}
			return nil, answer(ctx)
		}}.Examine(t.Context(), games)
		if asked != 2 || len(got) != 1 || got[0].State != Problem || !strings.Contains(got[0].Found, "999 of 1000") {
			t.Errorf("%s: asked %d times, %+v", name, asked, got)
		}
	}
}

// TestDisk measures a real folder, and one that is not there.
func TestDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	took, err := Syncs(dir)
	if err != nil || len(took) != syncs {
		t.Errorf("%v, %v", took, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if free, err := Free(dir); err != nil || free == 0 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	if _, err := Syncs(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there can be written to")
	}
	if _, err := Free(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there has room")
	}
}

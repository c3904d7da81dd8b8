package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	boltstore "github.com/warledger/warledger/eventstore/bbolt"
)

// TestDoctor examines a server that is well, and then with a planted fault each.
func TestDoctor(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	const off = "doctor --web off --ops off"
	p.do(off, "ok +server.ok", "ok +version.rules", "note +store.check", "doctor --db FILE")
	p.do("create toy ford")
	p.do("join . red")
	p.do(off, "ok +tokens.kept +the tokens kept for all 1 games")

	file := filepath.Join(p.dir, "credentials.json")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	p.reports(off, "problem +secrets.tokens .*mode 0644", "-> chmod 600")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.reports(off, "problem +tokens.kept +.*is damaged")
	if err := os.WriteFile(file, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	p.reports("--tls on "+off, "problem +server.plain +.*does not speak TLS", "-> add --tls off")
	p.reports("doctor --ops off --web "+p.server, "port.web")

	var report struct {
		Sound    bool
		Findings []struct{ Check, State, Found, Do string }
	}
	if err := json.Unmarshal([]byte(p.do(off+" -o json")), &report); err != nil {
		t.Fatal(err)
	}
	if !report.Sound || len(report.Findings) < 5 || report.Findings[0].Check != "server.ok" {
		t.Errorf("%+v", report)
	}
	nowhere := newPerson(t, "127.0.0.1:1")
	nowhere.reports(off, "problem +server.refused +nothing listens", "-> is warledgerd running there")
}

// reports runs a command line that finds a problem.
func (p *person) reports(line string, parts ...string) {
	p.t.Helper()
	code, out, errs := p.run(strings.Fields(line)...)
	if code != exitFound || errs != "" {
		p.t.Errorf("%s: exit code %d\n%s%s", line, code, out, errs)
	}
	p.has(line, out, parts)
}

// TestDoctorOfStore looks at a file of games: sound, in use, damaged, of another program, lost.
func TestDoctorOfStore(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	path := filepath.Join(t.TempDir(), "games.db")
	line := "doctor --web off --ops off --db " + path
	p.reports(line, "problem +store.size", "first start")
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.do(line, "note +store.check .*in use by a server")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	p.do(line, "ok +store.check .*all sound", "ok +store.format .*the newest", "disk.space", "disk.sync")
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	p.do("doctor --web off --ops off --db "+link, "disk.space .*"+regexp.QuoteMeta(filepath.Dir(path)))
	p.reports(line+" --db-bytes 20000", "problem +store.size .*no new games")
	if err := os.WriteFile(path, []byte(strings.Repeat("not games", 10000)), 0o600); err != nil {
		t.Fatal(err)
	}
	p.reports(line, "problem +store.check .*can't be examined")
}

// TestUnreached says for each command in which way the server can't be reached, and ends with the exit code for that.
func TestUnreached(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.fails(exitUnreached, "--tls on games", "cannot be reached: .* does not speak TLS", "--tls off")
	code, _, errs := newPerson(t, "127.0.0.1:1").run("games", "-o", "json")
	var said struct{ Error complaint }
	if err := json.Unmarshal([]byte(errs), &said); err != nil {
		t.Fatal(err)
	}
	if code != exitUnreached || said.Error.Exit != exitUnreached || !strings.Contains(said.Error.Hint, "warledgerd") {
		t.Errorf("%d, %+v", code, said)
	}
}

// TestDoctorSpeaksJapanese: of what doctor finds, and of the way to a server that is not there, nothing stays English.
func TestDoctorSpeaksJapanese(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue")
	for _, server := range []string{p.server, "localhost:1"} {
		q := &person{t: t, server: server, dir: p.dir, width: 80}
		for _, line := range []string{"doctor --web localhost:1 --ops localhost:1 --lang ja", "games --lang ja"} {
			_, out, errs := q.run(strings.Fields(line)...)
			for row := range strings.Lines(out + errs) {
				if english.MatchString(commandLines.ReplaceAllString(row, "")) {
					t.Errorf("%s has English: %s", line, row)
				}
			}
		}
	}
}

var (
	// english are two words of a sentence, beside what is typed.
	english      = regexp.MustCompile(`[a-z]{2,} [a-z]{2,}`)
	commandLines = regexp.MustCompile(`warledger [a-z]+( [a-z]+)?|--[a-z-]+( [a-z]+)?|[a-z]+=player`)
)

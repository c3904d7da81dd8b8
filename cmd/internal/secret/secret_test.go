package secret

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPasswords finds passwords in what people write.
func TestPasswords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"postgres://u@db/games":                       nil,
		"games.db":                                    nil,
		"https://play.example:7482/":                  nil,
		"--store=postgres://u:hunter2@db/games":       {"hunter2"},
		"POSTGRES://u:hunter2@db/games":               {"hunter2"},
		"postgre:/u:hunter2@db":                       {"hunter2"},
		"postgres://u:hunt@er2@db/games":              {"hunt@er2", "hunt", "er2"},
		"postgres://u:hunt/er2#x@db/games":            {"hunt/er2#x", "hunt", "er2"},
		"postgres://u:hunt%40er2@db/games":            {"hunt%40er2", "hunt@er2"},
		"postgres:///games?host=/x&password=hunter2":  {"hunter2"},
		"host=db password='hunter 2' user=u":          {"hunter 2"},
		"postgres://u:abc@db/games?PassWord=hunter2&": {"hunter2", "abc"},
	} {
		if got := Passwords(text); !cmp.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWriter prints no password, also where one is a part of another.
func TestWriter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := Writer(&out, Passwords("postgres://u:hunter@db", "postgres://u:hunter2@db"))
	if n, err := fmt.Fprintf(w, "no hunter, hunter2 here\n"); n != 24 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got := out.String(); got != "no ***, *** here\n" {
		t.Errorf("it printed %q", got)
	}
	if Writer(&out, nil) != &out || strings.Contains(out.String(), "hunter") {
		t.Error("a writer without passwords is another one")
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// token is one that looks like a bot's.
var token = base64.RawStdEncoding.EncodeToString([]byte("100000000000000001")) + ".very-secret.value"

// start runs the program against what Discord would be, and gives its exit code and what it said.
func start(t *testing.T, env map[string]string, args ...string) (code int, said string) {
	t.Helper()
	discord := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gateway" { // which anybody may ask for
			_, _ = w.Write([]byte(`{"url":"ws://127.0.0.1:1"}`))
			return
		}
		if r.Header.Get("Authorization") != "Bot "+token {
			t.Errorf("Discord was shown %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"message":"401: Unauthorized","code":0}`))
	}))
	defer discord.Close()
	var out bytes.Buffer
	args = append([]string{"--discord-api", discord.URL, "--file", filepath.Join(t.TempDir(), "bridge.db"),
		"--log-level", "debug"}, args...)
	code = run(context.Background(), args, func(name string) string { return env[name] }, &out, &out)
	if strings.Contains(out.String(), "very-secret") {
		t.Errorf("the token is shown: %s", out.String())
	}
	return code, out.String()
}

func TestSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{"WARLEDGER_DISCORD_TOKEN": token}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		code int
		said string
	}{
		"no token":     {nil, nil, misused, "no token"},
		"no such file": {nil, []string{"--token-file", "nowhere"}, misused, "nowhere"},
		"no token of a bot": {map[string]string{"WARLEDGER_DISCORD_TOKEN": "very-secret"}, nil, failed,
			"no token of a Discord bot"},
		"guild":               {given, []string{"--guild", "home"}, misused, "no id of Discord"},
		"settle":              {given, []string{"--settle", "0s"}, misused, "no time to wait"},
		"unknown flag":        {given, []string{"--color"}, misused, "unknown flag"},
		"turned away":         {given, nil, failed, "401"},
		"turned away by file": {nil, []string{"--token-file", file}, failed, "401"},
		"turned away in guild": {given, []string{"--guild", "5", "--tls", "on", "--log-format", "json"}, failed,
			"signing in at Discord"},
		"help":    {nil, []string{"--help"}, clean, "--token-file"},
		"version": {nil, []string{"--version"}, clean, "warledger-discord"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, said := start(t, c.env, c.args...)
			if code != c.code || !strings.Contains(said, c.said) {
				t.Errorf("exit code %d, want %d, with %q in:\n%s", code, c.code, c.said, said)
			}
		})
	}
}

package main

import (
	"io"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHostsOfTheSettings(t *testing.T) {
	t.Parallel()
	set := &settings{Listen: "grpc.example:7480", Web: ":7482", Ops: "off",
		PublicURL: "https://play.example:8443/board", Hosts: []string{"a.example"}}
	want := []string{"a.example", "grpc.example", "play.example"}
	if diff := cmp.Diff(want, hosts(set)); diff != "" || len(set.Hosts) != 1 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestForeignHost: the program answers on its HTTP ports under the names in its settings, and under no other name,
// which a page could make lead here.
func TestForeignHost(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "127.0.0.1:0",
		"--db", filepath.Join(t.TempDir(), "x.db"),
		"--hosts", "a.example,b.example", "--public-url", "https://play.example/")
	transport := new(http.Transport)
	for _, url := range []string{"http://" + p.webAddress() + "/", "http://" + p.opsAddress() + "/metrics"} {
		for _, host := range []string{"evil.example", "a.example:1", "b.example", "play.example", ""} {
			req, err := http.NewRequest(http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host // "" is the address itself
			answer, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			foreign := host == "evil.example"
			if refused := answer.StatusCode == http.StatusMisdirectedRequest; refused != foreign {
				t.Errorf("%s for %q: %s", url, host, answer.Status)
			}
		}
	}
	transport.CloseIdleConnections()
	p.interrupt()
}

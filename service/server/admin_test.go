package server_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/service/server"
)

// TestAdministrationNeedsItsToken calls it without a token, with others, and at a server that has none.
func TestAdministrationNeedsItsToken(t *testing.T) {
	t.Parallel()
	const path, token = "/warledger.admin.v1.AdminService/GetStats", "a token of thirty-two characters."
	r := start(t, func(o *server.Options) { o.AdminToken = token })
	ops := &running{t: t, web: r.ops}
	for header, want := range map[string]string{
		"": "TOKEN_REQUIRED", "Bearer " + token[1:]: "TOKEN_UNKNOWN", "Bearer " + token + "x": "TOKEN_UNKNOWN",
		"Basic " + token: "TOKEN_UNKNOWN", "Bearer": "TOKEN_UNKNOWN",
		"Bearer " + token: "",
	} {
		var headers []string
		if header != "" {
			headers = []string{"Authorization", header}
		}
		code, _, body := ops.post(path, "{}", headers...)
		if want == "" && code == 200 && strings.Contains(body, "startTime") {
			continue
		}
		if code != 401 || want == "" || !strings.Contains(body, want) || strings.Contains(body, token[2:]) {
			t.Errorf("%q: %d %s, want %s", header, code, body, want)
		}
	}
	if code, _, _ := r.post(path, "{}", "Authorization", "Bearer "+token); code != 404 {
		t.Errorf("the public is served administration: %d", code)
	}
	none := start(t)
	if code, _, _ := (&running{t: t, web: none.ops}).post(path, "{}", "Authorization", "Bearer "); code != 404 {
		t.Errorf("a server without a token: %d", code)
	}
}

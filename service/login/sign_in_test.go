package login_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/login"
)

// granting has an issuer give tokens for the code "good" to whoever knows the verifier of a challenge.
func granting(
	t *testing.T, secret string, answer func(i *issuer, w http.ResponseWriter) bool,
) (*issuer, *login.Provider) {
	t.Helper()
	i := newIssuer(t)
	verifier := sha256.Sum256([]byte(verifierOf('v')))
	challenge := base64.RawURLEncoding.EncodeToString(verifier[:])
	tokens := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		given := url.Values{}
		for _, name := range []string{"grant_type", "code", "redirect_uri", "client_id", "client_secret"} {
			if v := r.PostFormValue(name); v != "" {
				given.Set(name, v)
			}
		}
		want := url.Values{"grant_type": {"authorization_code"}, "code": {"good"}, "client_id": {"warledger"},
			"redirect_uri": {"https://play.example/"}}
		if secret != "" {
			want.Set("client_secret", secret)
		}
		w.Header().Set("Content-Type", "application/json")
		if answer != nil && answer(i, w) {
			return
		}
		if diff := cmp.Diff(want, given); diff != "" || base64.RawURLEncoding.EncodeToString(sum[:]) != challenge {
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_grant", "error_description": diff})
			return
		}
		grant(i, w, map[string]any{"nonce": "a nonce of the page", "name": "Ann"})
	})
	i.tokens.Store(&tokens)
	p, err := login.New(i.url, "warledger", secret)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return i, p
}

func grant(i *issuer, w http.ResponseWriter, claims map[string]any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "of no use", "token_type": "Bearer",
		"id_token": i.token(i.key, claims)})
}

func verifierOf(c rune) string { return strings.Repeat(string(c), 43) }

// redemption is what a page asks with.
func redemption(change ...func(*service.Redemption)) service.Redemption {
	r := service.Redemption{Code: "good", Verifier: verifierOf('v'), RedirectURI: "https://play.example/",
		Nonce: "a nonce of the page"}
	for _, f := range change {
		f(&r)
	}
	return r
}

func TestRedeem(t *testing.T) {
	t.Parallel()
	for name, secret := range map[string]string{"public": "", "with a secret": "the client's secret"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, p := granting(t, secret, nil)
			issuer, id, at := p.About(context.Background())
			if issuer != i.url || id != "warledger" || at != i.url+"/auth" {
				t.Errorf("it says %q, %q, %q", issuer, id, at)
			}
			got, err := p.Redeem(context.Background(), redemption())
			if err != nil || got.Name != "Ann" || time.Until(got.Expires) < 50*time.Minute {
				t.Fatalf("got %+v, %v", got, err)
			}
			if who, err := p.Identify(context.Background(), got.Token); err != nil || who.Subject != i.url+" ann" {
				t.Errorf("the token is of %+v, %v", who, err)
			}
			for what, change := range map[string]func(*service.Redemption){
				"another code":     func(r *service.Redemption) { r.Code = "bad" },
				"another verifier": func(r *service.Redemption) { r.Verifier = verifierOf('w') },
				"another page":     func(r *service.Redemption) { r.RedirectURI = "https://evil.example/" },
				"another nonce":    func(r *service.Redemption) { r.Nonce = "of another page" },
			} {
				got, err := p.Redeem(context.Background(), redemption(change))
				if !isReason(err, fault.SignInFailed) || got != (service.Signed{}) {
					t.Errorf("%s: %+v, %v", what, got, err)
				}
			}
		})
	}
}

func isReason(err error, r fault.Reason) bool {
	var known *fault.Error
	return errors.As(err, &known) && known.Reason == r
}

// TestRedeemFaults: whatever the issuer answers, there is no token that does not hold, and what it says is not repeated
// but for its code.
func TestRedeemFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(i *issuer, w http.ResponseWriter) bool
		reason fault.Reason
		says   string
	}{
		"a refusal": {func(_ *issuer, w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusUnauthorized)
			_, err := w.Write([]byte(`{"error":"invalid_client","error_description":"secret words"}`))
			return err == nil
		}, fault.SignInFailed, "invalid_client"},
		"a strange refusal": {func(_ *issuer, w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusBadRequest)
			_, err := w.Write([]byte(`{"error":"<b>secret words</b>"}`))
			return err == nil
		}, fault.SignInFailed, "no reason given"},
		"trouble": {func(_ *issuer, w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}, fault.IdentityUnavailable, "does not answer"},
		"no identity token": {func(_ *issuer, w http.ResponseWriter) bool {
			_, err := w.Write([]byte(`{"access_token":"x","token_type":"Bearer"}`))
			return err == nil
		}, fault.SignInFailed, "invalid_token"},
		"a token for another client": {func(i *issuer, w http.ResponseWriter) bool {
			grant(i, w, map[string]any{"nonce": "a nonce of the page", "aud": "another"})
			return true
		}, fault.SignInFailed, "invalid_token"},
		"a token that has expired": {func(i *issuer, w http.ResponseWriter) bool {
			grant(i, w, map[string]any{"nonce": "a nonce of the page", "exp": time.Now().Add(-time.Hour).Unix()})
			return true
		}, fault.SignInFailed, "invalid_token"},
		"a token without a nonce": {func(i *issuer, w http.ResponseWriter) bool {
			grant(i, w, nil)
			return true
		}, fault.SignInFailed, "invalid_nonce"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, p := granting(t, "", c.answer)
			got, err := p.Redeem(context.Background(), redemption())
			if !isReason(err, c.reason) || !strings.Contains(err.Error(), c.says) ||
				strings.Contains(err.Error(), "secret words") || got != (service.Signed{}) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	i := newIssuer(t)
	p := i.provider()
	i.down.Store(true)
	if _, _, at := p.About(context.Background()); at != "" {
		t.Errorf("an issuer that is away is at %q", at)
	}
	if _, err := p.Redeem(context.Background(), redemption()); !isReason(err, fault.IdentityUnavailable) {
		t.Errorf("an issuer that is away: %v", err)
	}
}

package login

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// announced is what an issuer says about its keys in its discovery document.
type announced struct {
	Keys       string   `json:"jwks_uri"`
	Algorithms []string `json:"id_token_signing_alg_values_supported"`
}

// asymmetric are the signatures that are believed if an issuer announces them: those that only
// the owner of a private key can make.
var asymmetric = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.EdDSA,
}

// accepted are the signatures that count; empty, which means RS256, if the issuer announces none of them.
func (a announced) accepted() []string {
	return slices.DeleteFunc(slices.Clone(a.Algorithms),
		func(alg string) bool { return !slices.Contains(asymmetric, alg) })
}

// awayKey is under which a call's context has the place for why the issuer's keys could not be had: the verifier turns
// errors of its keys into mere words, so they could not be told from a signature that does not fit.
type awayKey struct{}

// keys are the keys of an issuer, asked for when a token is signed by one that is not known yet. Anybody can make up
// such a token, so the issuer is asked once in a while for all of them together.
type keys struct {
	remote oidc.KeySet
	asking *asking
}

// newKeys are the keys at an address. They are fetched with a client until life ends.
func newKeys(life context.Context, client *http.Client, now func() time.Time, address string) keys {
	a := &asking{life: life, next: client.Transport, now: now}
	if a.next == nil {
		a.next = http.DefaultTransport
	}
	gated := *client
	gated.Transport = a
	return keys{oidc.NewRemoteKeySet(oidc.ClientContext(life, &gated), address), a}
}

// VerifySignature gives what a token says if one of the keys signed it.
func (k keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.remote.VerifySignature(ctx, token)
	// The remote keys may repeat a refusal for a moment after it was made. If the issuer may be asked now, it is.
	for errors.Is(err, errAsked) && k.asking.due() {
		payload, err = k.remote.VerifySignature(ctx, token)
	}
	// Of the errors of the remote keys, that of fetching them alone has a cause.
	cause := errors.Unwrap(err)
	switch {
	case cause == nil:
		return payload, err
	case errors.Is(cause, errAsked):
		cause = k.asking.unknown()
	case ctx.Err() == nil:
		k.asking.failed(cause)
	}
	if place, ok := ctx.Value(awayKey{}).(*error); ok {
		*place = cause
	}
	return nil, err
}

var (
	// errAsked is for a request that is not sent, because the issuer was asked for its keys a moment ago.
	errAsked = errors.New("the issuer was asked for its keys a moment ago")
	// errNewKey is for a token that none of the issuer's keys of a moment ago signed. A newer key may have signed it.
	errNewKey = errors.New("the issuer did not have the token's key a moment ago")
)

// mostKeys is how many bytes the keys of an issuer may have.
const mostKeys = 1 << 20

// asking fetches the keys of an issuer, and again only after awayTime. It remembers failures as well. One request runs
// at a time: the remote keys see to that.
type asking struct {
	life context.Context
	next http.RoundTripper
	now  func() time.Time

	mu sync.Mutex
	// again is when the issuer may be asked again.
	again time.Time
	// failure is why the last request brought no keys.
	failure error
}

// RoundTrip sends a request for the keys, or refuses to.
func (a *asking) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Response == nil && !a.due() { // a request that a redirect led to belongs to the one before
		return nil, errAsked
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	defer context.AfterFunc(a.life, cancel)()
	resp, err := a.next.RoundTrip(req.WithContext(ctx))
	var body []byte
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(resp.Body, mostKeys))
		resp.Body.Close()
	}
	if err == nil {
		resp.Body = io.NopCloser(bytes.NewReader(body))
	}
	a.answered(resp, body, err)
	return resp, err
}

func (a *asking) due() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.now().Before(a.again)
}

// answered notes what the issuer has answered.
func (a *asking) answered(resp *http.Response, body []byte, err error) {
	switch {
	case err != nil:
	case resp.StatusCode != http.StatusOK:
		err = fmt.Errorf("the issuer answered %s to a request for its keys", resp.Status)
	case !json.Valid(body):
		err = errors.New("the issuer's answer to a request for its keys is not JSON")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failure, a.again = err, a.now().Add(awayTime)
}

// failed notes that the keys could not be had.
func (a *asking) failed(why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failure = why
}

// unknown says why it is not known whether an issuer has signed a token that none of the known keys signed. It does not
// matter which key the token names: keys may have no ids, and a new key may have the id of the one before. A made-up
// token gets the same answer, and gains nothing by it. A token that a known key signed never gets here. Made-up tokens
// do not delay the next request for the keys, which brings the key of every genuine token.
func (a *asking) unknown() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return cmp.Or(a.failure, errNewKey)
}

// soon has the issuer asked again at the next need.
func (a *asking) soon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.again = time.Time{}
}

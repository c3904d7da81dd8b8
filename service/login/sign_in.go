package login

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"regexp"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// shortly is how long a page waits for an issuer that did not answer when it was asked last.
const shortly = time.Second

// About says where a page sends people to sign in. It does not wait for an issuer that was away a moment ago.
func (p *Provider) About(ctx context.Context) (issuer, clientID, endpoint string) {
	if p.tried() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, shortly)
		defer cancel()
	}
	if known, err := p.ready(ctx); err == nil {
		endpoint = known.endpoint.AuthURL
	}
	return p.issuer, p.audience, endpoint
}

// Redeem exchanges the code that the issuer sent a person back with. The server does it, and not the page: so the page
// may speak to its server alone, an issuer need not allow other origins, and it may ask for a client's secret.
func (p *Provider) Redeem(ctx context.Context, r service.Redemption) (service.Signed, error) {
	known, err := p.ready(ctx)
	if err != nil {
		return service.Signed{}, err
	}
	endpoint := known.endpoint
	// With another style the code could be spent on a try that fails.
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	config := oauth2.Config{ClientID: p.audience, ClientSecret: p.secret, Endpoint: endpoint,
		RedirectURL: r.RedirectURI}
	given, err := config.Exchange(oidc.ClientContext(ctx, p.client), r.Code, oauth2.VerifierOption(r.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError:
		return service.Signed{}, failed(refused, refused.ErrorCode)
	case err != nil && ctx.Err() != nil:
		return service.Signed{}, ctx.Err()
	case err != nil:
		return service.Signed{}, unavailable(errors.New("the exchange of a code failed"))
	}
	token, _ := given.Extra("id_token").(string)
	id, err := p.verify(ctx, token)
	if errors.Is(err, errNewKey) { // it comes from the issuer itself, so its key is a new one
		known.keys.soon()
		id, err = p.verify(ctx, token)
	}
	var away *fault.Error
	switch {
	case errors.As(err, &away):
		return service.Signed{}, away
	case err != nil && ctx.Err() != nil:
		return service.Signed{}, ctx.Err()
	case err != nil:
		return service.Signed{}, failed(err, "invalid_token")
	case subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(r.Nonce)) != 1:
		return service.Signed{}, failed(errors.New("the token was made for another request"), "invalid_nonce")
	}
	return service.Signed{Token: token, Name: nameOf(id), Expires: id.Expiry}, nil
}

// errorCode is how an issuer may name what is wrong (RFC 6749). Anything else is not repeated.
var errorCode = regexp.MustCompile(`^[a-z_]{1,40}$`)

// failed says that there is no token, and names the reason: whoever runs the server mends most of them.
func failed(err error, code string) error {
	if !errorCode.MatchString(code) {
		code = "no reason given"
	}
	return fault.New(fault.SignInFailed, "the identity provider gave no token for the code: %s", code).
		With("error", code).Because(err)
}

// longestName bounds what a person is called, in characters.
const longestName = 80

// nameOf is what the person of a token is called; empty if the token does not say.
func nameOf(id *oidc.IDToken) string {
	var said struct {
		Name     string `json:"name"`
		Username string `json:"preferred_username"`
		Email    string `json:"email"`
	}
	if id.Claims(&said) != nil {
		return ""
	}
	name := []rune(cmp.Or(said.Name, said.Username, said.Email))
	return string(name[:min(len(name), longestName)])
}

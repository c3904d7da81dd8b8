// Package login knows people by the identity tokens of an OpenID Connect provider.
package login

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// answerTime is how long the provider may take to answer.
const answerTime = 5 * time.Second

// maxToken is the size of an identity token that is looked at, in bytes.
const maxToken = 8 << 10

// Provider checks the identity tokens of one issuer. It asks the issuer for its keys when it needs them, and again when
// they have changed, so the server starts without it.
type Provider struct {
	issuer, audience string
	// secret is the client's, if the provider wants one besides PKCE.
	secret string
	client *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	endpoint oauth2.Endpoint
}

// New makes a provider for tokens that an issuer made for an audience, which is what it calls its client's id. secret
// is the client's, for an issuer that gives no tokens without one; usually empty.
func New(issuer, audience, secret string) (*Provider, error) {
	u, err := url.Parse(issuer)
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("the issuer %q is not a URL", issuer)
	case u.Scheme != "https" && !(u.Scheme == "http" && local(u.Hostname())):
		return nil, fmt.Errorf("the issuer %q must be asked over https", issuer)
	case audience == "":
		return nil, errors.New("an issuer needs an audience: tokens that it made for others must not count here")
	}
	return &Provider{issuer: issuer, audience: audience, secret: secret, client: &http.Client{Timeout: answerTime}}, nil
}

// local says whether a host is this one, where nobody can listen in.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Identify checks signature, issuer, audience and expiry of a token.
func (p *Provider) Identify(ctx context.Context, token string) (service.Identity, error) {
	id, err := p.verify(ctx, token)
	if err != nil {
		return service.Identity{}, err
	}
	// An issuer is a URL and so holds no space: the two cannot be confused.
	return service.Identity{Subject: id.Issuer + " " + id.Subject, Expires: id.Expiry}, nil
}

func (p *Provider) verify(ctx context.Context, token string) (*oidc.IDToken, error) {
	if len(token) > maxToken {
		return nil, errors.New("the token is too large")
	}
	v, err := p.ready()
	if err != nil {
		return nil, unavailable(err)
	}
	var away error
	id, err := v.Verify(context.WithValue(ctx, awayKey{}, &away), token)
	switch {
	case away != nil:
		return nil, unavailable(away)
	case err != nil:
		return nil, err
	case id.Subject == "":
		return nil, errors.New("the token names nobody")
	}
	return id, nil
}

// ready learns from the issuer where its keys are, once.
func (p *Provider) ready() (*oidc.IDTokenVerifier, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.verifier == nil {
		// Not the caller's context: what is learned outlives the call.
		provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), p.client), p.issuer)
		if err != nil {
			return nil, err
		}
		var said announced
		if err := provider.Claims(&said); err != nil {
			return nil, err
		}
		p.endpoint = provider.Endpoint()
		remote := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), p.client), said.Keys)
		p.verifier = oidc.NewVerifier(p.issuer, keys{remote},
			&oidc.Config{ClientID: p.audience, SupportedSigningAlgs: said.accepted()})
	}
	return p.verifier, nil
}

func unavailable(err error) error {
	return fault.New(fault.IdentityUnavailable, "the identity provider does not answer").Because(err)
}

// Close lets connections to the issuer go.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

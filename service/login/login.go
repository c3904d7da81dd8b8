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
	"golang.org/x/sync/singleflight"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// answerTime is how long the provider may take to answer.
const answerTime = 5 * time.Second

// awayTime is how long a provider that did not answer is left alone, and how long its keys are not fetched again.
const awayTime = 5 * time.Second

// maxToken is the size of an identity token that is looked at, in bytes.
const maxToken = 8 << 10

// Provider checks the identity tokens of one issuer. It asks the issuer for its keys when it needs them, and again when
// they have changed, so the server starts without it.
type Provider struct {
	issuer, audience string
	// secret is the client's, if the provider wants one besides PKCE.
	secret string
	client *http.Client

	// now is the clock.
	now func() time.Time
	// asking sends the issuer one request, however many callers wait for its answer.
	asking singleflight.Group
	// life ends when the provider is closed, by end.
	life context.Context
	end  context.CancelFunc

	mu sync.Mutex
	// learned is what the issuer has said; nil before that.
	learned *learned
	// failure is why the last try learned nothing. Callers get it until again.
	failure error
	again   time.Time
}

// learned is what an issuer said about itself.
type learned struct {
	verifier *oidc.IDTokenVerifier
	keys     *asking
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
	life, end := context.WithCancel(context.Background())
	return &Provider{issuer: issuer, audience: audience, secret: secret, client: &http.Client{Timeout: answerTime},
		now: time.Now, life: life, end: end}, nil
}

// local says whether a host is this one, where nobody can listen in.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Identify checks signature, issuer, audience, authorized party and expiry of a token.
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
	known, err := p.ready(ctx)
	if err != nil {
		return nil, err
	}
	var away error
	id, err := known.verifier.Verify(context.WithValue(ctx, awayKey{}, &away), token)
	switch {
	case away != nil:
		return nil, unavailable(away)
	case err != nil:
		return nil, err
	case id.Subject == "":
		return nil, errors.New("the token names nobody")
	}
	if err := p.forUs(id); err != nil {
		return nil, err
	}
	return id, nil
}

// forUs returns an error for a token that was issued to another client, although its audience names this one. A token
// with several audiences must say that it was issued to this client, and no token may name another (OpenID Connect Core
// 3.1.3.7, 4 and 5).
func (p *Provider) forUs(id *oidc.IDToken) error {
	var said struct {
		Party *string `json:"azp"`
	}
	if err := id.Claims(&said); err != nil {
		return err
	}
	switch {
	case said.Party == nil && len(id.Audience) > 1:
		return errors.New("the token has several audiences and does not say to whom it was issued")
	case said.Party != nil && *said.Party != p.audience:
		return errors.New("the token was issued to another client")
	}
	return nil
}

// ready returns what the issuer has said. The first caller asks it, and all wait for the same answer, each as long as
// its context allows.
func (p *Provider) ready(ctx context.Context) (*learned, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if known, err := p.remembered(); known != nil || err != nil {
		return known, err
	}
	select {
	case answer := <-p.asking.DoChan("", func() (any, error) { return p.learn() }):
		if answer.Err != nil {
			return nil, answer.Err
		}
		return answer.Val.(*learned), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// remembered returns what has been learned, or why a recent try failed. Both are nil if the issuer must be asked.
func (p *Provider) remembered() (*learned, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.learned == nil && p.failure != nil && p.now().Before(p.again) {
		return nil, unavailable(p.failure)
	}
	return p.learned, nil
}

// tried reports whether the issuer did not answer when it was asked last.
func (p *Provider) tried() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.learned == nil && p.failure != nil
}

// learn asks the issuer where its keys are, and remembers the result. One call of it runs at a time.
func (p *Provider) learn() (*learned, error) {
	// Another may have asked since the caller looked.
	if known, err := p.remembered(); known != nil || err != nil {
		return known, err
	}
	known, err := p.ask()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.failure, p.again = err, p.now().Add(awayTime)
		return nil, unavailable(err)
	}
	p.learned, p.failure = known, nil
	return known, nil
}

func (p *Provider) ask() (*learned, error) {
	// Not the caller's context: what is learned outlives the call.
	ctx := oidc.ClientContext(p.life, p.client)
	provider, err := oidc.NewProvider(ctx, p.issuer)
	if err != nil {
		return nil, err
	}
	var said announced
	if err := provider.Claims(&said); err != nil {
		return nil, err
	}
	keys := newKeys(p.life, p.client, func() time.Time { return p.now() }, said.Keys)
	return &learned{oidc.NewVerifier(p.issuer, keys, &oidc.Config{ClientID: p.audience,
		SupportedSigningAlgs: said.accepted()}), keys.asking, provider.Endpoint()}, nil
}

func unavailable(err error) error {
	if errors.Is(err, errNewKey) {
		return fault.New(fault.IdentityUnavailable, "the identity provider had no such key a moment ago").
			RetryAfter(awayTime).Because(err)
	}
	return fault.New(fault.IdentityUnavailable, "the identity provider does not answer").Because(err)
}

// Close stops asking the issuer and lets connections to it go.
func (p *Provider) Close() {
	p.end()
	p.client.CloseIdleConnections()
}

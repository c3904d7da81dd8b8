package keyrings

import (
	"context"
	"net/url"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// Provider signs people in: an OpenID Connect provider.
type Provider interface {
	// About says who the provider is. endpoint, where a page sends people to sign in, is empty while the provider does
	// not answer.
	About(ctx context.Context) (issuer, clientID, endpoint string)
	// Redeem exchanges the code with which the provider sent a person back for the identity token. The token is for
	// this server, is valid, and was made for the request with the nonce.
	Redeem(ctx context.Context, r Redemption) (Signed, error)
}

// Redemption is what a code is exchanged with.
type Redemption struct{ Code, Verifier, RedirectURI, Nonce string }

// Signed is a person who has signed in.
type Signed struct {
	// Token is the identity token.
	Token string
	// Name is what the person is called; may be empty.
	Name string
	// Expires is when the token stops being worth anything.
	Expires time.Time
}

// GetSignIn says how people can sign in.
func (s *Server) GetSignIn(ctx context.Context, _ *v1.GetSignInRequest) (*v1.GetSignInResponse, error) {
	out := &v1.GetSignInResponse{Required: s.Required, KeepsForSecrets: s.Keep > 0, KeepsForPeople: s.keepsForPeople()}
	if s.Provider != nil {
		out.Issuer, out.ClientId, out.AuthorizationUri = s.Provider.About(ctx)
	}
	return out, nil
}

// Sizes of what a code is exchanged with, in bytes.
const (
	longestCode     = 4096
	leastVerifier   = 43 // RFC 7636
	longestVerifier = 128
	longestURI      = 2048
	leastNonce      = 22 // 128 bits in base 64
	longestNonce    = 128
)

// ExchangeCode returns the identity token for a code.
func (s *Server) ExchangeCode(ctx context.Context, req *v1.ExchangeCodeRequest) (*v1.ExchangeCodeResponse, error) {
	var faults fault.Violations
	within := func(field, text string, least, most int) {
		if n := len(text); n < least || n > most {
			faults.Add(field, "%d bytes, expected %d to %d", n, least, most)
		}
	}
	within("code", req.GetCode(), 1, longestCode)
	within("code_verifier", req.GetCodeVerifier(), leastVerifier, longestVerifier)
	within("redirect_uri", req.GetRedirectUri(), 1, longestURI)
	within("nonce", req.GetNonce(), leastNonce, longestNonce)
	if u, err := url.Parse(req.GetRedirectUri()); err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http") {
		faults.Add("redirect_uri", "expected an address such as https://play.example/")
	}
	if err := faults.Err(fault.ValidationFailed); err != nil {
		return nil, err
	}
	if s.Provider == nil {
		return nil, fault.New(fault.SignInOff, "the server has no identity provider")
	}
	who, err := s.Provider.Redeem(ctx, Redemption{Code: req.GetCode(), Verifier: req.GetCodeVerifier(),
		RedirectURI: req.GetRedirectUri(), Nonce: req.GetNonce()})
	if err != nil {
		return nil, err
	}
	return &v1.ExchangeCodeResponse{IdentityToken: who.Token, ExpireTime: timestamppb.New(who.Expires),
		DisplayName: who.Name}, nil
}

package login

import (
	"context"
	"errors"
	"slices"

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

// keys are the keys of an issuer, asked for when a token is signed by one that is not known yet.
type keys struct{ remote oidc.KeySet }

// VerifySignature gives what a token says if one of the keys signed it.
func (k keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.remote.VerifySignature(ctx, token)
	// Of the errors of the remote keys, that of fetching them alone has a cause.
	if cause := errors.Unwrap(err); cause != nil {
		if place, ok := ctx.Value(awayKey{}).(*error); ok {
			*place = cause
		}
	}
	return payload, err
}

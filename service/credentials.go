package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/grpc/metadata"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/tokens"
)

// Identity is who somebody is, as an identity provider says.
type Identity struct {
	// Subject names a person for ever and at any provider: issuer and subject, in a spelling of their own.
	Subject string
	// Expires is when what the provider said stops being worth anything.
	Expires time.Time
}

// Identities checks the tokens of identity providers. An error says that a token is worth nothing; callers are told no more than that, unless
// it is a [fault.Error].
type Identities interface {
	Identify(ctx context.Context, token string) (Identity, error)
}

// credentials are what a call brought to say who makes it.
type credentials struct {
	tokens []string
	// person is nil unless an identity provider vouches for one.
	person *Identity
	// former is true for calls that the last holder of a free seat may make with the seat's old token.
	former bool
}

func (c credentials) count() int {
	if c.person != nil {
		return len(c.tokens) + 1
	}
	return len(c.tokens)
}

// credentials reads the bearer tokens of a call.
func (s *Service) credentials(ctx context.Context) (credentials, error) {
	var c credentials
	md, _ := metadata.FromIncomingContext(ctx)
	for _, value := range md.Get("authorization") {
		// Some clients can set a header only once and join the values as HTTP does.
		for one := range strings.SplitSeq(value, ",") {
			scheme, token, ok := strings.Cut(strings.TrimSpace(one), " ")
			token = strings.TrimSpace(token)
			switch {
			case ok && strings.EqualFold(scheme, "bearer") && tokens.WellFormed(token):
				c.tokens = append(c.tokens, token)
			case ok && strings.EqualFold(scheme, "bearer") && s.identities != nil && c.person == nil && strings.Count(token, ".") == 2:
				who, err := s.identities.Identify(ctx, token)
				if err != nil && ctx.Err() != nil { // who gave up has not brought a bad token
					return credentials{}, ctx.Err()
				}
				var known *fault.Error
				if errors.As(err, &known) {
					return credentials{}, known
				}
				if err != nil {
					return credentials{}, fault.New(fault.IdentityInvalid, "the identity token is not valid here").Because(err)
				}
				c.person = &who
			default:
				return credentials{}, fault.New(fault.TokenMalformed, "expected \"Bearer wl_…\" in the metadata \"authorization\"")
			}
		}
	}
	if len(c.tokens) > 2*rules.MaxSeats {
		return credentials{}, fault.New(fault.TokenMalformed, "%d tokens, more than a game has seats", len(c.tokens))
	}
	return c, nil
}

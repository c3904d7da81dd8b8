package service

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/metadata"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/tokens"
)

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
			case ok && strings.EqualFold(scheme, "bearer") && s.identities != nil && c.person == nil &&
				strings.Count(token, ".") == 2:
				who, err := s.identities.Identify(ctx, token)
				if err != nil && ctx.Err() != nil { // who gave up has not brought a bad token
					return credentials{}, ctx.Err()
				}
				var known *fault.Error
				if errors.As(err, &known) {
					return credentials{}, known
				}
				if err != nil {
					return credentials{},
						fault.New(fault.IdentityInvalid, "the identity token is not valid here").Because(err)
				}
				c.person = &who
			default:
				return credentials{},
					fault.New(fault.TokenMalformed, "expected \"Bearer wl_…\" in the metadata \"authorization\"")
			}
		}
	}
	if len(c.tokens) > 2*rules.MaxSeats {
		return credentials{}, fault.New(fault.TokenMalformed, "%d tokens, more than a game has seats", len(c.tokens))
	}
	return c, nil
}

// newOwner is who an identity provider says makes a call that creates a game; nil if none is asked.
func (s *Service) newOwner(ctx context.Context) (*Identity, error) {
	if s.identities == nil {
		return nil, nil
	}
	creds, err := s.credentials(ctx)
	if err != nil {
		return nil, err
	}
	if creds.person == nil && s.ownersLogIn {
		return nil, fault.New(fault.TokenRequired,
			"the server lets only people who have logged in create games: an identity token is needed")
	}
	return creds.person, nil
}

// ownedBy reports whether a game that was created by a request of this id is of this person, or of
// nobody in particular.
func ownedBy(meta *logv1.GameMeta, owner *Identity) bool {
	if owner == nil {
		return len(meta.OwnerSubjectHash) == 0
	}
	return tokens.Same(tokens.HashOf(owner.Subject), meta.OwnerSubjectHash)
}

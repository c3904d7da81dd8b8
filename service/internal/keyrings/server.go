package keyrings

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// MaxContent is how much a keyring may hold, in bytes.
const MaxContent = 256 << 10

// Credential is what a call brought to say whose keyring it is about: one of the two.
type Credential struct {
	// Secret is a token of the kind that opens a keyring.
	Secret string
	// Subject is the person whom an identity provider knows.
	Subject string
}

// Host is what the service gives to its keyrings.
type Host struct {
	// Store keeps them.
	Store eventstore.Store
	// Clock gives the time.
	Clock func() time.Time
	// Who reads the credential of a call.
	Who func(ctx context.Context) (Credential, error)
	// Charge counts bytes that are to be stored for a call, or says why they may not be.
	Charge func(ctx context.Context, bytes int) error
	// Room reports whether the store has room for what does not belong to a game.
	Room func() bool
	// Provider signs people in; nil for none.
	Provider Provider
	// Required is true if only people who have signed in may create games.
	Required bool
}

// Config says what is kept. The zero value keeps nothing.
type Config struct {
	// Keep is how long a keyring is kept that nobody writes; 0 keeps none.
	Keep time.Duration
	// Secret seals the keyrings of people whom an identity provider knows: at least 32 bytes, the same on all servers
	// of a store, and not in the store. Without it none of those are kept.
	Secret []byte
	// Most is how many keyrings may hold something; no bound if 0.
	Most int
}

// Server implements KeyringService. Use [New].
type Server struct {
	v1.UnimplementedKeyringServiceServer
	Host
	Config
	places places
}

// leastSecret is the minimum length of the server's secret, in bytes.
const leastSecret = 32

// New makes the service of keyrings.
func New(c Config, h Host) (*Server, error) {
	if n := len(c.Secret); n > 0 && n < leastSecret {
		return nil, errors.New("keyrings: the secret is too short")
	}
	return &Server{Host: h, Config: c, places: newPlaces(h)}, nil
}

// keepsForPeople reports whether keyrings of people are kept whom an identity provider knows.
func (s *Server) keepsForPeople() bool { return s.Keep > 0 && s.Provider != nil && len(s.Secret) > 0 }

// of finds the place of the caller's keyring.
func (s *Server) of(ctx context.Context) (place, error) {
	if s.Keep <= 0 {
		return place{}, fault.New(fault.KeyringsOff, "the server keeps no keyrings")
	}
	who, err := s.Who(ctx)
	switch {
	case err != nil:
		return place{}, err
	case who.Secret != "":
		return ofSecret(who.Secret)
	case !s.keepsForPeople():
		return place{}, fault.New(fault.KeyringsOff, "the server has no secret to seal the keyrings of people with")
	}
	return ofPerson(s.Secret, who.Subject)
}

// shown is a keyring as its owner sees it.
func (s *Server) shown(k *kept, content []byte) *v1.Keyring {
	return &v1.Keyring{Content: content, Etag: k.etag(), UpdateTime: timestamppb.New(k.updated),
		ExpireTime: timestamppb.New(k.updated.Add(s.Keep))}
}

// GetKeyring returns the caller's keyring.
func (s *Server) GetKeyring(ctx context.Context, _ *v1.GetKeyringRequest) (*v1.GetKeyringResponse, error) {
	p, err := s.of(ctx)
	if err != nil {
		return nil, err
	}
	k, err := s.read(ctx, p.stream)
	if err != nil {
		return nil, err
	}
	if k.empty() {
		return nil, fault.New(fault.KeyringNotFound, "the server keeps no keyring for the caller").
			With("etag", k.etag())
	}
	content, err := p.unseal(k.sealed)
	if errors.Is(err, errSealed) {
		return nil, fault.New(fault.KeyringSealed, "the server cannot open the keyring: it is damaged, or another's").
			Because(err)
	}
	if err != nil {
		return nil, err
	}
	return &v1.GetKeyringResponse{Keyring: s.shown(k, content)}, nil
}

// longestEtag bounds the etag of a request, in bytes.
const longestEtag = 64

// UpdateKeyring replaces the caller's keyring, or makes it.
func (s *Server) UpdateKeyring(ctx context.Context, req *v1.UpdateKeyringRequest) (*v1.UpdateKeyringResponse, error) {
	var faults fault.Violations
	in := req.GetKeyring()
	switch n := len(in.GetContent()); {
	case n == 0:
		faults.Add("keyring.content", "it is empty; DeleteKeyring has the server forget a keyring")
	case n > MaxContent:
		faults.Add("keyring.content", "%d bytes, at most %d are allowed", n, MaxContent)
	}
	if n := len(in.GetEtag()); n > longestEtag {
		faults.Add("keyring.etag", "%d bytes, at most %d are allowed", n, longestEtag)
	}
	if err := faults.Err(fault.ValidationFailed); err != nil {
		return nil, err
	}
	p, err := s.of(ctx)
	if err != nil {
		return nil, err
	}
	k, err := s.put(ctx, p, in.GetContent(), in.GetEtag())
	if err != nil {
		return nil, err
	}
	return &v1.UpdateKeyringResponse{Keyring: s.shown(k, nil)}, nil
}

// DeleteKeyring has the server forget the caller's keyring.
func (s *Server) DeleteKeyring(ctx context.Context, _ *v1.DeleteKeyringRequest) (*v1.DeleteKeyringResponse, error) {
	p, err := s.of(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.forget(ctx, p.stream, func(*kept) bool { return true }); err != nil {
		return nil, err
	}
	return new(v1.DeleteKeyringResponse), nil
}

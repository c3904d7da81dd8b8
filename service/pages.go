package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// pageBytes is how many bytes the answer of a list may have; the element that reaches them is its last.
const pageBytes = 1 << 20

// shortPage is how many games or records are made for an answer at any time. A longer page waits for a place, because
// an answer that is half made takes memory.
const shortPage = 100

// listing takes a place for a page of a list. Call done when it is made.
func (s *Service) listing(ctx context.Context, size int) (done func(), err error) {
	if size <= shortPage {
		return func() {}, nil
	}
	select {
	case s.lists <- struct{}{}:
		return func() { <-s.lists }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// page counts the bytes of the answer of a list.
type page int

func (p *page) add(m proto.Message) { *p += page(proto.Size(m)) }

// full reports whether the page ends here.
func (p page) full() bool { return p >= pageBytes }

// pageToken writes where the next page begins. request holds everything that must be the same in the next request.
func pageToken(at string, request ...any) string {
	sum := pageDigest(at, request)
	return base64.RawURLEncoding.EncodeToString(append(sum[:8], at...))
}

// pageStart reads a page token; empty for the first page.
func pageStart(token string, request ...any) (string, error) {
	if token == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil && len(token) <= maxPageToken && len(raw) > 8 {
		at := string(raw[8:])
		if sum := pageDigest(at, request); string(sum[:8]) == string(raw[:8]) {
			return at, nil
		}
	}
	return "", fault.New(fault.PageTokenInvalid, "the page token does not belong to this request")
}

func pageDigest(at string, request []any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "warledger/page/1 %q %q", at, fmt.Sprintf("%q", request)))
}

// pageNumbers packs numbers into the start of a page.
func pageNumbers(numbers ...uint64) string {
	var b []byte
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return string(b)
}

// pageValues unpacks them; ok is false if there are not as many as wanted.
func pageValues(at string, numbers ...*uint64) (ok bool) {
	b := []byte(at)
	for _, n := range numbers {
		v, size := binary.Uvarint(b)
		if size <= 0 {
			return false
		}
		*n, b = v, b[size:]
	}
	return len(b) == 0
}

// resumeSize is version, viewer and a shortened MAC.
const resumeSize = 8 + 5 + 16

// resumeToken writes where a watch goes on. It is signed, for it says what its holder has seen, and
// bound to game and viewer.
func resumeToken(secret []byte, game string, who live.ViewerKey, version uint64) string {
	b := binary.BigEndian.AppendUint64(nil, version)
	b = append(b, who[:]...)
	return base64.RawURLEncoding.EncodeToString(append(b, resumeMAC(secret, game, b)...))
}

// resumeVersion reads a resume token.
func resumeVersion(secret []byte, game string, who live.ViewerKey, token string) (uint64, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != resumeSize || !hmac.Equal(raw[13:], resumeMAC(secret, game, raw[:13])) {
		return 0, fault.New(fault.ResumeTokenInvalid, "the resume token is not one of this game")
	}
	if live.ViewerKey(raw[8:13]) != who {
		return 0, fault.New(fault.ResumeTokenInvalid, "the resume token was given to another viewer")
	}
	return binary.BigEndian.Uint64(raw), nil
}

func resumeMAC(secret []byte, game string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "warledger/resume/1/%s/", game)
	mac.Write(body)
	return mac.Sum(nil)[:16]
}

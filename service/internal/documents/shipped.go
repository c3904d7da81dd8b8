package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// canonical is a scenario document as it is stored: the same JSON without blanks, with the fields of each object
// sorted and each character spelt in one way. Invalid JSON stays as it is, so that the ruleset can say what is wrong
// with it.
func canonical(document []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber() // keeps the spelling; a float would lose digits
	var value any
	if d.Decode(&value) != nil {
		return document
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return document
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return document
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// shipped are the documents that come with the rulesets.
type shipped struct {
	mu sync.Mutex
	// forms are the documents of a ruleset by the digest of their canonical form, made when somebody first brings a
	// document.
	forms map[string]map[ledger.Hash][]byte
	// digests are the digests of documents by ruleset and id: hashing them took nine tenths of a list of scenarios.
	digests map[[2]string]ledger.Hash
}

// Digest is the digest of a shipped document.
func (s *shipped) Digest(set rules.Ruleset, d rules.Document) ledger.Hash {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{set.About().Name, d.ID}
	digest, ok := s.digests[key]
	if !ok {
		if s.digests == nil {
			s.digests = make(map[[2]string]ledger.Hash)
		}
		digest = ledger.ScenarioDigest(d.Data)
		s.digests[key] = digest
	}
	return digest
}

// Canonical is the canonical form of a document. If that equals the canonical form of a shipped document, it is the
// shipped one.
func (s *shipped) Canonical(set rules.Ruleset, document []byte) []byte {
	form := canonical(document)
	if ours, ok := s.of(set)[ledger.ScenarioDigest(form)]; ok {
		return ours
	}
	return form
}

// Has reports whether a document is a shipped one.
func (s *shipped) Has(set rules.Ruleset, document []byte) bool {
	for _, d := range set.ScenarioDocuments() {
		if bytes.Equal(d.Data, document) {
			return true
		}
	}
	return false
}

func (s *shipped) of(set rules.Ruleset) map[ledger.Hash][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := set.About().Name
	if s.forms == nil {
		s.forms = make(map[string]map[ledger.Hash][]byte)
	}
	if s.forms[name] == nil {
		s.forms[name] = make(map[ledger.Hash][]byte)
		for _, d := range set.ScenarioDocuments() {
			s.forms[name][ledger.ScenarioDigest(canonical(d.Data))] = d.Data
		}
	}
	return s.forms[name]
}

package orders_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/clients/go/orders"
)

// sample is an order as the clients of all languages write it.
type sample struct {
	Ruleset  string          `json:"ruleset"`
	Order    json.RawMessage `json:"order"`
	Notation string          `json:"notation"`
}

// samples are the orders that all clients write, and those that all refuse.
func samples(t *testing.T) (written, refused []sample) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/orders.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Written, Refused []sample }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all.Written, all.Refused
}

// notation writes the order of a sample.
func (s *sample) notation() (string, error) {
	switch s.Ruleset {
	case "ocs":
		return decoded[orders.OCS](s.Order)
	case "downfall":
		return decoded[orders.Downfall](s.Order)
	case "anniversary":
		return decoded[orders.Anniversary](s.Order)
	}
	return "", fmt.Errorf("unknown ruleset %s", s.Ruleset)
}

func decoded[O interface{ Notation() (string, error) }](data []byte) (string, error) {
	var o O
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		panic(err) // a sample that no order can be
	}
	return o.Notation()
}

// TestNotation: the package writes what the samples say. That the rules read it so is held beside the rulesets.
func TestNotation(t *testing.T) {
	t.Parallel()
	written, refused := samples(t)
	for _, s := range written {
		got, err := s.notation()
		if d := cmp.Diff(s.Notation, got); d != "" || err != nil {
			t.Errorf("%s %s: %v\n%s", s.Ruleset, s.Order, err, d)
		}
	}
	for _, s := range refused {
		if got, err := s.notation(); err == nil {
			t.Errorf("%s %s is written as %q", s.Ruleset, s.Order, got)
		}
	}
}

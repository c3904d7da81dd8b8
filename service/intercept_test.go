package service

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
)

// purse admits calls until its units are spent.
type purse struct {
	anyone
	units int
}

func (p *purse) Admit(_ context.Context, method string) (func(), error) {
	cost, _, _ := Cost(method)
	if p.units -= cost; p.units < 0 {
		return nil, fault.New(fault.RateLimited, "spent")
	}
	return func() {}, nil
}

// asking is a stream whose caller asks on and on.
type asking struct{ grpc.ServerStream }

func (asking) Context() context.Context { return context.Background() }
func (asking) RecvMsg(any) error        { return nil }

// TestReflectionIsPaidByTheQuestion: one stream of reflection asked 7,000 questions a second for the price of one call.
func TestReflectionIsPaidByTheQuestion(t *testing.T) {
	t.Parallel()
	price, _, _ := Cost(askedAs)
	s := &Service{admission: &purse{units: 5 * price}}
	answered := 0
	info := &grpc.StreamServerInfo{FullMethod: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"}
	err := s.Stream(nil, asking{}, info, func(_ any, stream grpc.ServerStream) error {
		for ; answered < 1000; answered++ {
			if err := stream.RecvMsg(nil); err != nil {
				return err
			}
		}
		return nil
	})
	if answered != 5 || price == 0 || status.Code(err) != codes.ResourceExhausted {
		t.Errorf("%d answers for units for 5 of %d each, then %v", answered, price, err)
	}
}

// TestDocumentsOfFilesWaitTheirTurn: a document that comes with an imported game is loaded beside no more others than
// any other document.
func TestDocumentsOfFilesWaitTheirTurn(t *testing.T) {
	t.Parallel()
	reg, err := rules.NewRegistry(toy.Ruleset())
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{registry: reg, scenarios: documents.New(nil, 1, 0, func(context.Context, int) {})}
	f := &file{
		header:  &logv1.ExportHeader{ScenarioDocument: toy.Ruleset().ScenarioDocuments()[0].Data},
		created: &logv1.GameCreated{Ruleset: toy.Ruleset().About().Name, RulesVersion: 1},
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.load(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("without a place: %v", err)
	}
	s.scenarios = documents.New(nil, 1, 1, func(context.Context, int) {})
	if err := f.load(context.Background(), s); err != nil || f.sc == nil {
		t.Errorf("with a place: %v", err)
	}
}

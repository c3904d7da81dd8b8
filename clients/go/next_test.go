package warledger_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// listed is a page of a list.
func listed(version uint64, more string, commands ...string) *v1.ListLegalActionsResponse {
	out := &v1.ListLegalActionsResponse{Version: version, NextPageToken: more, TotalSize: 9}
	for _, c := range commands {
		out.Actions = append(out.Actions, &boardv1.Action{Command: c})
	}
	return out
}

// TestNextLegalAsksForTheRestOnly: what came with the answer to a command is not asked for again.
func TestNextLegalAsksForTheRestOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		came      *v1.NextActions
		pages     map[string]*v1.ListLegalActionsResponse // by token; nil for a game that has moved on
		want      []string
		wantAsked []string
		version   uint64
	}{
		"all came":      {came: &v1.NextActions{Legal: listed(7, "", "a", "b")}, want: []string{"a", "b"}, version: 7},
		"nothing to do": {came: &v1.NextActions{Legal: listed(7, "")}},
		"two pages": {came: &v1.NextActions{Legal: listed(7, "second", "a")}, want: []string{"a", "b"},
			pages: map[string]*v1.ListLegalActionsResponse{"second": listed(7, "", "b")}, version: 7,
			wantAsked: []string{"second"}},
		"moved on": {came: &v1.NextActions{Legal: listed(7, "second", "a")}, want: []string{"x"},
			pages: map[string]*v1.ListLegalActionsResponse{"second": nil, "": listed(8, "", "x")}, version: 8,
			wantAsked: []string{"second", ""}},
		"nothing came": {pages: map[string]*v1.ListLegalActionsResponse{"": listed(7, "", "a")},
			want: []string{"a"}, wantAsked: []string{""}, version: 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			s := &scripted{
				submit: func(_ context.Context, req *v1.SubmitCommandRequest) (*v1.SubmitCommandResponse, error) {
					if !req.Next.GetIncludeCommands() || req.Next.GetPageSize() != 3 {
						t.Errorf("asked with %v", req.Next)
					}
					return &v1.SubmitCommandResponse{Next: c.came}, nil
				},
				legal: func(
					_ context.Context, req *v1.ListLegalActionsRequest,
				) (*v1.ListLegalActionsResponse, error) {
					if !req.IncludeCommands || req.PageSize != 3 || req.Seat != "red" {
						t.Errorf("asked with %v", req)
					}
					asked = append(asked, req.PageToken)
					if page := c.pages[req.PageToken]; page != nil {
						return page, nil
					}
					return nil, fault(codes.Aborted, warledger.ErrVersionConflict)
				},
			}
			q := &v1.NextQuery{IncludeCommands: true, PageSize: 3}
			g := s.play(t).Game("g", "red")
			done, err := g.Submit(t.Context(), warledger.Move{Notation: "end", Next: q})
			if err != nil {
				t.Fatal(err)
			}
			all, err := g.NextLegal(t.Context(), done, q)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, a := range all {
				got = append(got, a.Command)
				if a.Version != c.version || a.Index != i {
					t.Errorf("action %d is %+v", i, a)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.wantAsked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

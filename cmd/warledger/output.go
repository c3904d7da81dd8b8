package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
)

// message prints a message as JSON, or has text print it for people.
func (a *app) message(m proto.Message, text func()) error {
	if a.line.Output != "json" {
		text()
		return nil
	}
	return a.json(m, true)
}

// json prints a message as JSON, on several lines or on one.
func (a *app) json(m proto.Message, lines bool) error {
	data, err := protojson.Marshal(m)
	if err != nil {
		return fmt.Errorf("as JSON: %w", err)
	}
	return a.plainJSON(json.RawMessage(data), lines)
}

// plainJSON prints a value as JSON. Messages pass through it too, since protojson varies its spaces on purpose.
func (a *app) plainJSON(v any, lines bool) error {
	var data []byte
	var err error
	if lines {
		data, err = json.MarshalIndent(v, "", "  ")
	} else {
		data, err = json.Marshal(v)
	}
	if err == nil {
		_, err = fmt.Fprintln(a.out, warledger.Printable(string(data)))
	}
	return err
}

// heads are the heads of a table in the language asked for.
func (a *app) heads(columns ...string) []string {
	in := make([]string, len(columns))
	for i, c := range columns {
		in[i] = a.words(c)
	}
	return in
}

// table prints rows in columns.
func (a *app) table(rows [][]string) {
	w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, warledger.Printable(strings.TrimRight(strings.Join(row, "\t"), "\t")))
	}
	_ = w.Flush() // what cannot be printed cannot be complained of
}

func join(ids []string) string { return strings.Join(ids, ", ") }

// orDash keeps an empty column visible.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

package edge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"connectrpc.com/connect"
	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/grpc-ecosystem/grpc-gateway/v2/utilities"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/service/unknown"
)

// plainPaths is where all plain paths begin.
const plainPaths = "/v1/"

// Rest serves the plain paths that the contract gives its calls with google.api.http. A request becomes the call of
// Connect that next serves, so access, limits and errors exist once. A stream comes as lines of JSON.
func Rest(next http.Handler, services ...protoreflect.ServiceDescriptor) (http.Handler, error) {
	mux := runtime.NewServeMux(runtime.WithDisableHTTPMethodOverride(), runtime.WithDisablePathLengthFallback(),
		runtime.WithRoutingErrorHandler(noSuchPath))
	paths := 0
	for _, service := range services {
		for i := range service.Methods().Len() {
			p, err := newPlain(next, service.Methods().Get(i))
			if err != nil {
				return nil, err
			}
			if p == nil {
				continue
			}
			paths++
			if err := mux.HandlePath(p.verb, p.path, p.serve); err != nil {
				return nil, fmt.Errorf("edge: %s: %w", p.procedure, err)
			}
		}
	}
	if paths == 0 {
		return next, nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, plainPaths) || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}

// plain is a call under its plain path.
type plain struct {
	next                  http.Handler
	procedure, verb, path string
	in                    protoreflect.MessageType
	streams               bool
}

// httpRule is what the contract says about a call's plain path; nil for none.
func httpRule(m protoreflect.MethodDescriptor) *annotations.HttpRule {
	rule, _ := proto.GetExtension(m.Options(), annotations.E_Http).(*annotations.HttpRule)
	return rule
}

// newPlain reads the path of a call; nil if it has none.
func newPlain(next http.Handler, m protoreflect.MethodDescriptor) (*plain, error) {
	rule := httpRule(m)
	if rule == nil {
		return nil, nil
	}
	p := &plain{next: next, procedure: fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()),
		streams: m.IsStreamingServer()}
	switch {
	case rule.GetGet() != "" && rule.Body == "":
		p.verb, p.path = http.MethodGet, rule.GetGet()
	case rule.GetPost() != "" && rule.Body == "*" && !p.streams:
		p.verb, p.path = http.MethodPost, rule.GetPost()
	default:
		return nil, fmt.Errorf("edge: %s: a plain path is a GET, or a POST of the whole request", p.procedure)
	}
	if !strings.HasPrefix(p.path, plainPaths) {
		return nil, fmt.Errorf("edge: %s: the path %s does not begin with %s", p.procedure, p.path, plainPaths)
	}
	var err error
	p.in, err = messageType(m.Input())
	return p, err
}

// serve makes the call that a request with a plain path stands for.
func (p *plain) serve(w http.ResponseWriter, r *http.Request, inPath map[string]string) {
	var err error
	call := r.Clone(r.Context())
	call.Method, call.URL, call.RequestURI = http.MethodPost, &url.URL{Path: p.procedure}, p.procedure
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("Connect-Protocol-Version", "1")
	if p.verb == http.MethodGet {
		err = p.ask(call, r.URL.Query(), inPath)
	} else {
		err = p.post(call, r, inPath)
	}
	if err != nil {
		refuse(w, r, err)
		return
	}
	if p.streams {
		call.Header.Set("Content-Type", "application/connect+json")
		call.Header.Del("Connect-Accept-Encoding")
		w = &lines{ResponseWriter: w}
	}
	p.next.ServeHTTP(w, call)
}

// ask makes the body of a call from a path and a query.
func (p *plain) ask(call *http.Request, query url.Values, inPath map[string]string) error {
	m := p.in.New().Interface()
	if err := p.check(query, inPath); err != nil {
		return err
	}
	if err := runtime.PopulateQueryParameters(m, query, utilities.NewDoubleArray(nil)); err != nil {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	for field, value := range inPath {
		if err := runtime.PopulateFieldFromPath(m, field, value); err != nil {
			return connect.NewError(connect.CodeInvalidArgument, err)
		}
	}
	body, err := protojson.Marshal(m)
	if err != nil {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	if p.streams {
		body = append(envelope(0, len(body)), body...)
	}
	call.Body, call.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	call.Header.Del("Content-Encoding")
	return nil
}

// check refuses what no field of the request is, and what the path says already: without it the request asks for
// something else than its sender meant.
func (p *plain) check(query url.Values, inPath map[string]string) error {
	var odd []unknown.Field
	for key := range query {
		in := p.in.Descriptor()
		for part := range strings.SplitSeq(key, ".") {
			f := in.Fields().ByJSONName(part)
			if f == nil {
				f = in.Fields().ByTextName(part)
			}
			if f == nil || f.IsMap() {
				odd = append(odd, unknown.Field{Path: key, In: in})
				break
			}
			if _, twice := inPath[string(f.Name())]; twice && in == p.in.Descriptor() {
				return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("%s stands in the path already", key))
			}
			if f.Message() == nil || f.IsList() {
				continue
			}
			in = f.Message()
		}
	}
	if len(odd) == 0 {
		return nil
	}
	return Translate(unknown.Err(odd))
}

// post adds to the body of a call what the path says. The body is read as the call reads it.
func (p *plain) post(call, r *http.Request, inPath map[string]string) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return connect.NewError(connect.CodeInvalidArgument,
			errors.New("the body of the request must be JSON, with Content-Type: application/json"))
	}
	if r.Header.Get("Content-Encoding") != "" {
		return connect.NewError(connect.CodeInvalidArgument,
			errors.New("the body of a plain path must not be compressed"))
	}
	if r.URL.RawQuery != "" {
		return connect.NewError(connect.CodeInvalidArgument,
			errors.New("a POST has all its fields in its body, and no query"))
	}
	m := p.in.New().Interface()
	for field, value := range inPath {
		if err := runtime.PopulateFieldFromPath(m, field, value); err != nil {
			return connect.NewError(connect.CodeInvalidArgument, err)
		}
	}
	fields, err := protojson.Marshal(m)
	if err != nil {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	call.Header.Del("Content-Length")
	call.Body, call.ContentLength = &merged{ReadCloser: r.Body, fields: fields}, -1
	return nil
}

// noSuchPath answers a plain path that no call has, or not with that method.
func noSuchPath(
	_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, status int,
) {
	err := errors.New("no call has this path: /openapi.json lists those that there are")
	if status == http.StatusMethodNotAllowed {
		err = fmt.Errorf("this path has no %s: /openapi.json says what it has", r.Method)
	}
	refuse(w, r, connect.NewError(connect.CodeNotFound, err))
}

// refuse answers with an error, in the form that calls by JSON have.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	call := r.Clone(r.Context())
	call.Method = http.MethodPost
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("Connect-Protocol-Version", "1")
	_ = connect.NewErrorWriter().Write(w, call, err) // the caller has gone
}

// merged is a JSON object with further fields in front of its own. A field that stands in both is found by whoever
// decodes it.
type merged struct {
	io.ReadCloser
	fields []byte // an object
	front  []byte
	opened bool
}

// Read reads on.
func (b *merged) Read(p []byte) (int, error) {
	if !b.opened {
		if err := b.open(); err != nil {
			return 0, err
		}
	}
	if len(b.front) > 0 {
		n := copy(p, b.front)
		b.front = b.front[n:]
		return n, nil
	}
	return b.ReadCloser.Read(p)
}

// open reads up to the first field of the body and puts the further ones in front of it. What is no object is left as
// it is, so that decoding says what is wrong.
func (b *merged) open() error {
	b.opened = true
	first, err := b.visible()
	switch {
	case errors.Is(err, io.EOF): // an empty body is an empty object
		b.front = b.fields
		return nil
	case err != nil:
		return err
	case first != '{' || len(b.fields) <= len("{}"):
		b.front = []byte{first}
		return nil
	}
	b.front = bytes.TrimSuffix(b.fields, []byte("}"))
	switch first, err = b.visible(); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return err
	case first == '}':
		b.front = append(b.front, first)
	default:
		b.front = append(b.front, ',', first)
	}
	return nil
}

// visible reads the next byte that is no white space.
func (b *merged) visible() (byte, error) {
	var one [1]byte
	for {
		if _, err := io.ReadFull(b.ReadCloser, one[:]); err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(one[0])) {
			return one[0], nil
		}
	}
}

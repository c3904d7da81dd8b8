package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// health is a small service with a call of each kind that the edge serves. It keeps the metadata of the last call.
type health struct {
	healthv1.UnimplementedHealthServer
	got   chan metadata.MD
	watch func(healthv1.Health_WatchServer) error
}

func (h *health) Check(ctx context.Context, r *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	h.got <- md
	if r.Service == "gone" {
		st, err := status.New(codes.NotFound, "no such service").
			WithDetails(&errdetails.ErrorInfo{Reason: "GONE", Domain: "test"})
		if err != nil {
			return nil, err
		}
		return nil, st.Err()
	}
	answer := &healthv1.HealthCheckResponse{Status: healthv1.HealthCheckResponse_SERVING}
	if r.Service == "large" {
		answer.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 99, protowire.BytesType),
			bytes.Repeat([]byte("large "), compressFrom)))
	}
	return answer, nil
}

func (h *health) Watch(_ *healthv1.HealthCheckRequest, to healthv1.Health_WatchServer) error {
	return h.watch(to)
}

// served is an edge in front of a health service, reached by HTTP.
type served struct {
	*health
	url string
}

func serve(t *testing.T, limits Limits) *served {
	t.Helper()
	s := &served{health: &health{got: make(chan metadata.MD, 1)}}
	inside := grpc.NewServer()
	healthv1.RegisterHealthServer(inside, s.health)
	pipe := bufconn.Listen(1 << 16)
	done := make(chan error, 1)
	go func() { done <- inside.Serve(pipe) }()
	conn, err := grpc.NewClient("passthrough:///inside", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return pipe.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := Mount(mux, conn, limits,
		healthv1.File_grpc_health_v1_health_proto.Services().ByName("Health")); err != nil {
		t.Fatal(err)
	}
	outside := httptest.NewServer(mux)
	s.url = outside.URL
	t.Cleanup(func() {
		outside.Close()
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		inside.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// post sends a body and gives the status, the headers and the body of the answer.
func (s *served) post(t *testing.T, call, media string, body []byte, headers ...string) (int, http.Header, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/grpc.health.v1.Health/"+call,
		bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", media)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, data
}

var roomy = Limits{Receive: 1 << 16, Send: 1 << 16}

func TestACallIsAnsweredInTheLanguageItCameIn(t *testing.T) {
	t.Parallel()
	s := serve(t, roomy)
	for _, media := range []string{"application/json", "application/json; charset=utf-8"} {
		code, headers, body := s.post(t, "Check", media, []byte(`{"service":"x"}`))
		if code != 200 || string(bytes.ReplaceAll(body, []byte(" "), nil)) != `{"status":"SERVING"}` ||
			headers.Get("Content-Type") != media {
			t.Errorf("%s: %d %s %v", media, code, body, headers)
		}
		<-s.got
	}
	code, headers, body := s.post(t, "Check", "application/proto", nil)
	<-s.got
	var got healthv1.HealthCheckResponse
	if err := proto.Unmarshal(body, &got); err != nil || code != 200 ||
		headers.Get("Content-Type") != "application/proto" {
		t.Errorf("%d %q %v (%v)", code, body, headers, err)
	}
	if diff := cmp.Diff(&healthv1.HealthCheckResponse{Status: healthv1.HealthCheckResponse_SERVING}, &got,
		protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyWhoCallsAndTheTraceGoInside(t *testing.T) {
	t.Parallel()
	s := serve(t, roomy)
	s.post(t, "Check", "application/json", []byte("{}"), "Authorization", "Bearer x", "X-Forwarded-For", "1.2.3.4",
		"X-Forwarded-For", "5.6.7.8",
		"Traceparent", "00-1", "Cookie", "a=b", "Warledger-Caller-Address", "6.6.6.6", "X-Other", "y")
	md := <-s.got
	for key, want := range map[string][]string{
		"authorization": {"Bearer x"}, "x-forwarded-for": {"1.2.3.4", "5.6.7.8"}, "traceparent": {"00-1"},
		"cookie": nil, "x-other": nil,
	} {
		if diff := cmp.Diff(want, md.Get(key)); diff != "" {
			t.Errorf("%s:\n%s", key, diff)
		}
	}
	// The caller's own word for its address must not stand beside the true one.
	if addresses := md.Get(AddressKey); len(addresses) != 1 || !strings.HasPrefix(addresses[0], "127.0.0.1:") {
		t.Errorf("addresses %v", addresses)
	}
}

func TestErrorsKeepCodeWordsAndDetails(t *testing.T) {
	t.Parallel()
	s := serve(t, roomy)
	code, _, body := s.post(t, "Check", "application/json", []byte(`{"service":"gone"}`))
	<-s.got
	var got struct {
		Code, Message string
		Details       []struct{ Type string }
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if code != 404 || got.Code != "not_found" || got.Message != "no such service" || len(got.Details) != 1 ||
		got.Details[0].Type != "google.rpc.ErrorInfo" {
		t.Errorf("%d %s", code, body)
	}
}

func TestABodyThatIsNotTheCallsIsRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, Limits{Receive: 64, Send: 1 << 16})
	for name, c := range map[string]struct {
		media, body string
		want        int
	}{
		"no JSON at all":   {"application/json", "", 400},
		"half of JSON":     {"application/json", `{"service":`, 400},
		"another type":     {"application/json", `{"service":3}`, 400},
		"no protobuf":      {"application/proto", "\xff\xff", 400},
		"too long":         {"application/json", `{"service":"` + strings.Repeat("x", 64) + `"}`, 429},
		"of another media": {"text/plain", "{}", 415},
	} {
		if code, _, body := s.post(t, "Check", c.media, []byte(c.body)); code != c.want {
			t.Errorf("%s: %d %s, want %d", name, code, body, c.want)
		}
	}
	select {
	case md := <-s.got:
		t.Errorf("a call went inside: %v", md)
	default:
	}
}

func TestAnAnswerBeyondTheLimitIsNotSent(t *testing.T) {
	t.Parallel()
	s := serve(t, Limits{Receive: 64, Send: 1})
	if code, _, body := s.post(t, "Check", "application/proto", nil); code != 429 {
		t.Errorf("%d %q", code, body)
	}
	<-s.got
}

func TestAStreamIsPassedOnToItsEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, roomy)
	s.watch = func(to healthv1.Health_WatchServer) error {
		for _, is := range []healthv1.HealthCheckResponse_ServingStatus{healthv1.HealthCheckResponse_SERVING,
			healthv1.HealthCheckResponse_NOT_SERVING} {
			if err := to.Send(&healthv1.HealthCheckResponse{Status: is}); err != nil {
				return err
			}
		}
		return status.Error(codes.Unavailable, "stopping")
	}
	client := connect.NewClient[healthv1.HealthCheckRequest, healthv1.HealthCheckResponse](
		&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, s.url+"/grpc.health.v1.Health/Watch",
		connect.WithGRPCWeb())
	stream, err := client.CallServerStream(t.Context(), connect.NewRequest(&healthv1.HealthCheckRequest{}))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var got []string
	for stream.Receive() {
		got = append(got, stream.Msg().GetStatus().String())
	}
	if diff := cmp.Diff([]string{"SERVING", "NOT_SERVING"}, got); diff != "" {
		t.Error(diff)
	}
	if connect.CodeOf(stream.Err()) != connect.CodeUnavailable || !strings.Contains(stream.Err().Error(), "stopping") {
		t.Errorf("ended with %v", stream.Err())
	}
}

func TestTheCallInsideEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	s := serve(t, roomy)
	ended := make(chan error, 1)
	s.watch = func(to healthv1.Health_WatchServer) error {
		if err := to.Send(&healthv1.HealthCheckResponse{}); err != nil {
			return err
		}
		<-to.Context().Done()
		ended <- to.Context().Err()
		return to.Context().Err()
	}
	client := connect.NewClient[healthv1.HealthCheckRequest, healthv1.HealthCheckResponse](
		&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, s.url+"/grpc.health.v1.Health/Watch")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := client.CallServerStream(ctx, connect.NewRequest(&healthv1.HealthCheckRequest{}))
	if err != nil {
		t.Fatal(err)
	}
	if !stream.Receive() {
		t.Fatal(stream.Err())
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
}

func TestACallThatTakesAStreamIsNotMounted(t *testing.T) {
	t.Parallel()
	reflection := reflectionv1.File_grpc_reflection_v1_reflection_proto.Services().ByName("ServerReflection")
	err := Mount(http.NewServeMux(), nil, roomy, reflection)
	if err == nil || !strings.Contains(err.Error(), "ServerReflectionInfo takes a stream") {
		t.Errorf("got %v", err)
	}
}

func FuzzBodies(f *testing.F) {
	f.Add([]byte(`{"service":"x"}`), true)
	f.Add([]byte("\n\x01x"), false)
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		p := &payload{m: new(healthv1.HealthCheckRequest)}
		if isJSON {
			_ = jsonCodec{"json"}.Unmarshal(data, p)
		} else if err := (protoCodec{}).Unmarshal(data, p); err == nil {
			if _, err := (protoCodec{}).Marshal(p); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
	})
}

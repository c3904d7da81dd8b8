package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/webhook"
)

// drawn remembers all entropy that a service drew: the secrets of its games.
type drawn struct {
	mu      sync.Mutex
	secrets [][]byte
}

func (d *drawn) Read(p []byte) (int, error) {
	n, err := rand.Read(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secrets = append(d.secrets, bytes.Clone(p[:n]))
	return n, err
}

// sought are planted secrets by what they are, each in every spelling that it might leak in.
type sought map[string][]string

func (p sought) text(what string, secrets ...string) {
	p[what] = append(p[what], secrets...)
}

func (p sought) bytes(what string, secret []byte) {
	p.text(what, string(secret), hex.EncodeToString(secret), base64.StdEncoding.EncodeToString(secret),
		base64.URLEncoding.EncodeToString(secret),
		strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)), fmt.Sprint(secret),
		fmt.Sprintf("%q", secret))
}

// find fails the test if a text holds a secret.
func (p sought) find(t *testing.T, where, text string) {
	t.Helper()
	for what, spellings := range p {
		for _, s := range spellings {
			if at := strings.Index(text, s); at >= 0 {
				t.Errorf("%s hold %s: …%q…", where, what, text[max(0, at-60):min(len(text), at+len(s)+20)])
			}
		}
	}
}

// TestSecretsStayInside plants every kind of secret, plays, makes every call go wrong in every field with them, and
// looks for them in the log at its most talkative, the metrics, the traces and the errors.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	entropy, log, spans, figures := new(drawn), new(lines), tracetest.NewSpanRecorder(), prometheus.NewRegistry()
	identity := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4tdGhlLW93bmVyIn0.c2lnbmF0dXJl"
	inbox, posted := openPostOffice(t), receive(t)
	h := open(t, posting(t), mailing(t, inbox), func(s *setting) {
		s.entropy, s.log, s.level, s.metrics = entropy, log, -8, figures
		s.store = onDisk(t) // whose spans are looked at too
		s.traces = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
		s.identities = people{identity: service.Identity{
			Subject: "https://issuer.example ann-the-owner", Expires: time.Now().Add(time.Hour),
		}}
	})
	p := sought{}
	g := secretive(t, h, p, identity)
	subscribe(t, g, p, posted, inbox)
	p.bytes("red's plan as it is stored", planBytes(t, "0303"))
	p.text("red's plan", "plan 0303")
	for _, secret := range entropy.secrets {
		p.bytes("a secret of the game", secret)
	}
	before := log.all()
	if !strings.Contains(before, strings.TrimPrefix(g.name, "games/")) || len(spans.Ended()) == 0 {
		t.Fatal("nothing was logged or traced, so the test proves nothing")
	}
	provoke(t, h, g, p)
	h.stop()
	p.find(t, "the logs", log.all())
	p.find(t, "the metrics", exposed(t, figures))
	for _, s := range spans.Ended() {
		p.find(t, "the traces", fmt.Sprintln(s.Name(), s.Attributes(), s.Events(), s.Status(), s.Links()))
	}
	if n := strings.Count(log.all()[len(before):], "\n"); n < 100 {
		t.Errorf("only %d calls went wrong, so the test proves little", n)
	}
}

// secretive plays a little of a game and plants what it was given on the way.
func secretive(t *testing.T, h *host, p sought, identity string) *table {
	t.Helper()
	create, take := newGame(),
		&v1.TakeSeatRequest{Seat: "red", Holder: "Rea", RequestId: id(), Entropy: []byte("entropy that red keeps")}
	create.Dice = logv1.DiceKind_DICE_KIND_COMMITTED
	made, err := h.games.CreateGame(as(identity), create)
	must(t, err)
	g := &table{host: h, name: made.Game.Name, owner: made.OwnerToken}
	take.Name = g.name
	red, err := h.games.TakeSeat(as(), take)
	must(t, err)
	g.red, g.blue = red.SeatToken, g.sit("blue")
	grant := &v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), RequestId: id()}
	given, err := v1.NewAccessServiceClient(h.conn).CreateToken(as(g.red), grant)
	must(t, err)
	p.text("a token", g.owner, g.red, g.blue, given.Secret, g.owner[5:], g.red[5:], g.blue[5:], given.Secret[5:])
	p.text("the id of a request that gives a token", create.RequestId, take.RequestId, grant.RequestId)
	p.text("an identity token", identity, "ann-the-owner")
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0503")
	w := g.watch(after(0), g.red)
	for w.next().GetCaughtUp() == nil {
	}
	w.stop()
	return g
}

// subscribe makes a webhook and a mailbox that work, and ones that fail in each way, and plants what is secret of them.
func subscribe(t *testing.T, g *table, p sought, posted *receiver, inbox *postOffice) {
	t.Helper()
	n := v1.NewNotificationServiceClient(g.conn)
	hook := func(address, token string) *v1.CreateWebhookResponse {
		req := &v1.CreateWebhookRequest{Parent: g.name, RequestId: id(),
			Webhook: &v1.Webhook{Url: address, Kinds: []logv1.NoticeKind{aRecord}}}
		out, err := n.CreateWebhook(as(token), req)
		must(t, err)
		p.text("the secret of a webhook", out.Secret, out.Secret[6:])
		p.text("the id of a request that gives a webhook", req.RequestId)
		if secret, err := webhook.ParseSecret(out.Secret); err == nil {
			p.bytes("the key of a webhook", secret)
		}
		return out
	}
	works := hook(posted.server.URL+"/hooks/T0123/secret-path", g.red)
	posted.mu.Lock()
	posted.secrets["/hooks/T0123/secret-path"] = works.Secret
	posted.mu.Unlock()
	// Nobody listens there, it is no address that may be reached, and it speaks no TLS.
	for _, address := range []string{"http://127.0.0.1:1/secret-path", "http://localhost.invalid/secret-path",
		strings.Replace(posted.server.URL, "http:", "https:", 1) + "/secret-path"} {
		out := hook(address, g.red)
		must(t, second(n.PingWebhook(as(g.red), &v1.PingWebhookRequest{Name: out.Webhook.Name})))
	}
	p.text("the address of a webhook", "secret-path")
	g.agreed(inbox, g.red, "red-secretly@example.org")
	inbox.refuses(func(string) error { return &smtp.SMTPError{Code: 550, Message: "no blue-secretly here"} })
	g.box(g.blue, "blue-secretly@example.org")
	soon(t, "mail fails", func() bool { return g.mailbox(g.blue).Delivery.Failure != "" })
	p.text("an address for mail", "red-secretly", "blue-secretly")
	p.text("the code of a mail", linkIn(t, inbox.letters()[0]).Query().Get("code"))
	next := g.tokenOf(g.game().WaitingFor)
	g.do(next, g.legal(next).Actions[0].Command)
	soon(t, "a webhook works", func() bool { return len(posted.records()) > 0 })
}

// provoke calls everything with secrets where they do not belong, and looks at each error.
func provoke(t *testing.T, h *host, g *table, p sought) {
	t.Helper()
	g.say(g.blue, atTable, "hello") // or a stream of messages would wait for the third one
	words := []string{g.red, g.owner, "Bearer " + g.blue}
	tokens := map[string][]string{"nobody": nil, "blue": {g.blue}, "the owner": {g.owner},
		"one with a broken token": {g.red + "x"}, "two in one": {g.blue + " " + g.red}}
	for _, file := range []protoreflect.FileDescriptor{v1.File_warledger_v1_catalog_service_proto,
		v1.File_warledger_v1_game_service_proto, v1.File_warledger_v1_access_service_proto,
		v1.File_warledger_v1_deadline_service_proto, v1.File_warledger_v1_notification_service_proto,
		v1.File_warledger_v1_talk_service_proto,
		v1.File_warledger_v1_computer_service_proto, v1.File_warledger_v1_keyring_service_proto} {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				for who, creds := range tokens {
					for _, word := range words {
						for _, named := range []bool{false, true} {
							text := call(t, h, methods.Get(j), creds, g, word, named)
							p.find(t, fmt.Sprintf("errors of %s to %s", methods.Get(j).Name(), who), text)
						}
					}
				}
			}
		}
	}
}

// call sends a request that has a word in every text, but for the name of the game if it is named, and
// gives the error as text.
func call(
	t *testing.T, h *host, m protoreflect.MethodDescriptor, creds []string, g *table, word string, named bool,
) string {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(m.Input().FullName())
	must(t, err)
	req := kind.New()
	fields := req.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.IsList() || f.IsMap():
		case f.Kind() == protoreflect.StringKind && named && (f.Name() == "name" || f.Name() == "parent"):
			req.Set(f, protoreflect.ValueOfString(g.name))
		case f.Kind() == protoreflect.StringKind && named && (f.Name() == "request_id" || f.Name() == "command_id"):
			req.Set(f, protoreflect.ValueOfString(id()))
		case f.Message() != nil && f.Message().ParentFile().Package() == "warledger.v1": // a webhook or a mailbox
			inner := req.Mutable(f).Message()
			for i := range f.Message().Fields().Len() {
				if one := f.Message().Fields().Get(i); one.Kind() == protoreflect.StringKind && !one.IsList() {
					inner.Set(one, protoreflect.ValueOfString(word))
				}
			}
		case f.Kind() == protoreflect.StringKind && named && (f.Name() == "language_code" || f.Name() == "page_token"):
		case f.Kind() == protoreflect.StringKind:
			req.Set(f, protoreflect.ValueOfString(word))
		case f.Kind() == protoreflect.BytesKind:
			req.Set(f, protoreflect.ValueOfBytes([]byte(word)))
		}
	}
	ctx, cancel := context.WithTimeout(as(creds...), 10*time.Second)
	defer cancel()
	stream, err := h.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true},
		fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()))
	must(t, err)
	must(t, stream.SendMsg(req.Interface()))
	must(t, stream.CloseSend())
	out, err := protoregistry.GlobalTypes.FindMessageByName(m.Output().FullName())
	must(t, err)
	for n := 0; err == nil && n < 3; n++ { // a watch goes on for ever
		err = stream.RecvMsg(out.New().Interface())
	}
	if err == nil || err == io.EOF {
		return ""
	}
	wire, _ := proto.Marshal(status.Convert(err).Proto())
	return err.Error() + string(wire)
}

func exposed(t *testing.T, figures *prometheus.Registry) string {
	t.Helper()
	families, err := figures.Gather()
	must(t, err)
	var b bytes.Buffer
	for _, f := range families {
		_, err := expfmt.MetricFamilyToText(&b, f)
		must(t, err)
	}
	return b.String()
}

package rulesets

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/warledger/warledger/clients/raster"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// subscribe sets up notices of every record for every seat and the owner.
func (s *site) subscribe() {
	s.since = s.game("").Version
	for _, who := range append(s.seats(), "owner") {
		s.hook(who, "/records/"+who, logv1.NoticeKind_NOTICE_KIND_RECORD)
	}
}

func (s *site) hook(who, path string, kind logv1.NoticeKind) {
	_, err := v1.NewNotificationServiceClient(s.conn).CreateWebhook(s.as(who), &v1.CreateWebhookRequest{
		Parent: s.name, RequestId: namedID("hook "+who, uint64(kind)),
		Webhook: &v1.Webhook{Url: s.hooks.server.URL + path, Kinds: []logv1.NoticeKind{kind}},
	})
	s.must(err)
}

// settle waits until all notices of the last record have arrived, so that both sites have sent the same.
func (s *site) settle() {
	for _, who := range append(s.seats(), "owner") {
		s.hooks.wait(s.t, s.hooks.posts, "/records/"+who, int(s.game("").Version-s.since))
	}
}

// rest waits until the server has noted what it sent. A notice arrives before the server knows so, and ListWebhooks
// says how far each webhook is.
func (s *site) rest() {
	hooks := v1.NewNotificationServiceClient(s.conn)
	head := s.game("").Version
	for _, who := range append(s.seats(), "owner") {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			page, err := hooks.ListWebhooks(s.as(who), &v1.ListWebhooksRequest{Parent: s.name})
			s.must(err)
			behind := func(w *v1.Webhook) bool { return w.Delivery.AfterVersion < head }
			if !slices.ContainsFunc(page.Webhooks, behind) {
				break
			}
			if time.Now().After(deadline) {
				s.t.Fatalf("a webhook of %s is not at record %d", who, head)
			}
		}
	}
}

var mailedLink = regexp.MustCompile(`https://\S+code=\S+`)

// noticed is what was posted and mailed to a viewer. At the end a seat that the game waits for is also told what is
// asked of it.
func (s *site) noticed(who string, last bool) map[string]string {
	got := map[string]string{}
	if who == "spectator" {
		return got
	}
	for i, body := range s.hooks.wait(s.t, s.hooks.posts, "/records/"+who, 0) {
		got[fmt.Sprint("post ", i)] = s.post(body)
	}
	if !last || who == "owner" {
		return got
	}
	s.hook(who, "/asked/"+who, logv1.NoticeKind_NOTICE_KIND_ASKED)
	n := v1.NewNotificationServiceClient(s.conn)
	address := who + "@example.org"
	box, err := n.CreateMailbox(s.as(who),
		&v1.CreateMailboxRequest{Parent: s.name, RequestId: namedID("box "+who, 0),
			Mailbox: &v1.Mailbox{Address: address}})
	s.must(err)
	letter := s.hooks.wait(s.t, s.hooks.mails, address, 1)[0]
	link, err := url.Parse(mailedLink.FindString(letter))
	s.must(err)
	_, err = n.ConfirmMailbox(s.as(who),
		&v1.ConfirmMailboxRequest{Name: box.Mailbox.Name, Code: link.Query().Get("code")})
	s.must(err)
	if slices.Contains(s.game(who).WaitingFor, who) {
		got["asked"] = s.post(s.hooks.wait(s.t, s.hooks.posts, "/asked/"+who, 1)[0])
	}
	for i, letter := range s.hooks.wait(s.t, s.hooks.mails, address, 1) {
		got[fmt.Sprint("mail ", i)] = letter
	}
	return got
}

// post is a posted notice and its size.
func (s *site) post(body string) string {
	n := new(v1.Notice)
	if err := protojson.Unmarshal([]byte(body), n); err != nil {
		return body
	}
	return fmt.Sprintf("%d bytes\n%s", len(body), text(n))
}

// pictured are the pictures of boards: equal boards have the same one, so that it is drawn once.
var pictured sync.Map

// pictures are the size of the board as clients draw it for a viewer, and a digest of its pixels.
func (s *site) pictures(who string) map[string]string {
	out, err := s.games.GetBoard(s.as(who), &v1.GetBoardRequest{Name: s.name, IncludeMap: true})
	s.must(err)
	board := framed(out.Board)
	picture, ok := pictured.Load(board)
	if !ok {
		img, err := raster.Draw(out.Board, out.Board.Map, raster.Options{Scale: 0})
		s.must(err)
		picture = fmt.Sprintf("%v %x", img.Rect, sha256.Sum256(img.Pix))
		pictured.Store(board, picture)
	}
	return map[string]string{"picture": picture.(string)}
}

package service

import (
	"html/template"
	"net/http"
	"strings"

	"golang.org/x/text/language"

	"github.com/warledger/warledger/languages"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/tokens"
)

// mailPage is shown to whoever follows a link of a mail. The button is there because programs that look for bad
// links follow them too.
var mailPage = template.Must(template.New("mail").Parse(`<!doctype html>
<html lang="{{.Lang}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Warledger</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1rem}</style></head>
<body><h1>Warledger</h1><p>{{.Text}}</p>
{{- if .Button}}<form method="post"><button>{{.Button}}</button></form>{{end}}</body></html>
`))

// pageTexts are what the pages say, in English and Japanese.
var pageTexts = map[string][2]string{
	tokens.CodeConfirm + "?":     {"Do you want mail of this game?", "このゲームのメール通知を受け取りますか？"},
	tokens.CodeConfirm + "!":     {"Yes, send mail", "受け取る"},
	tokens.CodeConfirm + ".":     {"You will get mail when something is asked of you.", "行動が必要になるとメールが届きます。"},
	tokens.CodeUnsubscribe + "?": {"Do you want no more mail of this game?", "このゲームのメール通知を停止しますか？"},
	tokens.CodeUnsubscribe + "!": {"Yes, stop", "停止する"},
	tokens.CodeUnsubscribe + ".": {"You will get no more mail of this game.", "このゲームのメール通知を停止しました。"},
	"bad":                        {"This link is not good, or not any more.", "このリンクは無効か、期限が切れています。"},
	"later":                      {"That did not work just now. Try again later.", "現在処理できません。後でもう一度お試しください。"},
}

// MailPages answers what mails lead to, under "/mail/": to agree to mail, and to end it with one click (RFC 8058). All
// else is given to next.
func (s *Service) MailPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		purpose, ok := strings.CutPrefix(r.URL.Path, notice.MailPages)
		if !ok || !s.notices.SendsMail() {
			next.ServeHTTP(w, r)
			return
		}
		s.mailPage(w, r, purpose)
	})
}

func (s *Service) mailPage(w http.ResponseWriter, r *http.Request, purpose string) {
	if purpose != tokens.CodeConfirm && purpose != tokens.CodeUnsubscribe {
		http.NotFound(w, r)
		return
	}
	query := r.URL.Query() // what is posted says nothing more
	var sh shape
	game, id := sh.mailbox(query.Get("mailbox"))
	code := query.Get("code")
	err := sh.err()
	if err == nil {
		err = s.withCode(r.Context(), game, id, purpose, code)
	}
	if err != nil {
		showMailPage(w, r, http.StatusNotFound, "bad", "")
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		showMailPage(w, r, http.StatusOK, purpose+"?", purpose+"!")
		return
	case http.MethodPost:
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	do := s.confirmMailbox
	if purpose == tokens.CodeUnsubscribe {
		do = s.endMail
	}
	switch err := do(r.Context(), game, id, code); {
	case err == nil:
		showMailPage(w, r, http.StatusOK, purpose+".", "")
	case fault.ReasonOf(err) == string(fault.MailboxNotFound):
		showMailPage(w, r, http.StatusNotFound, "bad", "")
	default:
		showMailPage(w, r, http.StatusServiceUnavailable, "later", "")
	}
}

// offered matches tags with the languages that the server has.
var offered = func() language.Matcher {
	var tags []language.Tag
	for _, tag := range languages.Tags() {
		tags = append(tags, language.Make(tag))
	}
	return language.NewMatcher(tags)
}()

// accepted returns the tag of the server's language that a browser prefers.
func accepted(r *http.Request) string {
	liked, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return languages.Tags()[0]
	}
	_, at, _ := offered.Match(liked...)
	return languages.Tags()[at]
}

// showMailPage shows a page that leaves nothing behind.
func showMailPage(w http.ResponseWriter, r *http.Request, status int, text, button string) {
	lang := accepted(r)
	say := func(text string) string { return languages.Say(lang, pageTexts[text][0], pageTexts[text][1]) }
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	page := struct{ Lang, Text, Button string }{lang, say(text), ""}
	if button != "" {
		page.Button = say(button)
	}
	_ = mailPage.Execute(w, page) // who has gone does not read it
}

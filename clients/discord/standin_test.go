package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/disgoorg/disgo/bot"
	"github.com/disgoorg/disgo/gateway"
	"github.com/gorilla/websocket"
)

// standIn is Discord as far as the bridge needs it: calls, and a gateway that interactions come from.
type standIn struct {
	t    *testing.T
	http *httptest.Server

	mu     sync.Mutex
	news   *sync.Cond
	nextID int
	// commands are what was registered, messages what stands in each channel, answers what players were shown by the
	// token of their interaction.
	commands []byte
	messages map[string][]*message
	answers  map[string]*answer
	links    map[link]bool
	resumed  int
	secrets  []string

	// losePosts is how many messages are taken while their answer is lost, loseCalls how many of those that call
	// players, limitPosts how many are turned away, and blind that history is not shown.
	losePosts, loseCalls, limitPosts int
	// closed are the channels of those who take no direct messages.
	closed map[string]bool
	// forgetful means that it no longer knows nonces, as Discord does after some minutes.
	blind, forgetful bool
}

// link is what interactions reach the bridge by.
type link interface {
	WriteJSON(v any) error
	Close() error
}

// direct hands interactions to the library as its gateway would, without a connection.
type direct struct{ client *bot.Client }

// WriteJSON hands over what has an interaction in it.
func (d *direct) WriteJSON(v any) error {
	data, err := json.Marshal(v.(map[string]any)["d"])
	if err != nil {
		return err
	}
	var event gateway.EventInteractionCreate
	if err := json.Unmarshal(data, &event); err != nil {
		return err
	}
	go d.client.EventManager.HandleGatewayEvent(d.client.Gateway, gateway.EventTypeInteractionCreate, 1, event)
	return nil
}

// Close has nothing to do.
func (*direct) Close() error { return nil }

// liveOf is how the bridge is reached: by the library's gateway, but with the race detector directly, since disgo
// v0.19.6 sets and reads the times and the end of its heartbeat in several goroutines.
func (s *standIn) liveOf() func(context.Context, *bot.Client) error {
	if !raced {
		return nil
	}
	return func(_ context.Context, client *bot.Client) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.links[&direct{client}] = true
		s.news.Broadcast()
		return nil
	}
}

// message is what stands in a channel, or what a player is shown.
type message struct {
	ID         string            `json:"id"`
	Channel    string            `json:"channel_id"`
	Content    string            `json:"content"`
	Embeds     []embed           `json:"embeds"`
	Components []row             `json:"components"`
	Nonce      string            `json:"nonce"`
	Enforce    bool              `json:"enforce_nonce"`
	Author     map[string]any    `json:"author"`
	Timestamp  string            `json:"timestamp"`
	Mentions   *mentions         `json:"allowed_mentions"`
	Flags      int               `json:"flags"`
	Files      map[string][]byte `json:"-"`
}

// suppressEmbeds is the flag that keeps Discord from showing previews of links.
const suppressEmbeds = 1 << 2

type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users"`
}

type embed struct {
	Description string `json:"description"`
	Footer      struct {
		Text string `json:"text"`
	} `json:"footer"`
}

type row struct {
	Type       int         `json:"type"`
	Components []component `json:"components"`
}

type component struct {
	Type     int      `json:"type"`
	ID       string   `json:"custom_id"`
	Label    string   `json:"label"`
	Disabled bool     `json:"disabled"`
	Options  []option `json:"options"`
}

type option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description"`
}

// answer is the outcome of an interaction.
type answer struct {
	acknowledged int // the type of the response
	alone        bool
	message      *message
	choices      []struct{ Name, Value string }
}

const (
	applicationID = "100000000000000001"
	guildID       = "100000000000000002"
	// botID is the bot as a user, which need not be the application's.
	botID = "100000000000000003"
)

func newStandIn(t *testing.T) *standIn {
	s := &standIn{t: t, messages: make(map[string][]*message), answers: make(map[string]*answer),
		links: make(map[link]bool), closed: make(map[string]bool), nextID: 1000}
	s.news = sync.NewCond(&s.mu)
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /applications/{app}/commands", s.putCommands)
	mux.HandleFunc("PUT /applications/{app}/guilds/{guild}/commands", s.putCommands)
	mux.HandleFunc("GET /users/@me", func(w http.ResponseWriter, _ *http.Request) {
		s.reply(w, map[string]any{"id": botID, "username": "warledger", "bot": true, "discriminator": "0"})
	})
	mux.HandleFunc("GET /gateway", func(w http.ResponseWriter, _ *http.Request) {
		s.reply(w, map[string]string{"url": "ws" + strings.TrimPrefix(s.http.URL, "http") + "/live"})
	})
	mux.HandleFunc("/live", s.live)
	mux.HandleFunc("POST /channels/{channel}/messages", s.postMessage)
	mux.HandleFunc("GET /channels/{channel}/messages", s.listMessages)
	mux.HandleFunc("PATCH /channels/{channel}/messages/{message}", s.changeMessage)
	mux.HandleFunc("DELETE /channels/{channel}/messages/{message}", s.changeMessage)
	mux.HandleFunc("POST /users/@me/channels", s.openDirect)
	mux.HandleFunc("POST /interactions/{id}/{token}/callback", s.callback)
	mux.HandleFunc("PATCH /webhooks/{app}/{token}/messages/@original", s.editAnswer)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the bridge called %s %s", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	s.http = httptest.NewServer(mux)
	t.Cleanup(s.http.Close)
	return s
}

func (s *standIn) reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		s.t.Error(err)
	}
}

func (s *standIn) refuse(w http.ResponseWriter, status, code int) {
	w.WriteHeader(status)
	s.reply(w, map[string]any{"code": code, "message": "refused"})
}

func (s *standIn) id() string {
	s.nextID++
	return strconv.Itoa(s.nextID)
}

func (s *standIn) putCommands(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.commands = data
	s.mu.Unlock()
	s.reply(w, []any{})
}

// body reads a message, alone or with files.
func (s *standIn) body(r *http.Request, into any) map[string][]byte {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		s.t.Error(err)
		return nil
	}
	if kind != "multipart/form-data" {
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			s.t.Error(err)
		}
		return nil
	}
	files := make(map[string][]byte)
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return files
		}
		if err != nil {
			s.t.Error(err)
			return files
		}
		data, err := io.ReadAll(part)
		if err != nil {
			s.t.Error(err)
		}
		if part.FormName() == "payload_json" {
			if err := json.Unmarshal(data, into); err != nil {
				s.t.Error(err)
			}
			continue
		}
		files[part.FileName()] = data
	}
}

// check holds a message against what Discord takes.
func (s *standIn) check(m *message) {
	if n := len([]rune(m.Content)); n > 2000 {
		s.t.Errorf("a message of %d letters", n)
	}
	if m.Content != "" && len(m.Embeds) == 0 && m.Flags&suppressEmbeds == 0 {
		s.t.Errorf("a message whose links get a preview: %s", m)
	}
	if len(m.Nonce) > 25 || len(m.Components) > 5 {
		s.t.Errorf("nonce %q, %d rows", m.Nonce, len(m.Components))
	}
	for _, e := range m.Embeds {
		if n := len([]rune(e.Description)); n > 4096 {
			s.t.Errorf("an embed of %d letters", n)
		}
	}
	seen := make(map[string]bool)
	for _, r := range m.Components {
		if len(r.Components) == 0 || len(r.Components) > 5 {
			s.t.Errorf("%d components in a row", len(r.Components))
		}
		for _, c := range r.Components {
			if seen[c.ID] || c.ID == "" || len([]rune(c.ID)) > 100 || len([]rune(c.Label)) > 80 {
				s.t.Errorf("custom id %q (twice: %v), label %q", c.ID, seen[c.ID], c.Label)
			}
			seen[c.ID] = true
			if c.Type == 3 && (len(c.Options) == 0 || len(c.Options) > 25) {
				s.t.Errorf("a menu of %d options", len(c.Options))
			}
			values := make(map[string]bool)
			for _, o := range c.Options {
				if o.Label == "" || o.Value == "" || values[o.Value] || len([]rune(o.Label)) > 100 ||
					len([]rune(o.Value)) > 100 || len([]rune(o.Description)) > 100 {
					s.t.Errorf("option %+v", o)
				}
				values[o.Value] = true
			}
		}
	}
}

func (s *standIn) postMessage(w http.ResponseWriter, r *http.Request) {
	var m message
	m.Files = s.body(r, &m)
	s.check(&m)
	if m.Mentions == nil || len(m.Mentions.Parse) > 0 {
		s.t.Errorf("a message that may mention anybody: %s", &m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.news.Broadcast()
	if s.limitPosts > 0 {
		s.limitPosts--
		for k, v := range map[string]string{"X-RateLimit-Bucket": "b", "Retry-After": "0", "Via": "1.1 google"} {
			w.Header().Set(k, v)
		}
		s.refuse(w, http.StatusTooManyRequests, 0)
		return
	}
	channel := r.PathValue("channel")
	if s.closed[channel] {
		s.refuse(w, http.StatusForbidden, 50007)
		return
	}
	i := slices.IndexFunc(s.messages[channel],
		func(old *message) bool { return m.Enforce && !s.forgetful && old.Nonce == m.Nonce })
	if i >= 0 {
		s.reply(w, s.messages[channel][i])
		return
	}
	m.ID, m.Channel, m.Timestamp = s.id(), channel, "2026-01-01T00:00:00Z"
	m.Author = map[string]any{"id": botID, "username": "warledger", "bot": true, "discriminator": "0"}
	s.messages[channel] = append(s.messages[channel], &m)
	if s.loseCalls > 0 && len(calls([]*message{&m})) > 0 {
		s.loseCalls--
		panic(http.ErrAbortHandler)
	}
	if s.losePosts > 0 {
		s.losePosts--
		panic(http.ErrAbortHandler)
	}
	s.reply(w, m)
}

func (s *standIn) listMessages(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blind {
		s.refuse(w, http.StatusForbidden, 50013)
		return
	}
	all := slices.Clone(s.messages[r.PathValue("channel")])
	slices.Reverse(all)
	s.reply(w, all[:min(len(all), 50)])
}

func (s *standIn) callback(w http.ResponseWriter, r *http.Request) {
	var c struct {
		Type int `json:"type"`
		Data struct {
			Flags   int `json:"flags"`
			Choices []struct{ Name, Value string }
		} `json:"data"`
	}
	s.body(r, &c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(c.Data.Choices) > 25 {
		s.t.Errorf("%d choices", len(c.Data.Choices))
	}
	s.answers[r.PathValue("token")] = &answer{acknowledged: c.Type, alone: c.Data.Flags&64 != 0,
		choices: c.Data.Choices}
	s.news.Broadcast()
	w.WriteHeader(http.StatusNoContent)
}

func (s *standIn) editAnswer(w http.ResponseWriter, r *http.Request) {
	var m message
	m.Files = s.body(r, &m)
	s.check(&m)
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.answers[r.PathValue("token")]
	if a == nil {
		s.t.Errorf("an answer to what was not acknowledged")
		return
	}
	m.ID, m.Channel, m.Timestamp = s.id(), "1", "2026-01-01T00:00:00Z"
	m.Author = map[string]any{"id": botID, "username": "warledger", "bot": true, "discriminator": "0"}
	a.message = &m
	s.news.Broadcast()
	s.reply(w, m)
}

// live is the gateway.
func (s *standIn) live(w http.ResponseWriter, r *http.Request) {
	c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer c.Close()
	s.mu.Lock()
	err = c.WriteJSON(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": 20000}})
	s.mu.Unlock()
	for err == nil {
		var in struct {
			Op int `json:"op"`
		}
		if err = c.ReadJSON(&in); err != nil {
			break
		}
		s.mu.Lock()
		switch in.Op {
		case 1:
			err = c.WriteJSON(map[string]any{"op": 11})
		case 2:
			s.links[c] = true
			err = c.WriteJSON(map[string]any{"op": 0, "t": "READY", "s": 1, "d": map[string]any{
				"v":          10,
				"user":       map[string]any{"id": botID, "username": "warledger", "bot": true, "discriminator": "0"},
				"guilds":     []any{},
				"session_id": "s", "resume_gateway_url": "ws" + strings.TrimPrefix(s.http.URL, "http") + "/live",
				"application": map[string]any{"id": applicationID, "flags": 0},
			}})
		case 6:
			s.links[c] = true
			s.resumed++
			err = c.WriteJSON(map[string]any{"op": 0, "t": "RESUMED", "s": 2, "d": map[string]any{}})
		}
		s.news.Broadcast()
		s.mu.Unlock()
	}
	s.mu.Lock()
	delete(s.links, c)
	s.mu.Unlock()
}

// cut breaks every connection of the gateway.
func (s *standIn) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.links {
		c.Close()
		delete(s.links, c)
	}
}

// longest is how long tests wait for what should come at once.
const longest = 2 * time.Minute

// until waits for something to be so, and fails if it does not come.
func (s *standIn) until(what string, so func() bool) {
	s.t.Helper()
	late := time.AfterFunc(longest, s.news.Broadcast)
	defer late.Stop()
	begun := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !so() {
		if time.Since(begun) >= longest {
			s.t.Fatalf("it did not come to this: %s", what)
		}
		s.news.Wait()
	}
}

// in is what stands in a channel.
func (s *standIn) in(channel string) []*message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages[channel])
}

// dispatch sends an interaction and gives its token.
func (s *standIn) dispatch(kind int, u user, data map[string]any, on *message) string {
	s.t.Helper()
	s.until("a gateway", func() bool { return len(s.links) > 0 })
	s.mu.Lock()
	defer s.mu.Unlock()
	token := "interaction-secret-" + s.id()
	s.secrets = append(s.secrets, token)
	d := map[string]any{
		"id": s.id(), "application_id": applicationID, "type": kind, "token": token, "version": 1, "guild_id": guildID,
		"locale":       u.locale,
		"guild_locale": "en-US",
		"channel_id":   u.channel, "channel": map[string]any{"id": u.channel, "type": 0, "name": "table",
			"guild_id": guildID, "permissions": "0"}, "app_permissions": "0",
		"member": map[string]any{
			"user":  map[string]any{"id": u.id, "username": u.name, "discriminator": "0"},
			"roles": []any{}, "joined_at": "2026-01-01T00:00:00Z", "permissions": "0", "deaf": false, "mute": false,
		},
		"data": data, "entitlements": []any{}, "authorizing_integration_owners": map[string]any{}, "context": 0,
	}
	if on != nil {
		d["message"] = on
	}
	for c := range s.links {
		if err := c.WriteJSON(map[string]any{"op": 0, "t": "INTERACTION_CREATE", "s": s.nextID, "d": d}); err != nil {
			s.t.Error(err)
		}
	}
	return token
}

// user is somebody on Discord, in a channel.
type user struct {
	*standIn
	id, name, locale, channel string
}

// slash gives a command and waits for the answer; options are name=value, of which numbers and
// truths are sent as such.
func (u user) slash(sub string, options ...string) *answer {
	u.t.Helper()
	return u.wait(u.dispatch(2, u, command(sub, "", options), nil), "/"+sub+" "+strings.Join(options, " "))
}

func command(sub, focus string, options []string) map[string]any {
	all := []any{}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		one := map[string]any{"name": name, "type": 3, "value": any(value)}
		if n, err := strconv.Atoi(value); err == nil && slices.Contains([]string{"version", "radius", "record"}, name) {
			one["type"], one["value"] = 4, n
		} else if slices.Contains([]string{"mine", "private", "spectators", "all", "lift"}, name) {
			one["type"], one["value"] = 5, value == "true"
		}
		if name == focus {
			one["focused"] = true
		}
		all = append(all, one)
	}
	return map[string]any{"id": "77", "name": commandName, "type": 1,
		"options": []any{map[string]any{"type": 1, "name": sub, "options": all}}}
}

// completes returns what is proposed while an option, the last, is typed.
func (u user) completes(sub string, options ...string) []struct{ Name, Value string } {
	u.t.Helper()
	focus, _, _ := strings.Cut(options[len(options)-1], "=")
	token := u.dispatch(4, u, command(sub, focus, options), nil)
	var got *answer
	u.until("completions of "+focus, func() bool { got = u.answers[token]; return got != nil })
	return got.choices
}

// press presses a button, by the beginning of its custom id.
func (u user) press(on *message, id string) *answer {
	u.t.Helper()
	c := find(on, id)
	if c == nil || c.Type != 2 || c.Disabled {
		u.t.Fatalf("%s cannot press %s under %q", u.name, id, on.Content)
	}
	return u.wait(u.dispatch(3, u, map[string]any{"custom_id": c.ID, "component_type": 2}, on), "button "+id)
}

// choose takes an option of the menu under a message.
func (u user) choose(on *message, value string) *answer {
	u.t.Helper()
	c := menuOf(on)
	return u.wait(u.dispatch(3, u,
		map[string]any{"custom_id": c.ID, "component_type": 3, "values": []string{value}}, on),
		"option "+value)
}

func (u user) wait(token, what string) *answer {
	u.t.Helper()
	var got *answer
	u.until("an answer to "+what, func() bool { got = u.answers[token]; return got != nil && got.message != nil })
	return got
}

// find is the component whose custom id begins with id.
func find(on *message, id string) *component {
	for _, r := range on.Components {
		for i := range r.Components {
			if strings.HasPrefix(r.Components[i].ID, id) {
				return &r.Components[i]
			}
		}
	}
	return nil
}

// menuOf is the menu under a message; nil if none exists.
func menuOf(on *message) *component {
	for _, r := range on.Components {
		for i := range r.Components {
			if r.Components[i].Type == 3 {
				return &r.Components[i]
			}
		}
	}
	return nil
}

// words is all that can be read of a message.
func (m *message) words() string {
	text := m.Content
	for _, e := range m.Embeds {
		text += "\n" + e.Description + "\n" + e.Footer.Text
	}
	return text
}

func (m *message) String() string { return fmt.Sprintf("%s: %q", m.ID, m.words()) }

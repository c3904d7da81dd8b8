package rulesets

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// sends is one kind of request. With late only the last look makes it.
func sends(late bool, f func(l *look) []proto.Message) func(*look) []proto.Message {
	return func(l *look) []proto.Message {
		if late && !l.all {
			return nil
		}
		return f(l)
	}
}

// list makes requests one list.
func list[M proto.Message](requests ...M) (out []proto.Message) {
	for _, r := range requests {
		out = append(out, r)
	}
	return out
}

var langs = []string{"en", "ja"}

// viewers are the perspectives that a request may ask for: the caller's own, a spectator's, each seat's.
func (l *look) viewers() []string { return append([]string{"", "spectator"}, l.seats()...) }

// versions are some past versions, the head, and one that does not exist.
func (l *look) versions() []uint64 {
	if !l.all {
		return []uint64{0, l.version - 1}
	}
	return []uint64{0, l.version - 1, l.version / 2, l.version + 1}
}

// some returns a few commands of the list at first, and at the end as many as are worth a preview each.
func (l *look) some() []string {
	n := 2
	if l.all && l.who == l.seat {
		n = 12
	}
	return append(append([]string(nil), l.listed[:min(n, len(l.listed))]...), l.tried...)
}

// id is the same for the same request of the same viewer at both sites.
func (l *look) id(what string, n uint64) string { return namedID(what+" of "+l.who, n) }

func notation(s string) *v1.SubmitCommandRequest_Notation {
	return &v1.SubmitCommandRequest_Notation{Notation: s}
}

// ranged are the words of commands that anybody made, the ids of pieces among them.
func (l *look) ranged() (ids []string) {
	for _, c := range l.tried {
		ids = append(ids, strings.FieldsFunc(c, func(r rune) bool { return r == ' ' || r == ',' || r == '=' })...)
	}
	return append(ids[:min(len(ids), 60)], "none")
}

// threatened are spaces whose attackers are asked for: "france", and the words of commands, hexes among them.
func (l *look) threatened(i int) string {
	words := append(l.ranged(), "france")
	return words[i%len(words)]
}

// battle is a battle with fields of all kinds.
func (l *look) battle(space string, i int) *v1.CalculateBattleRequest {
	return &v1.CalculateBattleRequest{Name: l.name, Space: space, LanguageCode: langs[i%2],
		Viewer: l.viewers()[(i+1)%2], Version: l.version - 1, Kind: [...]string{"land", "amphibious", "sea", ""}[i%4],
		Policies: l.policies(), Attacker: &v1.BattleForce{Losses: []string{"fighter"}},
		Defender: &v1.BattleForce{Entered: true, Numbers: map[string]int32{"fighter": 2}}}
}

// calls lists the requests of the hunt for each call. Those that change something come last, the same at both sites.
// None may end the game, because then everybody sees everything.
var calls = map[string]func(*look) []proto.Message{
	"ListRulesets": sends(true, func(*look) []proto.Message {
		return list(&v1.ListRulesetsRequest{}, &v1.ListRulesetsRequest{LanguageCode: "ja"})
	}),
	"GetRuleset": sends(true, func(l *look) []proto.Message {
		return list(&v1.GetRulesetRequest{Name: "rulesets/" + l.set.About().Name, LanguageCode: "ja"})
	}),
	"ListScenarios": sends(true, func(l *look) []proto.Message {
		return list(&v1.ListScenariosRequest{Parent: "rulesets/" + l.set.About().Name, LanguageCode: "ja"})
	}),
	"GetScenario": sends(true, func(l *look) []proto.Message {
		return list(&v1.GetScenarioRequest{
			Name:         "rulesets/" + l.set.About().Name + "/scenarios/" + l.set.ScenarioDocuments()[0].ID,
			LanguageCode: "ja", IncludeMap: true,
		})
	}),
	"ValidateScenario": sends(true, func(l *look) []proto.Message {
		return list(&v1.ValidateScenarioRequest{Parent: "rulesets/" + l.set.About().Name, Document: []byte("{}")})
	}),
	"ListRules": sends(true, func(l *look) []proto.Message {
		return list(&v1.ListRulesRequest{Parent: "rulesets/" + l.set.About().Name, PageSize: 100,
			LanguageCode: "ja"})
	}),
	"GetRule": sends(true, func(l *look) []proto.Message {
		return list(&v1.GetRuleRequest{Parent: "rulesets/" + l.set.About().Name, Id: "none",
			LanguageCode: "ja"})
	}),
	"CreateGame": sends(true, func(l *look) []proto.Message {
		return list(&v1.CreateGameRequest{RequestId: uuidOf("create", 0), Ruleset: "rulesets/" + l.set.About().Name,
			Title:  "another",
			Source: &v1.CreateGameRequest_Scenario{Scenario: l.set.ScenarioDocuments()[0].ID}})
	}),
	"GetGame": sends(false, func(l *look) []proto.Message {
		return list(&v1.GetGameRequest{Name: l.name}, &v1.GetGameRequest{Name: l.name, LanguageCode: "ja"})
	}),
	"ListGames": sends(false, func(l *look) []proto.Message {
		return list(&v1.ListGamesRequest{PageSize: 2}, &v1.ListGamesRequest{RunningOnly: true, OpenSeatsOnly: true},
			&v1.ListGamesRequest{Ruleset: "rulesets/" + l.set.About().Name})
	}),
	"TakeSeat": sends(true, func(l *look) (out []proto.Message) {
		for _, seat := range l.seats() {
			out = append(out, &v1.TakeSeatRequest{Name: l.name, Seat: seat, RequestId: l.id("take"+seat, 0)},
				&v1.TakeSeatRequest{Name: l.name, Seat: seat, RequestId: l.id("take"+seat, 1), Holder: "another",
					Entropy: []byte("entropy"), Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 9}})
		}
		return out
	}),
	"LeaveSeat": sends(true, func(l *look) []proto.Message {
		return list(&v1.LeaveSeatRequest{Name: l.name, Seat: "nowhere", RequestId: l.id("leave", 0)})
	}),
	"ListComputers": sends(false, func(l *look) []proto.Message {
		return list(&v1.ListComputersRequest{LanguageCode: "ja"},
			&v1.ListComputersRequest{Ruleset: "rulesets/" + l.set.About().Name,
				Scenario: l.set.ScenarioDocuments()[0].ID})
	}),
	"SeatComputer": sends(true, func(l *look) (out []proto.Message) {
		for _, seat := range l.seats() {
			out = append(out, &v1.SeatComputerRequest{Name: l.name, Seat: seat, Computer: "computers/none",
				GivesUp: true, RequestId: l.id("computer"+seat, 0)})
		}
		return out
	}),
	"UnseatComputer": sends(true, func(l *look) []proto.Message {
		return list(&v1.UnseatComputerRequest{Name: l.name, Seat: l.seat, RequestId: l.id("unseat", 0)})
	}),
	"OfferComputer": sends(true, func(*look) []proto.Message { return list(&v1.OfferComputerRequest{}) }),
	"Resign": sends(true, func(l *look) []proto.Message {
		return list(&v1.ResignRequest{Name: l.name, Seat: "nowhere", RequestId: l.id("resign", 0)})
	}),
	"CloseGame": sends(true, func(l *look) []proto.Message {
		return list(&v1.CloseGameRequest{Name: l.name, RequestId: "none"})
	}),
	"SubmitCommand": sends(false, func(l *look) (out []proto.Message) {
		for i, text := range l.some() {
			out = append(out,
				&v1.SubmitCommandRequest{Name: l.name, Seat: l.seat, CommandId: l.id("check", uint64(i)),
					ValidateOnly: true, Form: notation(text), LanguageCode: langs[i%2]},
				&v1.SubmitCommandRequest{Name: l.name, CommandId: l.id("stale", uint64(i)),
					ExpectedVersion: proto.Uint64(1), Form: notation(text)})
		}
		if made := l.made[l.seat]; made != nil { // a retry is answered with what the seat may do now
			out = append(out, made)
		}
		for i, message := range l.messages {
			out = append(out, &v1.SubmitCommandRequest{Name: l.name, Seat: l.seat, ValidateOnly: true,
				CommandId: l.id("message", uint64(i)), Form: &v1.SubmitCommandRequest_Command{Command: message}},
				&v1.SubmitCommandRequest{Name: l.name, Seat: l.seat, ValidateOnly: true, ManualDice: []uint32{6},
					CommandId: l.id("dice", uint64(i)), Form: &v1.SubmitCommandRequest_Command{Command: message}})
		}
		return append(out,
			&v1.SubmitCommandRequest{Name: l.name, CommandId: l.id("nonsense", 0), Form: notation("nonsense 1")})
	}),
	"PreviewCommand": sends(true, func(l *look) (out []proto.Message) {
		texts := l.some()
		if l.who != l.seat { // a preview is dear: the rest of the list for the seat itself
			texts = texts[:min(2, len(texts))]
		}
		for i, text := range texts {
			out = append(out,
				&v1.PreviewCommandRequest{Name: l.name, Seat: l.seat,
					Form: &v1.PreviewCommandRequest_Notation{Notation: text}, LanguageCode: langs[i%2]})
		}
		for _, message := range l.messages[:min(1, len(l.messages))] {
			out = append(out, &v1.PreviewCommandRequest{Name: l.name, Seat: l.seat,
				Form: &v1.PreviewCommandRequest_Command{Command: message}, Policies: l.policies(),
				ExpectedVersion: proto.Uint64(l.version)})
		}
		return out
	}),
	"CalculateBattle": sends(true, func(l *look) (out []proto.Message) {
		if !l.set.CalculatesBattles() {
			return list(l.battle("0101", 0))
		}
		for i, space := range []string{"east-poland", "france", "sz-9", "sz-12"} {
			out = append(out, l.battle(space, i), &v1.CalculateBattleRequest{Name: l.name, Space: space,
				Policies: map[string]string{"attacker_losses": "standing", "defender_losses": "standing"}})
		}
		return out
	}),
	"Undo": sends(true, func(l *look) []proto.Message {
		return list(&v1.UndoRequest{Name: l.name, Seat: l.seat, Target: 1, RequestId: l.id("undo", 0)},
			&v1.UndoRequest{Name: l.name, Seat: l.seat, RequestId: l.id("undo", 1)},
			&v1.UndoRequest{Name: l.name, Seat: l.seat, Ask: true, RequestId: l.id("undo", 2)})
	}),
	"AnswerUndo": sends(true, func(l *look) []proto.Message {
		return list(&v1.AnswerUndoRequest{Name: l.name, Seat: l.seat, Asked: l.version, RequestId: l.id("answer", 0)},
			&v1.AnswerUndoRequest{Name: l.name, Seat: l.seat, Asked: 1, Agree: true, RequestId: l.id("answer", 1)})
	}),
	"Redo": sends(true, func(l *look) []proto.Message {
		return list(&v1.RedoRequest{Name: l.name, Seat: l.seat, RequestId: l.id("redo", 0)})
	}),
	"ListLegalActions": sends(false, func(l *look) (out []proto.Message) {
		for _, lang := range langs {
			out = append(out,
				&v1.ListLegalActionsRequest{Name: l.name, Seat: l.seat, IncludeCommands: true, LanguageCode: lang,
					PageSize: 400})
		}
		for _, seat := range l.seats() {
			out = append(out, &v1.ListLegalActionsRequest{Name: l.name, Seat: seat, PageSize: 400})
		}
		return append(out, &v1.ListLegalActionsRequest{Name: l.name, Seat: l.seat, Piece: "none"},
			&v1.ListLegalActionsRequest{Name: l.name, Seat: l.seat, Kind: "none"},
			&v1.ListLegalActionsRequest{Name: l.name, Seat: l.seat, Space: "none"})
	}),
	"GetBoard": sends(false, func(l *look) (out []proto.Message) {
		for n, version := range l.versions() {
			for i, viewer := range l.viewers() {
				out = append(out,
					&v1.GetBoardRequest{Name: l.name, Version: version, Viewer: viewer, LanguageCode: langs[i%2]},
					&v1.GetBoardRequest{Name: l.name, Version: version, Viewer: viewer, LanguageCode: langs[1-i%2],
						IncludeMap: l.all && i == 0, PackedMap: n%2 == 0, IncludeLayers: true},
					&v1.GetBoardRequest{Name: l.name, Version: version, Viewer: viewer, RangesOf: l.ranged(),
						ThreatsTo: l.threatened(7*n + int(l.version)), OnlyIncluded: true})
			}
		}
		return out
	}),
	"GetPosition": sends(false, func(l *look) (out []proto.Message) {
		for _, version := range l.versions() {
			for _, viewer := range l.viewers() {
				out = append(out,
					&v1.GetPositionRequest{Name: l.name, Version: version, Viewer: viewer,
						IncludeKnown: version%2 == 0})
			}
		}
		return out
	}),
	"ListRecords": sends(false, func(l *look) (out []proto.Message) {
		for i, viewer := range l.viewers() {
			out = append(out,
				&v1.ListRecordsRequest{Name: l.name, WholeTree: true, PageSize: 7, Viewer: viewer,
					LanguageCode: langs[i%2], IncludeProofs: i%2 == 0},
				&v1.ListRecordsRequest{Name: l.name, PageSize: 11, Viewer: viewer, LanguageCode: langs[1-i%2],
					IncludeProofs: true, AfterVersion: uint64(i)})
		}
		return out
	}),
	"WatchGame": sends(false, func(l *look) (out []proto.Message) {
		for i, viewer := range l.viewers() {
			out = append(out,
				&v1.WatchGameRequest{Name: l.name, Viewer: viewer, LanguageCode: langs[i%2], IncludeProofs: true,
					Heartbeat: durationpb.New(time.Minute)},
				&v1.WatchGameRequest{Name: l.name, Viewer: viewer, LanguageCode: langs[1-i%2],
					Start: &v1.WatchGameRequest_BoardFirst{BoardFirst: true}})
		}
		return append(out,
			&v1.WatchGameRequest{Name: l.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: l.version - 1}},
			&v1.WatchGameRequest{Name: l.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: l.version + 9}})
	}),
	"AuditGame":  sends(true, func(l *look) []proto.Message { return list(&v1.AuditGameRequest{Name: l.name}) }),
	"ExportGame": sends(true, func(l *look) []proto.Message { return list(&v1.ExportGameRequest{Name: l.name}) }),
	"CreateToken": sends(true, func(l *look) (out []proto.Message) {
		for rights := v1.Rights_RIGHTS_SEE; rights <= v1.Rights_RIGHTS_JOIN; rights++ {
			out = append(out,
				&v1.CreateTokenRequest{Name: l.name, Seat: l.seat, Rights: rights,
					RequestId:  l.id("token", uint64(rights)),
					ExpireTime: timestamppb.New(time.Unix(1_799_000_000, 0)), Note: "for a friend"})
		}
		return out
	}),
	"ListTokens": sends(false, func(l *look) []proto.Message { return list(&v1.ListTokensRequest{Parent: l.name}) }),
	"RevokeToken": sends(true, func(l *look) []proto.Message {
		return list(&v1.RevokeTokenRequest{Name: l.name + "/tokens/aaaaaaaaaaaaaaaa"})
	}),
	"OfferSeat": sends(true, func(l *look) (out []proto.Message) {
		for _, seat := range l.seats() {
			out = append(out, &v1.OfferSeatRequest{Name: l.name, Seat: seat, RequestId: l.id("offer"+seat, 0)})
		}
		return out
	}),
	"AnswerSeat": sends(true, func(l *look) []proto.Message {
		return list(&v1.AnswerSeatRequest{
			Name: l.name, Seat: l.seat, Offered: l.version, Agree: true, RequestId: l.id("seat", 0),
		})
	}),
	"ImportGame": sends(true, func(l *look) []proto.Message {
		return list(&v1.ImportGameRequest{RequestId: l.id("import", 0), Data: []byte("no file"), Last: true})
	}),
	"ForkGame": sends(true, func(l *look) (out []proto.Message) {
		for _, version := range l.versions() {
			out = append(out,
				&v1.ForkGameRequest{Name: l.name, Version: version, Private: version%2 == 0, RequestId: l.id("fork",
					version), Title: "a fork", Dice: logv1.DiceKind_DICE_KIND_COMMITTED,
					JoinPolicy: logv1.JoinPolicy_JOIN_POLICY_OPEN})
		}
		return out
	}),
	"ResolveVersion": sends(true, func(l *look) []proto.Message {
		return list(&v1.ResolveVersionRequest{Name: l.name, At: &v1.ResolveVersionRequest_Turn{Turn: 1}},
			&v1.ResolveVersionRequest{Name: l.name, At: &v1.ResolveVersionRequest_Turn{Turn: 99}},
			&v1.ResolveVersionRequest{Name: l.name,
				At: &v1.ResolveVersionRequest_Time{Time: timestamppb.New(time.Unix(1_800_000_000, 0))}})
	}),
	"CompareGames": sends(true, func(l *look) (out []proto.Message) {
		for i, version := range l.versions() {
			out = append(out,
				&v1.CompareGamesRequest{Left: &v1.Line{Name: l.name}, Right: &v1.Line{Name: l.name, Version: version},
					LanguageCode: langs[i%2]})
		}
		return out
	}),
	"GetCheckpoint": sends(true, func(*look) []proto.Message { return list(&v1.GetCheckpointRequest{}) }),
	"ProveConsistency": sends(true, func(*look) []proto.Message {
		return list(&v1.ProveConsistencyRequest{OldSize: 1, NewSize: 1},
			&v1.ProveConsistencyRequest{OldSize: 1, NewSize: 99})
	}),
	"ProveHead": sends(true,
		func(l *look) []proto.Message { return list(&v1.ProveHeadRequest{Name: l.name, TreeSize: 1}) }),
	"ProposeDeadlines": sends(true, func(l *look) []proto.Message {
		return list(&v1.ProposeDeadlinesRequest{Name: l.name,
			Deadlines: &logv1.Deadlines{Allowance: durationpb.New(72 * time.Hour)}, RequestId: l.id("propose", 0)})
	}),
	"AnswerDeadlines": sends(true, func(l *look) []proto.Message {
		return list(&v1.AnswerDeadlinesRequest{
			Name: l.name, Seat: l.seat, Proposed: l.version, RequestId: l.id("deadlines", 0), Agree: true,
		})
	}),
	"TakeHoliday": sends(true, func(l *look) []proto.Message {
		return list(&v1.TakeHolidayRequest{Name: l.name, Seat: l.seat, Days: 1, RequestId: l.id("holiday", 0)})
	}),
	"ListMessages": sends(false, func(l *look) (out []proto.Message) {
		for _, viewer := range l.viewers() {
			out = append(out, &v1.ListMessagesRequest{Parent: l.name, Viewer: viewer, PageSize: 2})
		}
		for audience := range int32(len(v1.Audience_name)) {
			out = append(out, &v1.ListMessagesRequest{Parent: l.name, Audience: v1.Audience(audience)})
		}
		return out
	}),
	"WatchMessages": sends(false, func(l *look) (out []proto.Message) {
		for _, viewer := range l.viewers() {
			out = append(out, &v1.WatchMessagesRequest{Parent: l.name, Viewer: viewer},
				&v1.WatchMessagesRequest{Parent: l.name, Viewer: viewer, Backlog: proto.Int32(1),
					Heartbeat: durationpb.New(time.Minute)})
		}
		return out
	}),
	"GetTalk": sends(false,
		func(l *look) []proto.Message { return list(&v1.GetTalkRequest{Name: l.name + "/talk"}) }),
	"ListReports": sends(false,
		func(l *look) []proto.Message { return list(&v1.ListReportsRequest{Parent: l.name}) }),
	"CreateMessage": sends(true, func(l *look) (out []proto.Message) {
		for audience := range int32(len(v1.Audience_name)) {
			out = append(out, &v1.CreateMessageRequest{Parent: l.name, RequestId: l.id("say", uint64(audience)),
				Message: &v1.Message{Seat: l.seat, Audience: v1.Audience(audience), Text: "said by " + l.who,
					Pin: &v1.Message_Record{Record: 1}}})
		}
		return append(out, &v1.CreateMessageRequest{Parent: l.name, RequestId: l.id("say", 9),
			Message: &v1.Message{Seat: l.seat, Text: "nowhere", Pin: &v1.Message_Space{Space: "nowhere"}}})
	}),
	"DeleteMessage": sends(true, func(l *look) []proto.Message {
		out := list(&v1.DeleteMessageRequest{Name: l.name + "/messages/aaaaaaaaaaaaaaaa"})
		for _, name := range l.whispers {
			out = append(out, &v1.DeleteMessageRequest{Name: name})
		}
		return out
	}),
	"ReportMessage": sends(true, func(l *look) []proto.Message {
		out := list(&v1.ReportMessageRequest{Name: l.name + "/messages/aaaaaaaaaaaaaaaa", Seat: l.seat,
			Reason: "none"})
		for _, name := range l.whispers {
			out = append(out, &v1.ReportMessageRequest{Name: name, Seat: l.seat, Reason: "found it"})
		}
		return out
	}),
	"UpdateTalk": sends(true, func(l *look) []proto.Message {
		return list(&v1.UpdateTalkRequest{Name: l.name + "/talk"},
			&v1.UpdateTalkRequest{Name: l.name + "/talk", SpectatorsRead: proto.Bool(true)})
	}),
	"MuteSeat": sends(true, func(l *look) (out []proto.Message) {
		for _, seat := range l.seats() {
			out = append(out, &v1.MuteSeatRequest{Name: l.name, Muted: seat, Seat: l.seat})
		}
		return append(out, &v1.MuteSeatRequest{Name: l.name, Muted: l.seats()[0], ForAll: true})
	}),
	"UnmuteSeat": sends(true, func(l *look) (out []proto.Message) {
		for _, seat := range l.seats() {
			out = append(out, &v1.UnmuteSeatRequest{Name: l.name, Muted: seat, Seat: l.seat})
		}
		return append(out, &v1.UnmuteSeatRequest{Name: l.name, Muted: l.seats()[0], ForAll: true})
	}),
	"CreateWebhook": sends(true, func(l *look) []proto.Message {
		return list(&v1.CreateWebhookRequest{Parent: l.name, RequestId: l.id("hook", 0),
			Webhook: &v1.Webhook{Seat: "nowhere", Url: "https://play.example/"}})
	}),
	"GetWebhook": sends(true, func(l *look) []proto.Message {
		return list(&v1.GetWebhookRequest{Name: l.name + "/webhooks/aaaaaaaaaaaaaaaa"})
	}),
	"ListWebhooks": sends(false,
		func(l *look) []proto.Message { return list(&v1.ListWebhooksRequest{Parent: l.name}) }),
	"DeleteWebhook": sends(true, func(l *look) []proto.Message {
		return list(&v1.DeleteWebhookRequest{Name: l.name + "/webhooks/aaaaaaaaaaaaaaaa"})
	}),
	"PingWebhook": sends(true, func(l *look) []proto.Message {
		return list(&v1.PingWebhookRequest{Name: l.name + "/webhooks/aaaaaaaaaaaaaaaa"})
	}),
	"CreateMailbox": sends(true, func(l *look) []proto.Message {
		return list(&v1.CreateMailboxRequest{Parent: l.name, RequestId: l.id("mail", 0),
			Mailbox: &v1.Mailbox{Seat: "nowhere", Address: "ann@example.org"}})
	}),
	"ListMailboxes": sends(false,
		func(l *look) []proto.Message { return list(&v1.ListMailboxesRequest{Parent: l.name}) }),
	"ConfirmMailbox": sends(true, func(l *look) []proto.Message {
		return list(&v1.ConfirmMailboxRequest{Name: l.name + "/mailboxes/aaaaaaaaaaaaaaaa", Code: "none"})
	}),
	"DeleteMailbox": sends(true, func(l *look) []proto.Message {
		return list(&v1.DeleteMailboxRequest{Name: l.name + "/mailboxes/aaaaaaaaaaaaaaaa", Code: "none"})
	}),
	"GetSignIn":  sends(false, func(*look) []proto.Message { return list(&v1.GetSignInRequest{}) }),
	"GetKeyring": sends(true, func(*look) []proto.Message { return list(&v1.GetKeyringRequest{}) }),
	"UpdateKeyring": sends(true, func(*look) []proto.Message {
		return list(&v1.UpdateKeyringRequest{Keyring: &v1.Keyring{Content: []byte("tokens")}})
	}),
	"DeleteKeyring": sends(true, func(*look) []proto.Message { return list(&v1.DeleteKeyringRequest{}) }),
	"ExchangeCode": sends(true, func(*look) []proto.Message {
		return list(&v1.ExchangeCodeRequest{Code: "code", CodeVerifier: strings.Repeat("v", 43),
			RedirectUri: "https://play.example/", Nonce: strings.Repeat("n", 22)})
	}),
	"AnswerDice": sends(true, func(l *look) []proto.Message {
		return list(&v1.AnswerDiceRequest{
			Name: l.name, Seat: l.seat, Asked: l.version, Link: make([]byte, 32), RequestId: l.id("dice", 0),
			Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 9},
		})
	}),
	"RenewChain": sends(true, func(l *look) []proto.Message {
		return list(&v1.RenewChainRequest{Name: l.name, Seat: l.seat,
			Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 9}, RequestId: l.id("chain", 0)})
	}),
}

// Package service is where commands, rules and log meet: the implementation of the gRPC services.
//
// It knows the contract of rulesets and the contract of event stores, and neither a ruleset nor an engine. What is
// stored is the log. Everything else is folded from it and may be dropped at any time.
//
// # One writer, many readers
//
// A game in memory (internal/live) has one writer at a time. The writer decides on the moment that was published last,
// appends, and publishes the next one: position, table and index, none of which ever changes again. Readers take the
// last moment and never wait. When an append fails without saying whether it was stored, the game is dropped and
// folded from the log anew.
//
// # Ids, tokens and retries
//
// A retry must get the first answer although the server keeps tokens as hashes only. So a token is not drawn but
// derived: see internal/tokens. The request id of CreateGame and TakeSeat is as secret as the token that it returns;
// the log and the server's own log show digests of it.
//
// # Undo
//
// A record can be undone by the seat that made it as long as no record after the target threw dice, revealed something
// or came from another seat. Otherwise all other seats that are held must agree: they are asked and answer by records
// of the table. A command, an undo, a redo and a change of seats end an undo that waits. Redo brings back what was
// undone last, until a command is made; it is for the seat that undid or whose commands come back.
//
// # Map
//
// Handlers stand in files named for their service and for what they do. The files are listed from the top floor to the
// bottom one: a file uses what stands below it. The house test counts the uses that run back up.
//
// Making the service, and the frame around every call:
//
//	service.go    New, Register, Leave, Close, Probe, gauges
//	intercept.go  admission, panics, the log line and the error of a call
//
// AccessService and AdminService:
//
//	access_offer_seat.go  OfferSeat, AnswerSeat
//	access_tokens.go      CreateToken, ListTokens, RevokeToken
//	admin_store.go        GetStats, CheckStore, BackupStore
//	admin_tokens.go       ListTokens, RevokeToken, ReissueToken for whoever runs the server
//
// ComputerService:
//
//	computer_offers.go  ListComputers, OfferComputer
//	computer_seats.go   SeatComputer, UnseatComputer
//
// CatalogService, CheckpointService and DeadlineService:
//
//	catalog_rulesets.go    rulesets, scenarios, rules
//	checkpoint_heads.go    GetCheckpoint, ProveConsistency, ProveHead
//	deadline_deadlines.go  ProposeDeadlines, AnswerDeadlines, TakeHoliday
//	deadline_lapse.go      what the server does when time is up
//
// GameService:
//
//	game_resign.go              Resign, CloseGame
//	game_take_seat.go           TakeSeat, LeaveSeat
//	game_submit_command.go      SubmitCommand
//	game_calculate_battle.go    CalculateBattle
//	game_preview_command.go     PreviewCommand
//	game_answer_dice.go         AnswerDice, RenewChain
//	game_undo.go                Undo, AnswerUndo, Redo
//	game_list_legal_actions.go  ListLegalActions
//	game_watch_game.go          WatchGame
//	game_list_records.go        ListRecords
//	game_audit_game.go          AuditGame, ExportGame
//	game_create_game.go         CreateGame
//
// HistoryService, and looks at games:
//
//	history_import_game.go      ImportGame
//	history_fork_game.go        ForkGame
//	history_compare_games.go    CompareGames
//	history_resolve_version.go  ResolveVersion
//	game_get_game.go            GetGame, ListGames
//	game_get_board.go           GetBoard, GetPosition
//
// NotificationService:
//
//	notification_mail_pages.go  the pages that mails lead to
//	notification_mailboxes.go   CreateMailbox, ListMailboxes, ConfirmMailbox, DeleteMailbox
//	notification_webhooks.go    CreateWebhook, GetWebhook, ListWebhooks, DeleteWebhook, PingWebhook
//
// TalkService:
//
//	talk_messages.go  CreateMessage, ListMessages, DeleteMessage
//	talk_watch.go     WatchMessages
//	talk_table.go     GetTalk, UpdateTalk, MuteSeat, UnmuteSeat, ReportMessage, ListReports
//
// What handlers share to decide:
//
//	creation.go     making a game: secrets, first event, first record
//	import_file.go  a game file: reading, checking, folding
//	seating.go      who may take which seat
//	head_move.go    moving the head, and repeating asides
//	play.go         carrying out commands that wait for dice, or that nobody sent, and their dice
//
// Who calls, and what the call may do:
//
//	visit.go   a call to one game: entering, reading, writing, retries; its commands, and what is said of them
//	rights.go  what each call needs and costs
//	caller.go  the tokens of a call, and what they open
//
// What everything stands on:
//
//	pages.go    pages of lists, page tokens and resume tokens
//	quota.go    how much is stored and watched, by whom, and bounds on asides
//	shape.go    checking the fields of requests
//	config.go   Config, Limits, and the Service itself
//	metrics.go  what is counted, and what log line and span say of a call
//
// # Rooms
//
//	internal/live       games in memory
//	internal/render     games and records as a viewer may see them
//	internal/notice     webhooks, mail, and what is due when
//	internal/heads      the log of heads
//	internal/computers  computer players: who is on offer, who plays where
//	internal/keyrings   KeyringService: how people sign in, and what is kept for them
//	internal/talk       what people say to each other
//	internal/tokens     what opens a game
//	internal/documents  scenario documents
//	internal/uploads    files that are being imported
//	internal/listings   legal lists that were made last
//	internal/relay      answers to callers who read slowly
//	internal/streams    names of the streams of the store
//	internal/tracing    spans
package service

package fault

import "google.golang.org/grpc/codes"

// Reason is the machine-readable kind of an error: upper snake case, at most 63 characters. It
// never changes its meaning.
type Reason string

// The reasons of the service. The table says more about each.
const (
	ValidationFailed   Reason = "VALIDATION_FAILED"
	PageTokenInvalid   Reason = "PAGE_TOKEN_INVALID"
	ResumeTokenInvalid Reason = "RESUME_TOKEN_INVALID"
	ScenarioInvalid    Reason = "SCENARIO_INVALID"
	OptionInvalid      Reason = "OPTION_INVALID"
	SeatRequired       Reason = "SEAT_REQUIRED"
	MalformedCommand   Reason = "MALFORMED_COMMAND"
	ImportInvalid      Reason = "IMPORT_INVALID"
	ImportRedacted     Reason = "IMPORT_REDACTED"

	TokenRequired   Reason = "TOKEN_REQUIRED"
	TokenMalformed  Reason = "TOKEN_MALFORMED"
	TokenUnknown    Reason = "TOKEN_UNKNOWN"
	TokenRevoked    Reason = "TOKEN_REVOKED"
	TokenExpired    Reason = "TOKEN_EXPIRED"
	IdentityInvalid Reason = "IDENTITY_INVALID"
	TokenTooNarrow  Reason = "TOKEN_TOO_NARROW"
	NotYourSeat     Reason = "NOT_YOUR_SEAT"
	NotOwner        Reason = "NOT_OWNER"
	ForkHidden      Reason = "FORK_HIDDEN"
	SeatMuted       Reason = "SEAT_MUTED"
	ComputerSilent  Reason = "COMPUTER_SILENT"
	TalkHidden      Reason = "TALK_HIDDEN"
	MessageNotYours Reason = "MESSAGE_NOT_YOURS"

	GameNotFound     Reason = "GAME_NOT_FOUND"
	RulesetNotFound  Reason = "RULESET_NOT_FOUND"
	ScenarioNotFound Reason = "SCENARIO_NOT_FOUND"
	RuleNotFound     Reason = "RULE_NOT_FOUND"
	SeatNotFound     Reason = "SEAT_NOT_FOUND"
	TokenNotFound    Reason = "TOKEN_NOT_FOUND"
	VersionNotFound  Reason = "VERSION_NOT_FOUND"
	HeadNotLogged    Reason = "HEAD_NOT_LOGGED"
	WebhookNotFound  Reason = "WEBHOOK_NOT_FOUND"
	MailboxNotFound  Reason = "MAILBOX_NOT_FOUND"
	ComputerNotFound Reason = "COMPUTER_NOT_FOUND"
	MessageNotFound  Reason = "MESSAGE_NOT_FOUND"
	KeyringNotFound  Reason = "KEYRING_NOT_FOUND"

	VersionConflict Reason = "VERSION_CONFLICT"
	RequestIDReused Reason = "REQUEST_ID_REUSED"
	CursorAhead     Reason = "CURSOR_AHEAD"
	ImportGap       Reason = "IMPORT_GAP"
	TreeSizeUnknown Reason = "TREE_SIZE_UNKNOWN"
	GameExists      Reason = "GAME_EXISTS"
	KeyringChanged  Reason = "KEYRING_CHANGED"

	ComputerNotYours  Reason = "COMPUTER_NOT_YOURS"
	ComputerNameTaken Reason = "COMPUTER_NAME_TAKEN"
	ComputerUnsuited  Reason = "COMPUTER_UNSUITED"
	ComputerNotSeated Reason = "COMPUTER_NOT_SEATED"
	ComputerBusy      Reason = "COMPUTER_BUSY"
	TooManyComputers  Reason = "TOO_MANY_COMPUTERS"
	OfferReplaced     Reason = "OFFER_REPLACED"

	IllegalCommand  Reason = "ILLEGAL_COMMAND"
	NotYourDecision Reason = "NOT_YOUR_DECISION"
	GameOver        Reason = "GAME_OVER"
	UnknownPiece    Reason = "UNKNOWN_PIECE"
	UnknownSpace    Reason = "UNKNOWN_SPACE"
	DiceExpected    Reason = "DICE_EXPECTED"
	DiceUnexpected  Reason = "DICE_UNEXPECTED"
	DiceAwaited     Reason = "DICE_AWAITED"
	DiceNotOwed     Reason = "DICE_NOT_OWED"
	LinkWrong       Reason = "LINK_WRONG"
	ChainRequired   Reason = "CHAIN_REQUIRED"
	ChainUnexpected Reason = "CHAIN_UNEXPECTED"
	SeatTaken       Reason = "SEAT_TAKEN"
	SeatFree        Reason = "SEAT_FREE"
	SeatGuarded     Reason = "SEAT_GUARDED"
	SeatUnguarded   Reason = "SEAT_UNGUARDED"
	SeatNotOffered  Reason = "SEAT_NOT_OFFERED"
	UndoBarrier     Reason = "UNDO_BARRIER"
	UndoTarget      Reason = "UNDO_TARGET_INVALID"
	NothingToUndo   Reason = "NOTHING_TO_UNDO"
	NothingToRedo   Reason = "NOTHING_TO_REDO"
	UndoNotAsked    Reason = "UNDO_NOT_ASKED"
	UndoPending     Reason = "UNDO_PENDING"
	GameUnplayable  Reason = "GAME_UNPLAYABLE"
	GameReadOnly    Reason = "GAME_READ_ONLY"
	NotComparable   Reason = "NOT_COMPARABLE"
	CheckpointsOff  Reason = "CHECKPOINTS_OFF"
	NoCalculator    Reason = "NO_CALCULATOR"

	DeadlinesNotAsked Reason = "DEADLINES_NOT_ASKED"
	NoDeadlines       Reason = "NO_DEADLINES"
	HolidaysSpent     Reason = "HOLIDAYS_SPENT"
	WebhooksOff       Reason = "WEBHOOKS_OFF"
	MailOff           Reason = "MAIL_OFF"
	TalkOff           Reason = "TALK_OFF"
	CodeInvalid       Reason = "CODE_INVALID"
	SignInOff         Reason = "SIGN_IN_OFF"
	SignInFailed      Reason = "SIGN_IN_FAILED"
	KeyringsOff       Reason = "KEYRINGS_OFF"
	KeyringSealed     Reason = "KEYRING_SEALED"

	RateLimited         Reason = "RATE_LIMITED"
	TooManyWatchers     Reason = "TOO_MANY_WATCHERS"
	TooManyGames        Reason = "TOO_MANY_GAMES"
	MemoryFull          Reason = "MEMORY_FULL"
	TooManyCalls        Reason = "TOO_MANY_CALLS"
	TooManyTokens       Reason = "TOO_MANY_TOKENS"
	TooManyWebhooks     Reason = "TOO_MANY_WEBHOOKS"
	TooManyKeyrings     Reason = "TOO_MANY_KEYRINGS"
	TooManyMessages     Reason = "TOO_MANY_MESSAGES"
	InvitationRequired  Reason = "INVITATION_REQUIRED"
	TooManyAsides       Reason = "TOO_MANY_ASIDES"
	NothingChanges      Reason = "NOTHING_CHANGES"
	AuditTooLong        Reason = "AUDIT_TOO_LONG"
	TooManyImports      Reason = "TOO_MANY_IMPORTS"
	ImportTooLarge      Reason = "IMPORT_TOO_LARGE"
	GameTooLarge        Reason = "GAME_TOO_LARGE"
	RecordTooLarge      Reason = "RECORD_TOO_LARGE"
	IdentityUnavailable Reason = "IDENTITY_UNAVAILABLE"
	StoreFull           Reason = "STORE_FULL"
	StoreReadOnly       Reason = "STORE_READ_ONLY"
	StoreFailed         Reason = "STORE_UNAVAILABLE"
	ShuttingDown        Reason = "SHUTTING_DOWN"
	LogCorrupt          Reason = "LOG_CORRUPT"
	Canceled            Reason = "CANCELED"
	DeadlinePassed      Reason = "DEADLINE_EXCEEDED"
	Internal            Reason = "INTERNAL"
)

// Row is what is fixed about a reason.
type Row struct {
	Reason Reason
	Code   codes.Code
	// Details that come with it besides ErrorInfo, by message name.
	Details []string
	// Metadata are the keys of ErrorInfo.metadata that it may have.
	Metadata []string
	// Sentence says when it comes and what to do, for docs/reference/errors.md.
	Sentence string
}

// Find gives the row of a reason; ok is false for reasons that rulesets define.
func Find(r Reason) (row Row, ok bool) {
	for _, row := range table {
		if row.Reason == r {
			return row, true
		}
	}
	return Row{}, false
}

// Table lists every reason of the service in the order of docs/reference/errors.md.
func Table() []Row { return append([]Row(nil), table...) }

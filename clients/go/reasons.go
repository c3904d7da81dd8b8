package warledger

// Reason is the machine-readable kind of an error. Reasons are errors themselves, so that errors.Is(err, ErrGameOver)
// works. Rulesets have reasons of their own besides those listed here.
type Reason string

// Error is the reason's name.
func (r Reason) Error() string { return string(r) }

// The reasons of the service, as in docs/reference/errors.md.
const (
	ErrValidationFailed   Reason = "VALIDATION_FAILED"
	ErrPageTokenInvalid   Reason = "PAGE_TOKEN_INVALID"
	ErrResumeTokenInvalid Reason = "RESUME_TOKEN_INVALID"
	ErrScenarioInvalid    Reason = "SCENARIO_INVALID"
	ErrOptionInvalid      Reason = "OPTION_INVALID"
	ErrSeatRequired       Reason = "SEAT_REQUIRED"
	ErrMalformedCommand   Reason = "MALFORMED_COMMAND"
	ErrImportInvalid      Reason = "IMPORT_INVALID"
	ErrImportRedacted     Reason = "IMPORT_REDACTED"

	ErrTokenRequired      Reason = "TOKEN_REQUIRED"
	ErrTokenMalformed     Reason = "TOKEN_MALFORMED"
	ErrTokenUnknown       Reason = "TOKEN_UNKNOWN"
	ErrTokenRevoked       Reason = "TOKEN_REVOKED"
	ErrTokenExpired       Reason = "TOKEN_EXPIRED"
	ErrSignInFailed       Reason = "SIGN_IN_FAILED"
	ErrIdentityInvalid    Reason = "IDENTITY_INVALID"
	ErrTokenTooNarrow     Reason = "TOKEN_TOO_NARROW"
	ErrNotYourSeat        Reason = "NOT_YOUR_SEAT"
	ErrNotOwner           Reason = "NOT_OWNER"
	ErrForkHidden         Reason = "FORK_HIDDEN"
	ErrSeatMuted          Reason = "SEAT_MUTED"
	ErrComputerSilent     Reason = "COMPUTER_SILENT"
	ErrTalkHidden         Reason = "TALK_HIDDEN"
	ErrMessageNotYours    Reason = "MESSAGE_NOT_YOURS"
	ErrInvitationRequired Reason = "INVITATION_REQUIRED"
	ErrCodeInvalid        Reason = "CODE_INVALID"

	ErrGameNotFound     Reason = "GAME_NOT_FOUND"
	ErrRulesetNotFound  Reason = "RULESET_NOT_FOUND"
	ErrScenarioNotFound Reason = "SCENARIO_NOT_FOUND"
	ErrRuleNotFound     Reason = "RULE_NOT_FOUND"
	ErrSeatNotFound     Reason = "SEAT_NOT_FOUND"
	ErrTokenNotFound    Reason = "TOKEN_NOT_FOUND"
	ErrVersionNotFound  Reason = "VERSION_NOT_FOUND"
	ErrWebhookNotFound  Reason = "WEBHOOK_NOT_FOUND"
	ErrMailboxNotFound  Reason = "MAILBOX_NOT_FOUND"
	ErrMessageNotFound  Reason = "MESSAGE_NOT_FOUND"
	ErrKeyringNotFound  Reason = "KEYRING_NOT_FOUND"

	ErrVersionConflict Reason = "VERSION_CONFLICT"
	ErrKeyringChanged  Reason = "KEYRING_CHANGED"
	ErrRequestIDReused Reason = "REQUEST_ID_REUSED"
	ErrCursorAhead     Reason = "CURSOR_AHEAD"
	ErrImportGap       Reason = "IMPORT_GAP"
	ErrGameExists      Reason = "GAME_EXISTS"

	ErrIllegalCommand  Reason = "ILLEGAL_COMMAND"
	ErrNotYourDecision Reason = "NOT_YOUR_DECISION"
	ErrGameOver        Reason = "GAME_OVER"
	ErrUnknownPiece    Reason = "UNKNOWN_PIECE"
	ErrUnknownSpace    Reason = "UNKNOWN_SPACE"
	ErrDiceExpected    Reason = "DICE_EXPECTED"
	ErrDiceUnexpected  Reason = "DICE_UNEXPECTED"
	ErrDiceAwaited     Reason = "DICE_AWAITED"
	ErrDiceNotOwed     Reason = "DICE_NOT_OWED"
	ErrLinkWrong       Reason = "LINK_WRONG"
	ErrChainRequired   Reason = "CHAIN_REQUIRED"
	ErrChainUnexpected Reason = "CHAIN_UNEXPECTED"
	ErrSeatTaken       Reason = "SEAT_TAKEN"
	ErrSeatFree        Reason = "SEAT_FREE"
	ErrSeatGuarded     Reason = "SEAT_GUARDED"
	ErrSeatUnguarded   Reason = "SEAT_UNGUARDED"
	ErrSeatNotOffered  Reason = "SEAT_NOT_OFFERED"
	ErrUndoBarrier     Reason = "UNDO_BARRIER"
	ErrUndoTarget      Reason = "UNDO_TARGET_INVALID"
	ErrNothingToUndo   Reason = "NOTHING_TO_UNDO"
	ErrNothingToRedo   Reason = "NOTHING_TO_REDO"
	ErrNothingChanges  Reason = "NOTHING_CHANGES"
	ErrUndoNotAsked    Reason = "UNDO_NOT_ASKED"
	ErrUndoPending     Reason = "UNDO_PENDING"
	ErrGameUnplayable  Reason = "GAME_UNPLAYABLE"
	ErrGameReadOnly    Reason = "GAME_READ_ONLY"
	ErrNotComparable   Reason = "NOT_COMPARABLE"
	ErrNoCalculator    Reason = "NO_CALCULATOR"
	ErrCheckpointsOff  Reason = "CHECKPOINTS_OFF"
	ErrTreeSizeUnknown Reason = "TREE_SIZE_UNKNOWN"
	ErrHeadNotLogged   Reason = "HEAD_NOT_LOGGED"

	ErrDeadlinesNotAsked Reason = "DEADLINES_NOT_ASKED"
	ErrNoDeadlines       Reason = "NO_DEADLINES"
	ErrHolidaysSpent     Reason = "HOLIDAYS_SPENT"
	ErrWebhooksOff       Reason = "WEBHOOKS_OFF"
	ErrMailOff           Reason = "MAIL_OFF"
	ErrTalkOff           Reason = "TALK_OFF"
	ErrSignInOff         Reason = "SIGN_IN_OFF"
	ErrKeyringsOff       Reason = "KEYRINGS_OFF"
	ErrKeyringSealed     Reason = "KEYRING_SEALED"
	ErrTooManyWebhooks   Reason = "TOO_MANY_WEBHOOKS"
	ErrTooManyMessages   Reason = "TOO_MANY_MESSAGES"

	ErrComputerNotFound  Reason = "COMPUTER_NOT_FOUND"
	ErrComputerNotYours  Reason = "COMPUTER_NOT_YOURS"
	ErrComputerNameTaken Reason = "COMPUTER_NAME_TAKEN"
	ErrComputerUnsuited  Reason = "COMPUTER_UNSUITED"
	ErrComputerNotSeated Reason = "COMPUTER_NOT_SEATED"
	ErrComputerBusy      Reason = "COMPUTER_BUSY"
	ErrTooManyComputers  Reason = "TOO_MANY_COMPUTERS"
	ErrTooManyKeyrings   Reason = "TOO_MANY_KEYRINGS"
	ErrOfferReplaced     Reason = "OFFER_REPLACED"

	ErrRateLimited         Reason = "RATE_LIMITED"
	ErrTooManyGames        Reason = "TOO_MANY_GAMES"
	ErrMemoryFull          Reason = "MEMORY_FULL"
	ErrTooManyCalls        Reason = "TOO_MANY_CALLS"
	ErrTooManyAsides       Reason = "TOO_MANY_ASIDES"
	ErrTooManyTokens       Reason = "TOO_MANY_TOKENS"
	ErrGameTooLarge        Reason = "GAME_TOO_LARGE"
	ErrTooManyWatchers     Reason = "TOO_MANY_WATCHERS"
	ErrAuditTooLong        Reason = "AUDIT_TOO_LONG"
	ErrTooManyImports      Reason = "TOO_MANY_IMPORTS"
	ErrImportTooLarge      Reason = "IMPORT_TOO_LARGE"
	ErrRecordTooLarge      Reason = "RECORD_TOO_LARGE"
	ErrStoreFull           Reason = "STORE_FULL"
	ErrIdentityUnavailable Reason = "IDENTITY_UNAVAILABLE"
	ErrStoreReadOnly       Reason = "STORE_READ_ONLY"
	ErrStoreFailed         Reason = "STORE_UNAVAILABLE"
	ErrShuttingDown        Reason = "SHUTTING_DOWN"
	ErrLogCorrupt          Reason = "LOG_CORRUPT"
	ErrCanceled            Reason = "CANCELED"
	ErrDeadlinePassed      Reason = "DEADLINE_EXCEEDED"
	ErrInternal            Reason = "INTERNAL"
)

// Reasons lists the reasons of the service.
func Reasons() []Reason {
	return []Reason{
		ErrValidationFailed, ErrPageTokenInvalid, ErrResumeTokenInvalid, ErrScenarioInvalid, ErrOptionInvalid,
		ErrSeatRequired,
		ErrMalformedCommand, ErrTokenRequired, ErrTokenMalformed, ErrTokenUnknown, ErrTokenRevoked, ErrNotYourSeat,
		ErrNotOwner,
		ErrGameNotFound, ErrRulesetNotFound, ErrScenarioNotFound, ErrRuleNotFound, ErrSeatNotFound, ErrVersionNotFound,
		ErrVersionConflict, ErrRequestIDReused, ErrCursorAhead, ErrIllegalCommand, ErrNotYourDecision, ErrGameOver,
		ErrUnknownPiece,
		ErrUnknownSpace, ErrDiceExpected, ErrDiceUnexpected, ErrDiceAwaited, ErrDiceNotOwed, ErrLinkWrong,
		ErrChainRequired, ErrChainUnexpected, ErrSeatTaken, ErrSeatFree, ErrSeatGuarded, ErrSeatUnguarded,
		ErrSeatNotOffered, ErrUndoBarrier, ErrUndoTarget,
		ErrNothingToUndo, ErrNothingToRedo, ErrNothingChanges, ErrUndoNotAsked, ErrUndoPending, ErrGameUnplayable,
		ErrTooManyWatchers, ErrRecordTooLarge,
		ErrStoreFull, ErrStoreReadOnly, ErrStoreFailed, ErrShuttingDown, ErrLogCorrupt, ErrCanceled, ErrDeadlinePassed,
		ErrInternal,
		ErrTokenExpired, ErrTokenTooNarrow, ErrTokenNotFound, ErrIdentityInvalid, ErrIdentityUnavailable,
		ErrRateLimited, ErrTooManyCalls, ErrTooManyAsides, ErrMemoryFull, ErrTooManyGames,
		ErrTooManyTokens, ErrGameTooLarge, ErrImportInvalid, ErrImportRedacted, ErrForkHidden, ErrImportGap,
		ErrGameExists, ErrGameReadOnly, ErrNotComparable, ErrNoCalculator,
		ErrCheckpointsOff, ErrTreeSizeUnknown, ErrHeadNotLogged,
		ErrAuditTooLong, ErrTooManyImports, ErrImportTooLarge, ErrInvitationRequired,
		ErrDeadlinesNotAsked, ErrNoDeadlines, ErrHolidaysSpent, ErrWebhooksOff, ErrMailOff, ErrTooManyWebhooks,
		ErrWebhookNotFound, ErrMailboxNotFound, ErrCodeInvalid,
		ErrComputerNotFound, ErrComputerNotYours, ErrComputerNameTaken, ErrComputerUnsuited, ErrComputerNotSeated,
		ErrComputerBusy, ErrTooManyComputers, ErrOfferReplaced,
		ErrSeatMuted, ErrComputerSilent, ErrTalkHidden, ErrMessageNotYours, ErrMessageNotFound, ErrTalkOff,
		ErrTooManyMessages,
		ErrSignInOff, ErrSignInFailed, ErrKeyringsOff, ErrKeyringNotFound, ErrKeyringChanged, ErrKeyringSealed,
		ErrTooManyKeyrings,
	}
}

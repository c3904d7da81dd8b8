package service

import (
	"context"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// right says who may make a call.
type right int

const (
	// forAnyone needs no game and looks at no token of one.
	forAnyone right = iota
	// forViewers is for anyone; what is shown depends on the seats that the caller sees for.
	forViewers
	// forSeatViewers needs a token that sees for a seat of the game.
	forSeatViewers
	// forSeats needs a token that may act for a seat of the game.
	forSeats
	// forHolders needs a seat's own token, or what the owner's opens.
	forHolders
	// forOwner needs what the owner's token opens.
	forOwner
	// forVoters needs a token that may act for a seat, or the old token of a free seat's last holder.
	forVoters
	// forSpeakers needs a token that may act for a seat, or what the owner's token opens.
	forSpeakers
)

// call is what is fixed about a call: who may make it, and what it costs, in units of the cheapest. Limits
// on callers count units.
type call struct {
	right right
	cost  int
}

// calls has a line for every call of the services. A test holds it against the contract.
var calls = map[string]call{
	v1.CatalogService_ListRulesets_FullMethodName:        {forAnyone, 1},
	v1.CatalogService_GetRuleset_FullMethodName:          {forAnyone, 1},
	v1.CatalogService_ListScenarios_FullMethodName:       {forAnyone, 1},
	v1.CatalogService_GetScenario_FullMethodName:         {forAnyone, 2},
	v1.CatalogService_ValidateScenario_FullMethodName:    {forAnyone, 20},
	v1.CatalogService_ListRules_FullMethodName:           {forAnyone, 2},
	v1.CatalogService_GetRule_FullMethodName:             {forAnyone, 1},
	v1.GameService_CreateGame_FullMethodName:             {forAnyone, 20},
	v1.GameService_ListGames_FullMethodName:              {forAnyone, 5},
	v1.GameService_GetGame_FullMethodName:                {forViewers, 1},
	v1.GameService_TakeSeat_FullMethodName:               {forViewers, 2},
	v1.GameService_LeaveSeat_FullMethodName:              {forHolders, 2},
	v1.GameService_Resign_FullMethodName:                 {forSeats, 2},
	v1.GameService_CloseGame_FullMethodName:              {forOwner, 2},
	v1.GameService_SubmitCommand_FullMethodName:          {forSeats, 2},
	v1.GameService_PreviewCommand_FullMethodName:         {forSeatViewers, 20},
	v1.GameService_CalculateBattle_FullMethodName:        {forViewers, 20},
	v1.GameService_AnswerDice_FullMethodName:             {forSeats, 2},
	v1.GameService_RenewChain_FullMethodName:             {forSeats, 5},
	v1.GameService_Undo_FullMethodName:                   {forSeats, 2},
	v1.GameService_AnswerUndo_FullMethodName:             {forVoters, 2},
	v1.GameService_Redo_FullMethodName:                   {forSeats, 2},
	v1.GameService_ListLegalActions_FullMethodName:       {forSeatViewers, 5},
	v1.GameService_GetBoard_FullMethodName:               {forViewers, 2},
	v1.GameService_GetPosition_FullMethodName:            {forViewers, 2},
	v1.GameService_ListRecords_FullMethodName:            {forViewers, 5},
	v1.GameService_WatchGame_FullMethodName:              {forViewers, 2},
	v1.GameService_AuditGame_FullMethodName:              {forViewers, 50},
	v1.GameService_ExportGame_FullMethodName:             {forViewers, 20},
	v1.AccessService_CreateToken_FullMethodName:          {forHolders, 5},
	v1.AccessService_ListTokens_FullMethodName:           {forHolders, 1},
	v1.AccessService_RevokeToken_FullMethodName:          {forHolders, 5},
	v1.AccessService_OfferSeat_FullMethodName:            {forOwner, 2},
	v1.AccessService_AnswerSeat_FullMethodName:           {forVoters, 2},
	v1.HistoryService_ImportGame_FullMethodName:          {forAnyone, 20},
	v1.HistoryService_ForkGame_FullMethodName:            {forViewers, 20},
	v1.CheckpointService_GetCheckpoint_FullMethodName:    {forAnyone, 5},
	v1.CheckpointService_ProveConsistency_FullMethodName: {forAnyone, 2},
	v1.CheckpointService_ProveHead_FullMethodName:        {forViewers, 2},
	v1.HistoryService_ResolveVersion_FullMethodName:      {forViewers, 5},
	v1.HistoryService_CompareGames_FullMethodName:        {forViewers, 20},
	v1.DeadlineService_ProposeDeadlines_FullMethodName:   {forOwner, 2},
	v1.DeadlineService_AnswerDeadlines_FullMethodName:    {forVoters, 2},
	v1.DeadlineService_TakeHoliday_FullMethodName:        {forSeats, 2},
	v1.NotificationService_CreateWebhook_FullMethodName:  {forHolders, 20},
	v1.NotificationService_GetWebhook_FullMethodName:     {forHolders, 1},
	v1.NotificationService_ListWebhooks_FullMethodName:   {forHolders, 2},
	v1.NotificationService_DeleteWebhook_FullMethodName:  {forHolders, 5},
	v1.NotificationService_PingWebhook_FullMethodName:    {forHolders, 20},
	v1.NotificationService_CreateMailbox_FullMethodName:  {forHolders, 20},
	v1.NotificationService_ListMailboxes_FullMethodName:  {forHolders, 2},
	v1.NotificationService_ConfirmMailbox_FullMethodName: {forAnyone, 10},
	v1.NotificationService_DeleteMailbox_FullMethodName:  {forHolders, 10},
	v1.TalkService_CreateMessage_FullMethodName:          {forSeats, 3},
	v1.TalkService_ListMessages_FullMethodName:           {forViewers, 3},
	v1.TalkService_DeleteMessage_FullMethodName:          {forSpeakers, 3},
	v1.TalkService_WatchMessages_FullMethodName:          {forViewers, 3},
	v1.TalkService_GetTalk_FullMethodName:                {forViewers, 1},
	v1.TalkService_UpdateTalk_FullMethodName:             {forOwner, 2},
	v1.TalkService_MuteSeat_FullMethodName:               {forSpeakers, 2},
	v1.TalkService_UnmuteSeat_FullMethodName:             {forSpeakers, 2},
	v1.TalkService_ReportMessage_FullMethodName:          {forSeats, 5},
	v1.TalkService_ListReports_FullMethodName:            {forOwner, 2},
	v1.ComputerService_ListComputers_FullMethodName:      {forAnyone, 1},
	v1.ComputerService_SeatComputer_FullMethodName:       {forViewers, 20},
	v1.ComputerService_UnseatComputer_FullMethodName:     {forViewers, 5},
	v1.ComputerService_OfferComputer_FullMethodName:      {forAnyone, 20},
	v1.KeyringService_GetSignIn_FullMethodName:           {forAnyone, 1},
	v1.KeyringService_ExchangeCode_FullMethodName:        {forAnyone, 20},
	v1.KeyringService_GetKeyring_FullMethodName:          {forAnyone, 3},
	v1.KeyringService_UpdateKeyring_FullMethodName:       {forAnyone, 5},
	v1.KeyringService_DeleteKeyring_FullMethodName:       {forAnyone, 5},
}

// admit decides whether the caller may make a call at all, and for which seats.
func (c *caller) admit(method string, about *rules.About, tokens int) error {
	known, ok := calls[method]
	r := known.right
	switch r {
	case forSeatViewers:
		c.may = c.seats
	case forSeats, forSpeakers:
		c.may = c.acts
	case forHolders:
		c.may = c.own
	case forVoters:
		c.may = c.acts | c.former
	}
	switch {
	case !ok:
		return fault.New(fault.Internal, "the call %s has no rights", method)
	case r == forAnyone, r == forViewers, c.may != 0, c.owner && (r == forHolders || r == forOwner || r == forSpeakers):
		return nil
	case tokens == 0:
		return fault.New(fault.TokenRequired, "the call needs a token of the game")
	case r == forOwner:
		return fault.New(fault.NotOwner, "only the owner of the game may do that")
	case c.seats != 0:
		return tooNarrow(live.SeatList(about, c.seats))
	}
	return fault.New(fault.NotYourSeat, "the caller holds no seat of the game").With("seat", "", "holds", "")
}

// Cost returns what a call costs, in units of the cheapest, and whether it is a stream that stays open until its
// caller leaves. A stranger's call counts by its address, whatever token it brings: it needs no token, returns one, or
// makes the server send something. So nobody gets more room by collecting games and tokens. A method that is not a
// call has no price and is a stranger's.
func Cost(method string) (units int, stays, stranger bool) {
	return calls[method].cost, lasting[method],
		calls[method].right == forAnyone || gives[method]
}

// What a page of a list costs besides the call, by what is asked for and by what is sent.
const (
	recordsByUnit = 50
	proofsByUnit  = 25
	gamesByUnit   = 50
	bytesByUnit   = 256 << 10
)

// mapCost is what a map costs besides its board or scenario: making and sending it takes ten times as long.
const mapCost = 10

// lasting are the streams that stay open until their caller leaves.
var lasting = map[string]bool{
	v1.GameService_WatchGame_FullMethodName:         true,
	v1.TalkService_WatchMessages_FullMethodName:     true,
	v1.ComputerService_OfferComputer_FullMethodName: true,
}

// gives are the calls with a token of a game that return a new one, or have the server send something.
var gives = map[string]bool{
	v1.GameService_TakeSeat_FullMethodName:              true,
	v1.AccessService_CreateToken_FullMethodName:         true,
	v1.ComputerService_SeatComputer_FullMethodName:      true,
	v1.HistoryService_ForkGame_FullMethodName:           true,
	v1.NotificationService_CreateWebhook_FullMethodName: true,
	v1.NotificationService_PingWebhook_FullMethodName:   true,
	v1.NotificationService_CreateMailbox_FullMethodName: true,
}

// workedByUnit is how many bytes of a log are folded, or of a scenario loaded, for one unit of work. A call that has a
// game folded costs its address that work, whatever its answer, so nobody can keep the server folding for the price of
// a look.
const workedByUnit = 16 << 10

// worked makes a call pay for bytes of a log or a document that were read for it.
func (s *Service) worked(ctx context.Context, bytes int) { s.admission.Charge(ctx, bytes/workedByUnit) }

// forFormer are the calls that the last holder of a free seat may make with the seat's old token, which opens nothing
// else.
var forFormer = map[string]bool{
	v1.GameService_TakeSeat_FullMethodName:            true,
	v1.GameService_AnswerUndo_FullMethodName:          true,
	v1.AccessService_AnswerSeat_FullMethodName:        true,
	v1.DeadlineService_AnswerDeadlines_FullMethodName: true,
}

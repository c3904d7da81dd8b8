package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// Procedures are data: a combat and a request to an ally are part of the position, so that it can be cloned, compared
// and written down at any decision.

// Stage is a step of a combat, by the numbers of the contract.
type Stage uint8

// The stages. A land combat begins with Bombard or Antiaircraft, a sea combat with Open; a round is Open to Press.
const (
	StageNone           = Stage(anniversaryv1.Stage_STAGE_UNSPECIFIED)
	StageBombard        = Stage(anniversaryv1.Stage_STAGE_BOMBARD)
	StageBombardLosses  = Stage(anniversaryv1.Stage_STAGE_BOMBARD_LOSSES)
	StageAntiaircraft   = Stage(anniversaryv1.Stage_STAGE_ANTIAIRCRAFT)
	StageOpen           = Stage(anniversaryv1.Stage_STAGE_OPEN)
	StageAttackingSubs  = Stage(anniversaryv1.Stage_STAGE_ATTACKING_SUBMARINES)
	StageDefenderStruck = Stage(anniversaryv1.Stage_STAGE_DEFENDER_STRUCK)
	StageDefendingSubs  = Stage(anniversaryv1.Stage_STAGE_DEFENDING_SUBMARINES)
	StageAttackerStruck = Stage(anniversaryv1.Stage_STAGE_ATTACKER_STRUCK)
	StageStruckRemoved  = Stage(anniversaryv1.Stage_STAGE_STRUCK_REMOVED)
	StageAttack         = Stage(anniversaryv1.Stage_STAGE_ATTACK)
	StageDefenderLosses = Stage(anniversaryv1.Stage_STAGE_DEFENDER_LOSSES)
	StageDefence        = Stage(anniversaryv1.Stage_STAGE_DEFENCE)
	StageAttackerLosses = Stage(anniversaryv1.Stage_STAGE_ATTACKER_LOSSES)
	StageRemoved        = Stage(anniversaryv1.Stage_STAGE_REMOVED)
	StagePress          = Stage(anniversaryv1.Stage_STAGE_PRESS)
	StageConclude       = Stage(anniversaryv1.Stage_STAGE_CONCLUDE)
)

// battle is the combat under way (AA 9.5).
type battle struct {
	at      Space // NoSpace: none
	stage   Stage
	round   uint8    // from 1
	landed  uint8    // units that came ashore: the most ships that may bombard (AA 9.3.7)
	origins SpaceSet // of the attacker (AA 9.9.3)
	shores  SpaceSet // sea zones that units came ashore from
	// Destroyers that are in the round (AA 9.7.1).
	attackerDestroyer, defenderDestroyer bool
	// dived are the powers whose submarines have chosen in this round, by bit.
	dived uint8
	// Casualties to choose: hits by class, who chooses, who has agreed to a joint list, by bit; listed: all are chosen
	// and allies are asked.
	hits      [odds.NumClasses]uint16
	chooser   Power
	agreed    uint8
	listed    bool
	picks     []pick
	retreated bool
}

// on reports whether a combat is under way.
func (b *battle) on() bool { return b.at != NoSpace }

// pick is units chosen as casualties.
type pick struct {
	Key
	n      uint16
	damage bool // a first hit on a battleship (AA 9.8.4)
}

// request is units that want to go aboard an ally's ship (AA 8.1.12).
type request struct {
	power, ally   Power // NoPower: no request
	before, after Key
	n             uint16
	ship, laden   Key // the transport before and after; 0 for fighters
}

func (r *request) on() bool { return r.power != NoPower }

// Policy is whether allies may use a seat's ships, by the numbers of the contract (AA 8.1.12).
type Policy uint8

// The policies.
const (
	Always   = Policy(anniversaryv1.Consent_CONSENT_UNSPECIFIED)
	Never    = Policy(anniversaryv1.Consent_CONSENT_NEVER)
	AskFirst = Policy(anniversaryv1.Consent_CONSENT_ASK)
)

// What submarines do, by the numbers of the contract.
const (
	subsAsk      = uint8(anniversaryv1.SubmarineOrder_SUBMARINE_ORDER_UNSPECIFIED)
	subsStrike   = uint8(anniversaryv1.SubmarineOrder_SUBMARINE_ORDER_STRIKE)
	subsSubmerge = uint8(anniversaryv1.SubmarineOrder_SUBMARINE_ORDER_SUBMERGE)
)

// standing are the orders that a seat gave in advance. The zero value asks for everything and consents to everything.
type standing struct {
	losses     [NumUnits + 1]Unit // first lost first; len of them
	n          uint8
	retreat    uint8 // below so many per cent of the enemy's strength; 0 asks, 1 never
	subs       uint8
	bombard    bool
	divert     bool
	agree      bool
	ask        bool // whatever has one answer only too
	carriers   Policy
	transports Policy
}

// ordersOf are the standing orders of the seat that plays a power.
func (p *Position) ordersOf(w Power) *standing { return &p.orders[w.Seat()] }

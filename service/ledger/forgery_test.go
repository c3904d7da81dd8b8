package ledger_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

func isKind(k logv1.RecordKind) func(*logv1.RecordHeader, *ledger.Leaf) bool {
	return func(h *logv1.RecordHeader, _ *ledger.Leaf) bool { return h.Kind == k }
}

func isRoll(_ *logv1.RecordHeader, l *ledger.Leaf) bool {
	return l.Kind == logv1.LeafKind_LEAF_KIND_ROLL
}

func isEvent(has func(*toyv1.Event) bool) func(*logv1.RecordHeader, *ledger.Leaf) bool {
	return func(_ *logv1.RecordHeader, l *ledger.Leaf) bool {
		e := new(toyv1.Event)
		return l.Kind == logv1.LeafKind_LEAF_KIND_EVENT && l.Is(e) && l.Decode(e) == nil && has(e)
	}
}

func isTable(has func(*logv1.TableEvent) bool) func(*logv1.RecordHeader, *ledger.Leaf) bool {
	return func(_ *logv1.RecordHeader, l *ledger.Leaf) bool {
		e := new(logv1.TableEvent)
		return l.Is(e) && l.Decode(e) == nil && has(e)
	}
}

// TestAuditFindsForgeries: whoever forges has the salts and computes every hash again, so nothing but the
// contents can give it away.
func TestAuditFindsForgeries(t *testing.T) {
	t.Parallel()
	const command, undo, redo, created = logv1.RecordKind_RECORD_KIND_COMMAND, logv1.RecordKind_RECORD_KIND_UNDO,
		logv1.RecordKind_RECORD_KIND_REDO, logv1.RecordKind_RECORD_KIND_CREATED
	moved := func(e *toyv1.Event) bool { return e.GetMoved() != nil }
	for _, c := range []struct {
		name  string
		forge func(t *testing.T, log []parts) []parts
		want  string
	}{
		{"the log ends before it begins", func(t *testing.T, log []parts) []parts { return nil },
			"chain: the log has no records"},
		{"the first record is missing", func(t *testing.T, log []parts) []parts { return log[1:] },
			"chain: record 1 has version 2, expected 1"},
		{"a record is missing", func(t *testing.T, log []parts) []parts { return slices.Delete(log, 4, 5) },
			"chain: record 5 has version 6, expected 5"},
		{"two records swapped", func(t *testing.T, log []parts) []parts { log[4], log[5] = log[5], log[4]; return log },
			"chain: record 5 has version 6, expected 5"},
		{"a record is there twice", func(t *testing.T, log []parts) []parts {
			return slices.Insert(log, 5, log[4])
		}, `chain: record 6 has command id "c-5", which record 5 has`},
		{"a record of another game", func(t *testing.T, log []parts) []parts { log[4].header.Game = "g-8"; return log },
			`chain: record 5 belongs to game "g-8", expected "g-7"`},
		{"a parent off the head", func(t *testing.T, log []parts) []parts { log[6].header.Parent--; return log },
			"chain: record 7 was decided on version 5, but the head was 6"},
		{"a parent in the future", func(t *testing.T, log []parts) []parts { log[6].header.Parent = 99; return log },
			"chain: record 7 was decided on version 99"},
		{"a command that sets the head elsewhere",
			func(t *testing.T, log []parts) []parts { log[6].header.Head = 4; return log },
			"chain: record 7 sets the head to 4"},
		{"a move that is called an aside, so that taking it back needs no consent",
			func(t *testing.T, log []parts) []parts {
				for i := range log {
					if log[i].header.Kind == command {
						log[i].header.Aside = true
						return log
					}
				}
				return nil
			}, "is not an aside, as it claims"},
		{"a change of the table that is called an aside",
			func(t *testing.T, log []parts) []parts { log[1].header.Aside = true; return log },
			"chain: record 2 is an aside, but not a command"},
		{"a move that says something again",
			func(t *testing.T, log []parts) []parts { log[6].header.Carries = 4; return log },
			"chain: record 7 repeats aside 4, which it cannot"},
		{"an aside that nothing took back is said again", func(t *testing.T, log []parts) []parts {
			log[6].header.Aside, log[6].header.Carries = true, 5
			return log
		}, "repeats aside 5, which no undo before it took back"},
		{"a table record that moves the head",
			func(t *testing.T, log []parts) []parts { log[1].header.Head = 2; return log },
			"chain: record 2 changes the table and sets the head to 2, expected 1"},
		{"an undo to a version off the line", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(undo))
			log[i].header.Head = 2
			recode(t, &log[i].leaves[0], new(logv1.HeadMoved), func(m *logv1.HeadMoved) { m.To = 2 })
			return log
		}, "moves the head back to 2, which is not on the line to 11"},
		{"an undo forward", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(redo))
			log[i].header.Kind = undo
			return log
		}, "moves the head back to 10, which is not on the line to 9"},
		{"an undo that nobody agreed to", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(undo))
			log[i].header.CommandId = ""
			return log
		}, "takes back as if all had agreed, but waited for nothing that was asked"},
		{"a redo back", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(undo))
			log[i].header.Kind = redo
			return log
		}, "moves the head forward to 10, expected at most 0"},
		{"header and event of an undo disagree", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(undo))
			log[i].header.Head--
			return log
		}, "the event moves the head from 11 to 10, the header from 11 to 9"},
		{"the event of an undo from elsewhere", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(undo))
			recode(t, &log[i].leaves[0], new(logv1.HeadMoved), func(m *logv1.HeadMoved) { m.From-- })
			return log
		}, "the event moves the head from 10 to 10, the header from 11 to 10"},
		{"a second first record", func(t *testing.T, log []parts) []parts { log[4].header.Kind = created; return log },
			"chain: record 5 "},
		{"a command without an id",
			func(t *testing.T, log []parts) []parts { log[4].header.CommandId = ""; return log },
			"record 5 is a command without an id"},
		{"a command without a command",
			func(t *testing.T, log []parts) []parts { log[4].leaves = log[4].leaves[1:]; return log },
			"record 5 is a RECORD_KIND_COMMAND; a command comes first"},
		{"two commands in one record", func(t *testing.T, log []parts) []parts {
			log[4].leaves = slices.Insert(log[4].leaves, 1, log[4].leaves[0])
			return log
		}, "record 5 has a second command as leaf 1"},
		{"dice in a table record", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			log[1].leaves = append(log[1].leaves, log[i].leaves[j])
			return log
		}, "record 2 is a RECORD_KIND_TABLE and has dice"},
		{"a table event for one seat alone", func(t *testing.T, log []parts) []parts {
			log[1].leaves[0].Audience = rules.OnlySeats(0)
			return log
		}, "record 2 is not what it says: expected a warledger.log.v1.TableEvent that everyone may see"},
		{"a move after the secrets", func(t *testing.T, log []parts) []parts {
			secrets := log[len(log)-1]
			k := len(log) - 2
			secrets.header.Version, secrets.header.Parent, secrets.header.Head = uint64(k+1), log[k].header.Parent,
				log[k].header.Parent
			log[k].header.Version = uint64(k + 2)
			log[k].header.Head = uint64(k + 2)
			log[k], log[k+1] = secrets, log[k]
			return log
		}, "is a RECORD_KIND_COMMAND after the secrets were released"},

		{"another dice secret", func(t *testing.T, log []parts) []parts {
			recode(t, &log[len(log)-1].leaves[0], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetSecretsReleased().DiceSecret[3]++ })
			return log
		}, "commitment: the dice secret does not match the commitment"},
		{"a dice secret cut short", func(t *testing.T, log []parts) []parts {
			recode(t, &log[len(log)-1].leaves[0], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetSecretsReleased().DiceSecret = []byte{1} })
			return log
		}, "commitment: the dice secret that was released has 1 bytes"},
		{"another salt secret", func(t *testing.T, log []parts) []parts {
			recode(t, &log[len(log)-1].leaves[0], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetSecretsReleased().SaltSecret[3]++ })
			return log
		}, "commitment: the salt secret does not match the commitment"},
		{"no commitment to the dice", func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.DiceCommitment = nil })
			return log
		}, "commitment: record 1 commits to the dice with 0 bytes"},
		{"another scenario", func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.ScenarioDigest[0]++ })
			return log
		}, "commitment: record 1 names a scenario document with digest"},
		{"an unknown option", func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated),
				func(c *logv1.GameCreated) { c.Options["cheating"] = "true" })
			return log
		}, `fold: record 1 cannot be set up: options: "cheating" is not an option`},

		{"a better die", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Value = r.Value%r.Sides + 1 })
			return log
		}, "that does not follow from the secret"},
		{"a die that cannot be", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Value = r.Sides + 1 })
			return log
		}, "chain: record 1 has a roll 0 that no die can show"},
		{"a die with another index", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Index = 4 })
			return log
		}, "has a roll with index 4, expected 0"},
		{"other entropy", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log,
				isTable(func(e *logv1.TableEvent) bool { return len(e.GetSeatTaken().GetEntropy()) > 0 }))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetSeatTaken().Entropy[0]++ })
			return log
		}, "that does not follow from the secret"},
		{"more entropy than a seat may bring", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log,
				isTable(func(e *logv1.TableEvent) bool { return len(e.GetSeatTaken().GetEntropy()) > 0 }))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetSeatTaken().Entropy = make([]byte, 2000) })
			return log
		}, "2000 bytes, want 1 to 1024"},

		{"a die left out", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			log[i].leaves = slices.Delete(log[i].leaves, j, j+1)
			return log
		}, "need other dice than were recorded [roll 0 is now a d6"},
		{"a die too many", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			more := log[i].leaves[j]
			recode(t, &more, new(logv1.Roll), func(r *logv1.Roll) { r.Index++ })
			log[i].leaves = slices.Insert(log[i].leaves, j+1, more)
			return log
		}, "need fewer dice than were recorded"},
		{"a die for another reason", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Reason = "luck" })
			return log
		}, "throw roll 0 for another reason"},
		{"a die in secret", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			log[i].leaves[j].Audience = rules.OnlySeats(0)
			return log
		}, "show roll 0 to everyone; recorded was seats 1"},
		{"a die thrown later", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isRoll)
			l := log[i].leaves
			l[j], l[j+1] = l[j+1], l[j]
			return log
		}, "throw 1 dice before event 0; recorded are 0"},
		{"another event", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			recode(t, &log[i].leaves[j], new(toyv1.Event),
				func(e *toyv1.Event) { e.GetMoved().To, e.GetMoved().From = e.GetMoved().From, e.GetMoved().To })
			return log
		}, "give another event 0 than was recorded [recorded: moved"},
		{"an event with more than the program knows", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			recode(t, &log[i].leaves[j], new(toyv1.Event),
				func(e *toyv1.Event) { e.ProtoReflect().SetUnknown([]byte{0xfa, 0x7f, 1, 7}) })
			return log
		}, "give another event 0 than was recorded"},
		{"an event left out", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			log[i].leaves = slices.Delete(log[i].leaves, j, j+1)
			return log
		}, "give 1 events; recorded are 0 [moved"},
		{"an event too many", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			log[i].leaves = append(log[i].leaves, log[i].leaves[j])
			return log
		}, "events; recorded are more [moved"},
		{"a secret event for all", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(func(e *toyv1.Event) bool { return e.GetPlanMade() != nil }))
			log[i].leaves[j].Audience = rules.Everyone
			return log
		}, "show event 0 to seats 1; recorded was everyone"},
		{"a secret command for all", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, func(_ *logv1.RecordHeader, l *ledger.Leaf) bool {
				return l.Kind == logv1.LeafKind_LEAF_KIND_COMMAND && l.Audience != 0
			})
			log[i].leaves[j].Audience = rules.Everyone
			return log
		}, "show the command to seats 1; recorded was everyone"},
		{"an event of another type", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			log[i].leaves[j].Type = "warledger.toy.v2.Event"
			return log
		}, "as event 0; recorded is a warledger.toy.v2.Event"},
		{"an event of a newer schema", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			log[i].leaves[j].Schema = 2
			return log
		}, "record 6 has an event, number 0, that does not fold [has schema 2"},
		{"an event that cannot be read", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			log[i].leaves[j].Data = []byte{0xff}
			return log
		}, "recorded so that it cannot be read"},
		{"an event that the position cannot hold", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isEvent(moved))
			recode(t, &log[i].leaves[j], new(toyv1.Event), func(e *toyv1.Event) { e.GetMoved().Unit = "ghost" })
			return log
		}, "fold: record 6 has an event, number 0, that does not fold ["},
		{"another command", func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, func(_ *logv1.RecordHeader, l *ledger.Leaf) bool {
				c := new(toyv1.Command)
				return l.Is(c) && l.Decode(c) == nil && c.GetMove() != nil
			})
			recode(t, &log[i].leaves[j], new(toyv1.Command),
				func(c *toyv1.Command) { c.Command = &toyv1.Command_Lose{Lose: &toyv1.Lose{}} })
			return log
		}, "refuse the command: NOT_YOUR_DECISION"},
		{"a command of another seat", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isEvent(moved))
			log[i].header.Seat = map[string]string{"red": "blue", "blue": "red"}[log[i].header.Seat]
			return log
		}, "refuse the command"},
		{"a command of nobody", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isEvent(moved))
			log[i].header.Seat = "green"
			return log
		}, `have no seat "green"`},
		{"a record said to reveal", func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isEvent(moved))
			log[i].header.Revealed = true
			return log
		}, "say that something hidden became known: false; recorded was true"},
		{"an undone record forged", func(t *testing.T, log []parts) []parts {
			log[10].header.Revealed = !log[10].header.Revealed // undone by the records after it
			return log
		}, "adjudication: record 11 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			game := whole(t, committed)
			forged := game.forge(func(log []parts) []parts { return c.forge(t, log) })
			sum, found := game.audit(forged, ledger.AuditOptions{})
			hit := false
			var all strings.Builder
			for _, f := range found {
				all.WriteString("\n" + f.String())
				hit = hit || strings.Contains(f.String(), c.want)
				if strings.Contains(f.Message, "ghost") {
					t.Errorf("a message quotes what may be hidden: %s", f.Message)
				}
			}
			if !hit || sum.Errors == 0 {
				t.Errorf("expected an error with %q, found:%s", c.want, all.String())
			}
		})
	}
}

func TestAuditFindsSaltsOfOnesOwn(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	game.salts = ledger.NewSalter(ledger.SaltSecret{1}, game.game)
	_, found := game.audit(game.forge(func(log []parts) []parts { return log }), ledger.AuditOptions{})
	if len(found) == 0 ||
		!strings.Contains(found[0].String(), "commitment: record 1 has a salt, of leaf 0, that does not follow") {
		t.Errorf("found %v", found)
	}
}

// One difference must not cause others: commands are decided on what the stored events say.
func TestAuditReportsADifferenceOnce(t *testing.T) {
	t.Parallel()
	game := whole(t, manual)
	forged := game.forge(func(log []parts) []parts {
		i, j := find(t, log, isEvent(func(e *toyv1.Event) bool { return e.GetScored() != nil }))
		recode(t, &log[i].leaves[j], new(toyv1.Event), func(e *toyv1.Event) { e.GetScored().Red += 2 })
		return log
	})
	_, found := game.audit(forged, ledger.AuditOptions{})
	if len(found) == 0 || found[0].Check != ledger.CheckAdjudication {
		t.Fatalf("found %v", found)
	}
	for _, f := range found[1:] {
		if !strings.Contains(f.Detail, "game_ended") { // the score decides who wins, and nothing else
			t.Errorf("also found %v", f)
		}
	}
}

// A record changed without new hashes, at any byte, is found, and so is one with its own hash made anew.
func TestAuditFindsDamage(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	for at := 0; at < len(game.records[7]); at += 5 {
		records := slices.Clone(game.records)
		records[7] = bytes.Clone(records[7])
		records[7][at] ^= 4
		_, found := game.audit(records, ledger.AuditOptions{})
		if len(found) != 1 || found[0].Version != 8 || found[0].Check != ledger.CheckChain {
			t.Fatalf("byte %d: found %v", at, found)
		}
	}
	last := game.opened()[7]
	h := proto.CloneOf(last.Header())
	h.Seat += "x"
	s, err := ledger.Seal(last.Prev(), h, last.Leaves(), game.salts)
	if err != nil {
		t.Fatal(err)
	}
	records := slices.Clone(game.records)
	records[7] = s.Data
	_, found := game.audit(records, ledger.AuditOptions{})
	if len(found) != 1 || found[0].Version != 9 || !strings.Contains(found[0].Message, "follows a record with hash") {
		t.Errorf("found %v", found)
	}
}

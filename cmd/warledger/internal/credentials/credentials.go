// Package credentials keeps the tokens of one person in a file: of the games they own and the seats
// they hold, by server.
package credentials

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
)

// File is where the tokens are kept. It is read and written whole; two programs that write at once wait for each other.
type File struct {
	// Path of the file. Its folder is made when first needed. Nobody else may read either.
	Path string
}

// Game is what is held of one game.
type Game struct {
	// Owner is the token of the owner; empty if it is not ours.
	Owner string `json:"owner,omitempty"`
	// Seats are the tokens of the seats held, by seat.
	Seats map[string]string `json:"seats,omitempty"`
	// Chains are the secrets of the seats for mutual dice, by seat. They outlive the seat's token,
	// which may be taken again.
	Chains map[string]*warledger.Chain `json:"chains,omitempty"`
	// Former are the tokens of seats held here last that are free now, by seat. They answer when the seat is offered,
	// take it again, and open nothing else.
	Former map[string]string `json:"former,omitempty"`
	// Listing is the list of legal actions that was shown last, so that a number means what was shown.
	Listing *Listing `json:"listing,omitempty"`
	// Scripts are the lists in JSON written since, by seat. A number that means something else there is refused. As
	// long as no list was shown, numbers mean the lines of the seat's list in JSON.
	Scripts map[string]*Listing `json:"scripts,omitempty"`
}

// Listing says which legal actions were shown.
type Listing struct {
	Seat  string `json:"seat,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Piece string `json:"piece,omitempty"`
	Space string `json:"space,omitempty"`
	// Version of the game that the list was for.
	Version uint64 `json:"version"`
	// Marks are four bytes for each action, a hash of its command. They find the action of a number again after others
	// have spoken from aside, or if the server sorts the list differently.
	Marks []byte `json:"marks,omitempty"`
	// Folded are the first and last numbers of the lines that stood for several actions. None of these was shown by
	// itself, so its number is refused.
	Folded [][2]int `json:"folded,omitempty"`
}

// FoldedAt returns the first and last numbers of the line for several actions that has a number within it.
func (l *Listing) FoldedAt(n int) (span [2]int, ok bool) {
	i := slices.IndexFunc(l.Folded, func(s [2]int) bool { return s[0] <= n && n <= s[1] })
	if i < 0 {
		return span, false
	}
	return l.Folded[i], true
}

// Mark notes the next command of the list.
func (l *Listing) Mark(command string) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(command)) // never fails
	l.Marks = h.Sum(l.Marks)
}

// marked reports whether the list had a command under a number, from 1.
func (l *Listing) marked(n int, command string) bool {
	var one Listing
	one.Mark(command)
	return bytes.Equal(one.Marks, l.Marks[4*n-4:4*n])
}

// Len is how many actions the list had.
func (l *Listing) Len() int { return len(l.Marks) / 4 }

// Agrees reports whether two lists have the same action under a number.
func (l *Listing) Agrees(n int, other *Listing) bool {
	return n >= 1 && n <= l.Len() && n <= other.Len() && bytes.Equal(l.Marks[4*n-4:4*n], other.Marks[4*n-4:4*n])
}

// Find returns the index in actions of the one that the list had under a number, or -1. It tries the old place first,
// since the marks of two actions may be equal.
func (l *Listing) Find(n int, actions []warledger.LegalAction) int {
	if n < 1 || n > l.Len() {
		return -1
	}
	if n <= len(actions) && l.marked(n, actions[n-1].Command) {
		return n - 1
	}
	return slices.IndexFunc(actions, func(x warledger.LegalAction) bool { return l.marked(n, x.Command) })
}

// Tokens are all tokens held.
func (g *Game) Tokens() []string {
	var all []string
	if g == nil {
		return nil
	}
	if g.Owner != "" {
		all = append(all, g.Owner)
	}
	for _, seat := range slices.Sorted(maps.Keys(g.Seats)) {
		all = append(all, g.Seats[seat])
	}
	return all
}

// PutAside keeps the token of a seat that has become free apart from those that open something.
func (g *Game) PutAside(seat string) {
	if token := g.Seats[seat]; token != "" {
		if g.Former == nil {
			g.Former = make(map[string]string)
		}
		g.Former[seat] = token
	}
	delete(g.Seats, seat)
}

// Server is what is held at one server.
type Server struct {
	// Last is the game that was created or joined last.
	Last string `json:"last,omitempty"`
	// Games by name ("games/{game}").
	Games map[string]*Game `json:"games"`
}

// contents of the file.
type contents struct {
	Servers map[string]*Server `json:"servers"`
}

// Usual is the file of this person: under dir, or without one under the folder where the system keeps settings.
func Usual(dir string) (*File, error) {
	if dir == "" {
		base, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("where to keep tokens: %w", err)
		}
		dir = filepath.Join(base, "warledger")
	}
	return &File{filepath.Join(dir, "credentials.json")}, nil
}

// Server returns what is held at a server; empty if nothing.
func (f *File) Server(server string) (*Server, error) {
	c, err := f.read()
	if err != nil {
		return nil, err
	}
	return c.server(server), nil
}

// Game returns what is held of a game; nil if nothing.
func (f *File) Game(server, game string) (*Game, error) {
	s, err := f.Server(server)
	if err != nil {
		return nil, err
	}
	return s.Games[game], nil
}

// Change changes what is held of a game. If latest is true the game becomes the last one. A game of which nothing
// is left is forgotten.
func (f *File) Change(server, game string, latest bool, change func(*Game)) error {
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	c, err := f.read()
	if err != nil {
		return err
	}
	s := c.server(server)
	g := s.Games[game]
	if g == nil {
		g = &Game{}
		s.Games[game] = g
	}
	if g.Seats == nil {
		g.Seats = make(map[string]string)
	}
	change(g)
	if len(g.Tokens()) == 0 && len(g.Former) == 0 && g.Listing == nil && len(g.Scripts) == 0 &&
		len(g.Chains) == 0 {
		delete(s.Games, game)
	}
	if latest {
		s.Last = game
	}
	return f.write(c)
}

func (c *contents) server(name string) *Server {
	s := c.Servers[name]
	if s == nil {
		s = &Server{}
		c.Servers[name] = s
	}
	if s.Games == nil {
		s.Games = make(map[string]*Game)
	}
	return s
}

func (f *File) read() (*contents, error) {
	c := &contents{Servers: make(map[string]*Server)}
	data, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", f.Path, err)
	}
	if c.Servers == nil {
		c.Servers = make(map[string]*Server)
	}
	return c, nil
}

// write replaces the file as a whole, so that a crash leaves the old or the new one.
func (f *File) write(c *contents) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".credentials-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(data, '\n'))
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.Path); err != nil {
		return err
	}
	// A link of a chain that was revealed and then forgotten could be asked for twice, so the name is to last too.
	if dir, err := os.Open(filepath.Dir(f.Path)); err == nil {
		_ = dir.Sync() // some systems cannot sync a folder
		_ = dir.Close()
	}
	return nil
}

// Find completes the name of a game: "." or "last" is the last one, the beginning of an id is the only game held that
// begins so, and anything else is a name already.
func (s *Server) Find(game string) (string, error) {
	if game == "." || game == "last" {
		if s.Last == "" {
			return "", errors.New("no game was created or joined from here yet")
		}
		return s.Last, nil
	}
	name := "games/" + strings.TrimPrefix(game, "games/")
	if s.Games[name] != nil {
		return name, nil
	}
	var fits []string
	for known := range s.Games {
		if strings.HasPrefix(known, name) {
			fits = append(fits, known)
		}
	}
	if len(fits) > 1 {
		slices.Sort(fits)
		return "", fmt.Errorf("%q may be any of %s", game, strings.Join(fits, ", "))
	}
	if len(fits) == 1 {
		return fits[0], nil
	}
	return name, nil
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/warledger/warledger/cmd/internal/build"
	"github.com/warledger/warledger/cmd/internal/rulesets"
)

// settings are the settings of the server: each is a flag, an environment variable and a key of the file.
type settings struct {
	Config kong.ConfigFlag  `help:"JSON file with settings." placeholder:"FILE"`
	Show   kong.VersionFlag `name:"version" env:"-" help:"Print the version and stop."`

	Listen string `group:"ports" help:"Address for gRPC." default:"localhost:7480" placeholder:"HOST:PORT"`
	Web    string `group:"ports" help:"Address for the web board, Connect, gRPC-Web and JSON over HTTP; \"off\" for none." default:"localhost:7482" placeholder:"HOST:PORT"`
	Ops    string `group:"ports" help:"Address for metrics, probes, profiles and administration, never encrypted; \"off\" for none." default:"localhost:7481" placeholder:"HOST:PORT"`

	TLSCert     string `group:"ports" name:"tls-cert" help:"Certificate chain for the first two ports, PEM; without one they are not encrypted. Read again on SIGHUP and when it changes." placeholder:"FILE"`
	TLSKey      string `group:"ports" name:"tls-key" help:"Key of the certificate, PEM." placeholder:"FILE"`
	TLSClientCA string `group:"ports" name:"tls-client-ca" help:"CA certificates, PEM: the gRPC port accepts only clients with a certificate from one of these CAs. Read again as the certificate is." placeholder:"FILE"`
	Reflection  bool   `group:"ports" help:"Let tools such as grpcurl ask for the contract." default:"true" negatable:""`

	Origins []string `group:"ports" help:"Origins of web pages that may call, such as https://play.example; \"*\" for any." placeholder:"ORIGIN"`

	Hosts []string `group:"ports" help:"Further names under which the HTTP ports answer, besides localhost, the address of the connection, and the names in --listen, --web, --ops, --public-url and the certificate; \"*\" for any." placeholder:"NAME"`

	DB         string `group:"store" name:"db" help:"File that holds the games; created if missing." default:"warledger.db" placeholder:"FILE"`
	Store      string `group:"store" help:"PostgreSQL database that holds the games, in place of a file. Its password belongs in the environment, the settings file or a passfile, since others see the command line." placeholder:"postgres://USER@HOST/NAME"`
	AcceptLoss bool   `group:"store" help:"Open a database that has standbys of which none is synchronous. When one takes over, acknowledged records are lost."`

	DBBytes int `group:"store" name:"db-bytes" help:"How large the file may grow; from nine tenths on new games are refused; 0 for no bound but the disk." default:"4294967296" placeholder:"BYTES"`

	AdminTokenFile       string        `group:"access" help:"File with the token that calls of administration must bring, at least 32 characters; without one they are not served." placeholder:"FILE"`
	SigningKey           string        `group:"access" help:"File with the key that checkpoints are signed with, created if missing; by default beside the games; \"off\" for no checkpoints." placeholder:"FILE"`
	SignEvery            time.Duration `group:"access" help:"How often the heads of games go into the signed log; also when the server stops. With 0 only when somebody asks for a checkpoint." default:"10m"`
	OIDCIssuer           string        `group:"access" name:"oidc-issuer" help:"OpenID Connect provider whose identity tokens owners may use." placeholder:"URL"`
	OIDCAudience         string        `group:"access" name:"oidc-audience" help:"Client id that its tokens must be made for." placeholder:"ID"`
	OIDCClientSecretFile string        `group:"access" name:"oidc-client-secret-file" help:"File with the secret of that client, for a provider that wants one besides PKCE." placeholder:"FILE"`
	OIDCRequired         bool          `group:"access" name:"oidc-required" help:"Let only people who have signed in there create games."`

	PublicURL        string         `group:"notices" name:"public-url" help:"Where people find the web board, for links in notices; mail needs it." placeholder:"URL"`
	Webhooks         bool           `group:"notices" help:"Post to the webhooks of games." default:"true" negatable:""`
	WebhookNetworks  []netip.Prefix `group:"notices" help:"Private networks that webhooks may reach, also without TLS." placeholder:"CIDR"`
	WebhookWorkers   int            `group:"notices" help:"How many webhooks are posted to at once." default:"16"`
	SMTPAddress      string         `group:"notices" name:"smtp-address" help:"SMTP server that takes mail for players; no mail without one." placeholder:"HOST:PORT"`
	SMTPFrom         string         `group:"notices" name:"smtp-from" help:"Sender of mail: an address, or a name and an address." placeholder:"ADDRESS"`
	SMTPUser         string         `group:"notices" name:"smtp-user" help:"User at the SMTP server, if it wants one." placeholder:"NAME"`
	SMTPPasswordFile string         `group:"notices" name:"smtp-password-file" help:"File with the user's password." placeholder:"FILE"`
	SMTPEncryption   string         `group:"notices" name:"smtp-encryption" help:"Encryption to the SMTP server: starttls, tls from the beginning, or none." enum:"starttls,tls,none" default:"starttls"`
	DeadlineGrace    time.Duration  `group:"notices" help:"For how long after its start the server enforces no deadline, so that players who could not act while it was down can." default:"15m"`

	LogFormat  string  `group:"watch" help:"Format of the log: text or json." enum:"text,json" default:"text"`
	LogLevel   string  `group:"watch" help:"Least level that is logged: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	OTLP       string  `group:"watch" name:"otlp" help:"Where traces go, by OTLP over gRPC, such as http://localhost:4317; by default nowhere." placeholder:"URL"`
	TraceRatio float64 `group:"watch" help:"Share of calls traced when the caller's trace does not decide." default:"0.05"`

	Drain time.Duration `group:"stop" help:"How long to go on serving after saying NOT_SERVING, for load balancers." default:"0s"`
	Grace time.Duration `group:"stop" help:"How long running calls may take when the server stops." default:"10s"`

	CallerRate         float64        `group:"limits" help:"Units of work a second that one checked token, or all strangers of one address, may ask for; 0 for no bound." default:"100"`
	AddressRate        float64        `group:"limits" help:"Units of work a second that one address may ask for; 0 for no bound." default:"1000"`
	AddressWatches     int            `group:"limits" help:"How many watches one address may have open; 0 for no bound." default:"200"`
	AddressCalls       int            `group:"limits" help:"How many calls one address may have under way at once; 0 for no bound." default:"64"`
	AddressConnections int            `group:"limits" help:"How many connections one address may have open; 0 for no bound." default:"200"`
	AddressGames       int            `group:"limits" help:"How many games one address may create in a day; 0 for no bound." default:"100"`
	AddressBytes       int            `group:"limits" help:"How many bytes one address may store in a day; 0 for no bound." default:"67108864" placeholder:"BYTES"`
	FreeAddresses      []netip.Prefix `group:"limits" help:"Networks whose callers have no bounds by token and address." default:"127.0.0.0/8,::1/128" placeholder:"CIDR"`
	TrustedProxies     []netip.Prefix `group:"limits" help:"Networks of reverse proxies whose X-Forwarded-For is believed." placeholder:"CIDR"`

	Calls       int `group:"limits" help:"How many calls may be under way at once in all; 0 for no bound." default:"512"`
	Connections int `group:"limits" help:"How many connections may be open on the public ports in all; 0 for no bound." default:"10000"`

	Games        int `group:"limits" help:"How many games are kept; 0 for no bound." default:"100000"`
	Keyrings     int `group:"limits" help:"How many keyrings may hold something; 0 for no bound." default:"100000"`
	KeyringDays  int `group:"limits" help:"For how many days a keyring is kept after it was last written, at most 4000; 0 keeps none." default:"400"`
	OwnerGames   int `group:"limits" help:"How many games are kept for one owner who has signed in; 0 for no bound." default:"1000"`
	GameBytes    int `group:"limits" help:"How large the log of one game may grow; 0 for no bound." default:"67108864" placeholder:"BYTES"`
	GameWatchers int `group:"limits" help:"How many watches of one game are served at once; 0 for no bound of its own." default:"0"`

	Talk           bool `group:"limits" help:"Let people say things to each other in games." default:"true" negatable:""`
	TalkCharacters int  `group:"limits" help:"How many characters a message may have, 1 to 2000." default:"1000"`
	TalkMessages   int  `group:"limits" help:"How many messages are kept of a table, of a side, and of a seat's notes, 1 to 5000." default:"500"`
	TalkBytes      int  `group:"limits" help:"How many bytes of them are kept, 16384 to 524288." default:"131072" placeholder:"BYTES"`
	TalkPerMinute  int  `group:"limits" help:"How many messages a seat may write to one audience in a minute, 1 to 600." default:"10"`

	OwnComputerSeats      int `group:"limits" help:"How many seats each of the server's own computer players plays at once; 0 for no computers of its own." default:"32"`
	OwnComputerThreads    int `group:"limits" help:"How many of the server's own computer players think at once; at least 1." default:"1"`
	OwnComputerPercent    int `group:"limits" help:"Percent of a processor that each thinking computer player of the server's own takes at most, 1 to 100." default:"50"`
	ComputerSeats         int `group:"limits" help:"How many seats computer players hold in all, those of others included; 0 for no bound." default:"256"`
	AddressComputerSeats  int `group:"limits" help:"How many seats that were given from one address computer players hold; 0 for no bound." default:"12"`
	ComputerOffers        int `group:"limits" help:"How many computer players of others are on offer at once; 0 for none." default:"64"`
	AddressComputerOffers int `group:"limits" help:"How many computer players are on offer from one address at once; 0 for no bound." default:"8"`

	Idle        time.Duration `group:"limits" help:"How long a game that nobody asks for stays in memory." default:"10m"`
	LiveGames   int           `group:"limits" help:"How many games stay in memory, not counting watched ones; at least 1." default:"4096"`
	LivePercent int           `group:"limits" help:"Percent of the memory limit that games and scenarios in memory may take; 0 for no bound." default:"25"`
	Watchers    int           `group:"limits" help:"How many watches are served at once in all; at least 1." default:"10000"`
	Checkpoints int           `group:"limits" help:"How many past positions are kept for each game in memory; at least 1." default:"64"`

	MemoryPercent int `group:"limits" help:"Percent of the container's or the machine's memory that the program stays below; 0 to set no limit. GOMEMLIMIT wins." default:"80"`

	WithToy bool `help:"Offer Outpost too, the small game of the tutorials." group:"store"`
}

// mostOwnSeats is how many seats one computer may play at once.
const mostOwnSeats = 64

// groups are the headings of the help.
var groups = []kong.Group{
	{Key: "ports", Title: "Ports"}, {Key: "store", Title: "Store"}, {Key: "access", Title: "Access"},
	{Key: "notices", Title: "Webhooks, mail and deadlines"}, {Key: "watch", Title: "Watching the server"},
	{Key: "stop", Title: "Stopping"}, {Key: "limits", Title: "Limits"},
}

// helped is how kong's wish to exit comes back from its parser.
type helped struct{}

// readSettings reads flags, environment and file. done is true if the arguments asked for help or
// the version, and got it.
func readSettings(args []string, out io.Writer) (set *settings, done bool, err error) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case helped:
			done, err = true, nil
		default:
			panic(p)
		}
	}()
	set = new(settings)
	parser, err := kong.New(set,
		kong.Name("warledgerd"), kong.Description("Keeps, referees and shows board wargames over gRPC."),
		kong.ExplicitGroups(groups), kong.DefaultEnvars("WARLEDGER"), kong.Configuration(strictJSON),
		kong.Vars{"version": version()},
		kong.Writers(out, out), kong.Exit(func(int) { panic(helped{}) }))
	if err != nil {
		return nil, false, err
	}
	if _, err := parser.Parse(args); err != nil {
		return nil, false, err
	}
	return set, false, set.check()
}

func (s *settings) check() error {
	switch {
	case s.Store != "" && !isDatabase(s.Store): // which it must not repeat: there may be a password in it
		return fmt.Errorf("--store: expected an address such as postgres://USER@HOST/NAME; --db names a file")
	case strings.Contains(s.DB, "://") || strings.Contains(strings.ToLower(s.DB), "password="):
		return fmt.Errorf("--db: expected the name of a file; --store names a database")
	case s.Store != "" && s.SigningKey == "":
		return fmt.Errorf("--store needs --signing-key: a file to keep with the database, or off")
	case s.AcceptLoss && s.Store == "":
		return fmt.Errorf("--accept-loss needs --store")
	case s.Drain < 0 || s.Grace < 0 || s.SignEvery < 0:
		return fmt.Errorf("--drain, --grace and --sign-every must not be negative")
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return fmt.Errorf("--tls-cert and --tls-key go together")
	case s.TLSClientCA != "" && s.TLSCert == "":
		return fmt.Errorf("--tls-client-ca needs --tls-cert")
	case s.Keyrings < 0 || outside(s.KeyringDays, 0, 4000):
		return fmt.Errorf("--keyrings must not be negative, and --keyring-days must be 0 to 4000")
	case min(s.DBBytes, s.Games, s.OwnerGames, s.GameBytes, s.GameWatchers) < 0:
		return fmt.Errorf("--db-bytes, --games, --owner-games, --game-bytes and --game-watchers must not be negative")
	case min(s.AddressWatches, s.AddressCalls, s.AddressConnections, s.AddressGames, s.AddressBytes, s.Calls,
		s.Connections) < 0:
		return fmt.Errorf("--address-watches, --address-calls, --address-connections, --address-games, " +
			"--address-bytes, --calls and --connections must not be negative")
	case s.OwnComputerSeats < 0 || s.OwnComputerSeats > mostOwnSeats || s.OwnComputerThreads < 1 ||
		s.OwnComputerPercent < 1 || s.OwnComputerPercent > 100:
		return fmt.Errorf("--own-computer-seats must be 0 to %d, --own-computer-threads at least 1, and "+
			"--own-computer-percent 1 to 100", mostOwnSeats)
	case min(s.ComputerSeats, s.AddressComputerSeats, s.ComputerOffers, s.AddressComputerOffers) < 0:
		return fmt.Errorf("--computer-seats, --address-computer-seats, --computer-offers and " +
			"--address-computer-offers must not be negative")
	case outside(s.TalkCharacters, 1, 2000) || outside(s.TalkMessages, 1, 5000) ||
		outside(s.TalkBytes, 16384, 524288) || outside(s.TalkPerMinute, 1, 600):
		return fmt.Errorf("--talk-characters must be 1 to 2000, --talk-messages 1 to 5000, --talk-bytes 16384 to " +
			"524288, and --talk-per-minute 1 to 600")
	case min(s.LivePercent, s.MemoryPercent) < 0 || max(s.LivePercent, s.MemoryPercent) > 100:
		return fmt.Errorf("--live-percent and --memory-percent must be 0 to 100")
	case !(s.CallerRate >= 0) || !(s.AddressRate >= 0): // not a number, too
		return fmt.Errorf("--caller-rate and --address-rate must not be negative")
	case (s.OIDCIssuer == "") != (s.OIDCAudience == "") || s.OIDCRequired && s.OIDCIssuer == "":
		return fmt.Errorf("--oidc-issuer and --oidc-audience go together, and --oidc-required needs both")
	case s.OIDCClientSecretFile != "" && s.OIDCIssuer == "":
		return fmt.Errorf("--oidc-client-secret-file needs --oidc-issuer")
	case s.TraceRatio < 0 || s.TraceRatio > 1:
		return fmt.Errorf("--trace-ratio must be 0 to 1, not %v", s.TraceRatio)
	case s.DeadlineGrace < 0:
		return fmt.Errorf("--deadline-grace must not be negative")
	case s.WebhookWorkers < 1:
		return fmt.Errorf("--webhook-workers must be at least 1")
	case s.SMTPAddress == "" && (s.SMTPFrom != "" || s.SMTPUser != ""):
		return fmt.Errorf("--smtp-from and --smtp-user need --smtp-address")
	case s.SMTPAddress != "" && (s.SMTPFrom == "" || s.PublicURL == ""):
		return fmt.Errorf("--smtp-address needs --smtp-from and --public-url")
	case (s.SMTPUser == "") != (s.SMTPPasswordFile == ""):
		return fmt.Errorf("--smtp-user and --smtp-password-file go together")
	case s.Idle <= 0:
		return fmt.Errorf("--idle must be positive, not %s", s.Idle)
	case s.LiveGames < 1 || s.Watchers < 1 || s.Checkpoints < 1:
		return fmt.Errorf("--live-games, --watchers and --checkpoints must be at least 1")
	}
	return nil
}

// strictJSON reads a file of settings and refuses unknown names, which would otherwise be silently without effect.
func strictJSON(r io.Reader) (kong.Resolver, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	inner, err := kong.JSON(strings.NewReader(string(data)))
	return &strictResolver{inner, slices.Sorted(maps.Keys(keys))}, err
}

type strictResolver struct {
	kong.Resolver
	keys []string
}

// Resolve returns the file's value for a flag, unless the environment has one, which beats the file.
func (r *strictResolver) Resolve(c *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	return r.Resolver.Resolve(c, parent, flag)
}

// Validate reports the first name that is no setting.
func (r *strictResolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, flag := range app.Flags {
		known[flag.Name], known[strings.ReplaceAll(flag.Name, "-", "_")] = true, true
	}
	for _, key := range r.keys {
		if !known[key] {
			return fmt.Errorf("settings file: there is no setting %q", key)
		}
	}
	return nil
}

// version says what program this is.
func version() string { return build.Text("warledgerd", rulesets.Offered()...) }

func outside(n, least, most int) bool { return n < least || n > most }

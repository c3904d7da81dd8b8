/** What the page says where people sign in, and other words of the lobby alone. They are loaded with the lobby. */
export const en = {
  signIn: "Sign in",
  signInNote: "Then you find all your games again on every device where you sign in, and they are kept as you play. " +
    "Without it they are in this browser alone.",
  signInRequired: "On this server only people who have signed in can begin games. Anybody may sit down.",
  signInAgain: "You have signed in here before. Sign in again to find your newest games.",
  signInLapsed: "Your sign-in has expired. Sign in again to go on keeping your games.",
  signInWith: "Sign in with {provider}",
  signInAway: "{provider} does not answer at the moment.",
  signInFailed: "Signing in has failed: {why}",
  passkeyUse: "Sign in with a passkey",
  passkeyMake: "Make a passkey",
  passkeyNote: "A passkey needs no account and no password. It encrypts the games in this browser, so the server " +
    "cannot read them. If you lose it, what is kept under it is lost.",
  passkeyFailed: "No passkey was used.",
  passkeyNoSecrets: "This passkey cannot encrypt anything. Make one elsewhere: in the browser or on a phone.",
  signedInAs: "Signed in as {name}",
  signedInProvider: "Signed in with {provider}",
  signedInPasskey: "Signed in with a passkey",
  signedBusy: "Looking for your newest games…",
  signedKept: "The server keeps your games. Sign in on another device to play them there.",
  signedKeptNot: "The games that you create are yours by name. This server does not bring them to your other devices.",
  signedFault: "Your games could not be kept: {why}",
  signOut: "Sign out",
  signOutAsk: "Shall your games stay in this browser?",
  signOutStay: "Keep them here",
  signOutRemove: "Remove them here",
  signOutNote: "Games that stay are open to everybody who uses this browser, and go along with whoever signs in here " +
    "next. Removed games are found again when you sign in. In games with mutual dice another device must then answer " +
    "for your seats. If you have lost a seat, you can then no longer take it again or agree to its next player.",
  signOutFault: "Nothing was removed, because the server does not have your newest games: {why}",
  signOutOther: "Nothing was removed. This browser's tokens of some games differ from those that the server keeps " +
    "for you, and would be lost: {games}. Open each of these games once, which drops tokens that open nothing, and " +
    "try again.",
  keyringForget: "Have the server forget my games",
  keyringForgetSure: "The games stay in this browser. Other devices do not find them any more.",
  signedForgotten: "The server no longer has your games: you had it forget them on another device, or they were " +
    "unused for too long. Should it keep this browser's games again?",
  keepAgain: "Keep them again",
  gamesRemove: "Remove these games from this browser",
  gamesRemoveSure: "Remove them? You lose seats and games that are kept nowhere else, the answers of your seats in " +
    "games with mutual dice, and the right to take lost seats again. All tabs are signed out.",
  ownScenario: "A scenario of your own…",
  ownNote:
    "A scenario is a document (JSON) in the ruleset's schema. The page of a scenario that comes with the ruleset " +
    "offers its document as a start.",
  ownFile: "Scenario document",
  ownSound: "Nothing is wrong with it.",
  ownFaults: "{n} things to mend or to know:",
  saveDocument: "Download this scenario's document",
  importNote: "A file from “Download” or the command line, of this server or another. It is checked before it is kept.",
  importFile: "File of the game",
  importing: "Being taken in…",
  playNowNote: "One click begins a game against the computer. It plays all seats that are not yours.",
  playNowAgainst: "Opponent",
  playNowWhich: "Scenario of {game}",
  playNowAs: "Play {seats}",
  playNowBusy: "All computers are playing. Try again later.",
  playNowOnly: "No opponent of that strength is free. Opponent: {level}.",
  whoPlaysNote:
    "Tick the seats that you take yourself; several for playing at one screen. The others are taken by whoever has " +
    "the link.",
  diceCommittedLong:
    "The server throws, from a secret sealed before the game and opened at the end: everyone can check every die. " +
    "Only the operator could foresee them",
  diceManualLong: "We throw real dice and enter them",
  diceMutualLong:
    "The server and every player's program throw together: nobody can choose or foresee a die, not even the " +
    "server's operator",
  diceSilence: "If somebody's browser does not answer",
  silenceWait: "the game waits",
  silenceMinute: "go on without the answer after a minute (among friends only)",
  silenceHour: "go on without the answer after an hour (among friends only)",
  silenceDay: "go on without the answer after a day (among friends only)",
  noScenarios: "No scenario matches.",
  linkVoid: "This link opens nothing here: it has expired, was revoked, or belongs to another game. What this " +
    "browser has of the game stays as it was.",
  linkToGame: "To the game",
  leftOut: "You have too many games for other devices. {n} of them stay behind: first those that a link brought and " +
    "you never opened, then those that you only watched, then those opened longest ago. Forget some.",
  arrivedMany: "The link brings {n} games. This browser does not have {fresh} of them.",
  arrivedFlood: "That is more than most people play. Take them only if you made the link yourself.",
};

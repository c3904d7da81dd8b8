import { useEffect } from "preact/hooks";
import { GamePage } from "./game/page";
import { arrived } from "./arrived";
import { fetchRest, later, part, Unloaded } from "./later";
import { signed } from "./person";
import { route, stay } from "./route";
import { lang, t } from "./words";

const Create = later(() => import("./lobby/create").then((m) => m.Create)),
  Lobby = later(() => import("./lobby/lobby").then((m) => m.Lobby)),
  Brought = later(() => import("./lobby/brought").then((m) => m.Brought));

const RuleDialog = part("RuleDialog");

/** After how long the games of a person are looked after: first comes the board. */
const REST = 3000;

// An identity provider has sent the person back; or this tab keeps what a person has somewhere else too.
const back = location.search.includes("state=");
let looked = false;
signed.subscribe((who) => {
  if (looked || !(back || who)) return;
  looked = true;
  setTimeout(() => void import("./lobby/lobby").then((m) => m.arrive()), back ? 0 : REST);
});

/** App shows the page that the address names. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = lang.value;
  }, [lang.value]);
  const [where, a, b, c, d] = route.value;
  useEffect(() => {
    if (where !== "mine" || !a) return;
    arrived.value = a;
    stay(); // tokens do not stay in the address
  }, [where, a]);
  const game = where === "games" && /^[a-z0-9-]{1,64}$/.test(a ?? "") ? "games/" + a : "";
  useEffect(() => {
    if (!game) fetchRest(); // a board is first
  }, [game]);
  // A link that brings a token is taken in first: the page begins with it.
  if (game && c && d) return <Brought key={[a, b, c, d].join("/")} game={game} what={b!} seat={c} token={d} />;
  return (
    <>
      <a class="skip" href="#main">{t("skip")}</a>
      {game ? (
        <GamePage key={game + lang.value} name={game} join={b === "join"} />
      ) : where === "new" && a && b ? (
        <Create key={a + b + lang.value} ruleset={a} scenario={b} />
      ) : where === "own" && a ? (
        <Create key={"own" + a + lang.value} ruleset={a} />
      ) : (
        <Lobby key={lang.value} />
      )}
      <RuleDialog />
      <Unloaded />
    </>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { arrived } from "../arrived";
import { CopyLink } from "../panels/link";
import { linkTo } from "../route";
import { wallet } from "../wallet";
import { listed, t } from "../words";
import { accept, leftOut, pack, unpack, type Carried } from "./carry";

/** OtherDevice makes a link that opens all games of this browser in another one. */
export function OtherDevice() {
  const link = useSignal("");
  useEffect(() => {
    link.value = ""; // it would lack a game
  }, [wallet.value]);
  const make = () => void pack().then((word) => (link.value = linkTo("mine", word)));
  return (
    <details class="devices">
      <summary>{t("otherDevice")}</summary>
      <p class="note">{t("otherDeviceNote")}</p>
      {leftOut.value > 0 && <p class="fault" role="alert">{t("leftOut", { n: leftOut.value })}</p>}
      {link.value ? <CopyLink id="mine-link" label={t("otherDeviceLink")} url={link.value} />
        : <button id="make-mine" onClick={make}>{t("makeLink")}</button>}
    </details>
  );
}

/** MANY is more games than one person is likely to have: the page warns of links with so many. */
const MANY = 50;

/** Arrived asks whether the games that a link brought are to be played here. */
export function Arrived() {
  const found = useSignal<Carried | null>(null), fault = useSignal(false), word = arrived.value;
  useEffect(() => {
    found.value = null;
    fault.value = false;
    if (word) unpack(word).then((c) => (found.value = c), () => (fault.value = true));
  }, [word]);
  if (!word || !(found.value || fault.value)) return null;
  const games = Object.values(found.value?.games ?? {}), done = () => (arrived.value = ""),
    fresh = Object.keys(found.value?.games ?? {}).filter((game) => !(game in wallet.value));
  const titles = games.map((g) => g.title).filter(Boolean).slice(0, 10);
  return (
    <section class="sure-card" id="arrived" role="alertdialog" aria-label={t("arrived")}>
      {fault.value && <p class="fault">{t("arrivedFault")}</p>}
      {found.value && <p>{t("arrivedGames",
        { holder: found.value.holder || "?", titles: listed(games.length > 10 ? [...titles, "…"] : titles) })}</p>}
      {found.value && games.length > 10 && <p class={games.length > MANY ? "fault" : "note"} id="arrived-many">
        {t("arrivedMany", { n: games.length, fresh: fresh.length })}{games.length > MANY && <> {t("arrivedFlood")}</>}
      </p>}
      {found.value && <button id="arrived-yes" onClick={() => {
        accept(found.value!);
        done();
      }}>{t("arrivedYes")}</button>} <button class="quiet" onClick={done}>{t("cancel")}</button>
    </section>
  );
}

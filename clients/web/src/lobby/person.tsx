import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { expired, sign, signed, type Signed } from "../person";
import { Sure } from "../panels/link";
import { holder, wallet } from "../wallet";
import { refusal } from "../wire";
import { t } from "../words";
import { follow, forgetAll, keepAgain, keeping, leave, outOfHere, removeHere } from "./keyring";
import { canPasskey, make, NoSecrets, use } from "./passkey";
import "./words";
import { ask, away, before, failure, offer } from "./sign";

/** What people call a provider: the name of its host. */
function named(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

/** useOffer asks how one can sign in here. A server that is older does not know, and offers nothing. */
function useOffer(): void {
  useEffect(() => {
    if (!offer.value) ask().catch(() => undefined);
  }, []);
}

/** SignIn says who one is and where one's games are kept, and lets one sign in and out. */
export function SignIn() {
  const passkeys = useSignal(false), lapsed = useSignal(false), who = signed.value;
  useOffer();
  useEffect(() => {
    void canPasskey().then((can) => (passkeys.value = can), () => undefined);
  }, []);
  useEffect(() => {
    if (!who) return;
    if (!expired(who)) void follow();
    if (who.expires === undefined) return;
    const timer = setTimeout(() => {
      sign(null);
      lapsed.value = true;
    }, Math.max(0, who.expires - Date.now()));
    return () => clearTimeout(timer);
  }, [who]);
  if (who) return <SignedIn who={who} />;
  const how = offer.value, secrets = !!how?.keepsForSecrets && passkeys.value;
  if (!how || !(how.issuer || secrets)) return <RemoveHere />;
  return (
    <details class="devices" id="sign-in" open={!!(failure.value || lapsed.value || before.value || how.required)}>
      <summary>{t("signIn")}</summary>
      {failure.value && <p class="fault" role="alert">{t("signInFailed", { why: failure.value })}</p>}
      <p class="note">{t(lapsed.value ? "signInLapsed" : before.value ? "signInAgain" : "signInNote")}</p>
      {how.required && <p class="note">{t("signInRequired")}</p>}
      {how.issuer && <ByProvider />}
      {secrets && <ByPasskey />}
      <RemoveHere />
    </details>
  );
}

/** RemoveHere offers to remove the games from a browser in which somebody has signed in: that person may be gone. */
function RemoveHere() {
  if (!before.value || !Object.keys(wallet.value).length) return null;
  return <p><Sure id="games-remove" label={t("gamesRemove")} question={t("gamesRemoveSure")} act={removeHere} /></p>;
}

function ByProvider() {
  const how = offer.value!, provider = named(how.issuer), busy = useSignal(false);
  if (!how.authorizationUri) return <p class="note">{t("signInAway", { provider })}</p>;
  const go = async () => {
    busy.value = true;
    try {
      await away(how);
    } catch (thrown) {
      failure.value = refusal(thrown).message;
      busy.value = false;
    }
  };
  return <p><button id="sign-provider" disabled={busy.value} onClick={() => void go()}>
    {t("signInWith", { provider })}</button></p>;
}

function ByPasskey() {
  const busy = useSignal(false), fault = useSignal("");
  const by = async (passkey: () => Promise<Signed>) => {
    busy.value = true;
    fault.value = "";
    try {
      const who = await passkey();
      before.value = "passkey";
      failure.value = "";
      sign(who);
    } catch (thrown) {
      fault.value = t(thrown instanceof NoSecrets ? "passkeyNoSecrets" : "passkeyFailed");
    }
    busy.value = false;
  };
  return (
    <>
      <p><button id="passkey-use" disabled={busy.value} onClick={() => void by(use)}>{t("passkeyUse")}</button> <button
        id="passkey-make" class="quiet" disabled={busy.value} onClick={() => void by(() => make(holder.value))}>
        {t("passkeyMake")}</button></p>
      {fault.value && <p class="fault" role="alert">{fault.value}</p>}
      <p class="note">{t("passkeyNote")}</p>
    </>
  );
}

function SignedIn({ who }: { who: Signed }) {
  const leaving = useSignal(false), fault = useSignal(""), { state, fault: why = "" } = keeping.value;
  const provider = named(offer.value?.issuer ?? ""), there = state !== "" && state !== "forgotten";
  const out = async (stay: boolean) => {
    fault.value = "";
    if (stay) leave();
    else fault.value = await outOfHere();
  };
  const forgetIt = async () => {
    try {
      await forgetAll();
    } catch (thrown) {
      failure.value = refusal(thrown).message;
    }
  };
  return (
    <section class="signed" aria-label={t("signIn")} data-keeping={state}>
      <p><b>{who.how === "passkey" ? t("signedInPasskey") : who.name ? t("signedInAs", { name: who.name })
        : t("signedInProvider", { provider })}</b> <span role="status" class={state === "fault" ? "fault" : "note"}>
        {state === "fault" ? t("signedFault", { why })
          : t(state === "busy" ? "signedBusy" : state === "kept" ? "signedKept" : state === "forgotten"
            ? "signedForgotten" : "signedKeptNot")}</span></p>
      {state === "forgotten" && <>
        <p><button id="keep-again" onClick={() => void keepAgain()}>{t("keepAgain")}</button></p>
        <RemoveHere />
      </>}
      {fault.value && <p class="fault" role="alert">{fault.value}</p>}
      {!leaving.value ? <p><button id="sign-out" class="quiet" onClick={() => (leaving.value = true)}>{t("signOut")}
        </button> {there && <Sure id="keyring-forget" label={t("keyringForget")} act={() => void forgetIt()}
          question={t("keyringForgetSure")} />}</p> : (
        <div role="group" aria-label={t("signOutAsk")}>
          <p>{t("signOutAsk")} <button id="sign-out-stay" onClick={() => void out(true)}>{t("signOutStay")}</button>
            {" "}{there && <button id="sign-out-remove" onClick={() => void out(false)}>{t("signOutRemove")}
              </button>} <button class="quiet" onClick={() => (leaving.value = false)}>{t("cancel")}</button></p>
          {there && <p class="note">{t("signOutNote")}</p>}
        </div>
      )}
    </section>
  );
}

/** SignFirst is shown where one begins a game that nobody may begin who has not signed in. */
export function SignFirst() {
  useOffer();
  const who = signed.value, how = offer.value;
  if (!how?.required || (who?.how === "provider" && !expired(who))) return null;
  return <section class="trouble" id="sign-first"><p>{t("signInRequired")}</p><ByProvider /></section>;
}

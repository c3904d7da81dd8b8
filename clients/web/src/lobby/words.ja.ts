import type { en } from "./words.en";

/** What the page says in Japanese where one signs in. */
export const ja: Record<keyof typeof en, string> = {
  signIn: "サインイン",
  signInNote: "サインインすると、どの端末でもすべての対局を続けられます。対局は自動で保存されます。" +
    "サインインしなければ、対局はこのブラウザだけに残ります。",
  signInRequired: "このサーバーで対局を始められるのは、サインインした人だけです。席に着くのは誰でもできます。",
  signInAgain: "以前ここでサインインしています。最新の対局を見つけるには、もう一度サインインしてください。",
  signInLapsed: "サインインの期限が切れました。対局の保存を続けるには、もう一度サインインしてください。",
  signInWith: "{provider}でサインイン",
  signInAway: "{provider}は今、応答していません。",
  signInFailed: "サインインできませんでした：{why}",
  passkeyUse: "パスキーでサインイン",
  passkeyMake: "パスキーを作る",
  passkeyNote: "パスキーにはアカウントもパスワードも要りません。対局はこのブラウザで暗号化され、サーバーには読めません。" +
    "パスキーを失うと、保存した内容も失われます。",
  passkeyFailed: "パスキーは使われませんでした。",
  passkeyNoSecrets: "このパスキーでは暗号化できません。ブラウザやスマートフォンなど、別の場所で作ってください。",
  signedInAs: "{name}としてサインインしています",
  signedInProvider: "{provider}でサインインしています",
  signedInPasskey: "パスキーでサインインしています",
  signedBusy: "最新の対局を確認しています…",
  signedKept: "対局はサーバーに保存されています。ほかの端末でもサインインすれば続けられます。",
  signedKeptNot: "作った対局は本人のものとして記録されます。このサーバーは対局をほかの端末に引き継ぎません。",
  signedFault: "対局を保存できませんでした：{why}",
  signOut: "サインアウト",
  signOutAsk: "対局をこのブラウザに残しますか。",
  signOutStay: "残す",
  signOutRemove: "ここから消す",
  signOutNote: "残した対局は、このブラウザを使う人なら誰でも開くことができ、次にサインインした人にも渡ります。" +
    "消した対局は、サインインすればまた見つかります。" +
    "共同のサイコロの対局では、別の端末が代わりに答えることになります。" +
    "失った席には、もう着き直せず、誰が着くかに同意することもできません。",
  signOutFault: "最新の対局がサーバーにないため、何も消していません：{why}",
  keyringForget: "サーバーから対局を消す",
  keyringForgetSure: "対局はこのブラウザに残ります。ほかの端末からは見つからなくなります。",
  signedForgotten: "サーバーに対局がありません。別の端末で消したか、長く使われなかったためです。" +
    "このブラウザの対局をもう一度保存しますか。",
  keepAgain: "もう一度保存する",
  gamesRemove: "このブラウザから対局を消す",
  gamesRemoveSure: "消しますか。ほかに保存されていない席と対局、共同のサイコロに答える手段、" +
    "失った席に着き直す権利はなくなります。すべてのタブでサインアウトします。",
};

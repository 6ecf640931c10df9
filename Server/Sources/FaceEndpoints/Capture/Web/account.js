// A face account from the first login to the last unbinding: number, consent, face, name and picture, the app's
// authorisation; attributes and settings. The app comes in the address: ?app=ID&bundle=ID, and #key=… where its phones
// have a key.

import {Capture, CameraRefused, ChallengeFailed} from "./capture.js";
import {Client, Refused, base64url} from "./client.js";
import {attributeList, button, element, languageChoice, say, screen, stage} from "./page.js";

const FRAMES = "application/vnd.benji.face-frames";
const query = new URLSearchParams(location.search);
const settings = {
  app: query.get("app") ?? "", bundle: query.get("bundle") ?? "",
  appKey: new URLSearchParams(location.hash.slice(1)).get("key") ?? ""};
// The key is not left in the address bar, nor in the history.
if (location.hash) history.replaceState(null, "", location.pathname + location.search);

let client, session, grant, user, remembered;
let redraw = () => {};
const show = (now, ...rest) => { redraw = () => now(...rest); return now(...rest); };
const actions = (...buttons) => element("div", {class: "actions"}, ...buttons);
const language = () => document.documentElement.lang;

// The sentence for each error, for the person; codes are for support.
const SENTENCES = {
  network: "network_trouble", overloaded: "crowded", too_many_requests: "crowded", face_unavailable: "face_unavailable",
  face_session_invalid: "attempt_over", challenge_invalid: "attempt_over", challenge_expired: "too_late",
  challenge_failed: "no_attempts_left", face_differs: "other_person", account_frozen: "account_frozen",
  account_erased: "account_erased",
  address_unknown: "not_mobile", address_stale: "not_mobile", address_ambiguous: "not_mobile",
  subscription_mismatch: "not_mobile", remembered_account_invalid: "log_in_anew"};
const CODES = {challenge_failed: -1000, face_differs: -1000, network: -1001, account_frozen: -1015,
  face_not_found: -1016, attributes_denied: -1012, access_token_expired: -1007, refresh_token_invalid: -1007,
  face_unavailable: -1011};

function failed(error, again) {
  const isCamera = error instanceof CameraRefused;
  const sentence = error.sentence ?? SENTENCES[error.code] ?? "trouble";
  if (!(isCamera || error instanceof ChallengeFailed || error instanceof Refused)) console.error(error);
  const code = isCamera ? error.code : CODES[error.code];
  const mayRetry = again && !(error instanceof ChallengeFailed && error.attemptsLeft === 0);
  screen(say(isCamera ? "camera_refused_title" : "try_again"), "failed",
    element("p", {class: "wrong", role: "alert"}, say(sentence)),
    code || error instanceof Refused
      ? element("p", {class: "soft"},
        [code && `(${code})`, error instanceof Refused && error.code].filter(Boolean).join(" "))
      : undefined,
    // Since when it is so: an account that was frozen or erased on another device.
    error.since ? element("p", {class: "soft"}, new Date(error.since).toLocaleString(language())) : undefined,
    actions(mayRetry ? button(say("retry"), again) : undefined,
      button(say("other_way"), () => show(welcome), "plain")));
}

// Runs a step; what it throws is shown, with a way to do it again.
const step = (act, again = act) => async (...given) => {
  try { await act(...given); } catch (error) { show(failed, error, again && (() => step(again)(...given))); }
};

// MARK: the number

function welcome() {
  screen(say("login_title"), "welcome", element("p", {}, say("welcome_text")), actions(
    remembered ? button(say("login_title"), step(() => begin({purpose: "login", remembered}))) : undefined,
    button(say("with_number"), step(number), remembered ? "plain" : "")));
}

async function number() {
  const prefetched = await client.prefetch();
  const shownAt = Math.round(client.now);
  show(numberScreen, prefetched, shownAt);
}

function numberScreen({trace, scrip, nonce, maskedNumber, page, policyVersion}, shownAt) {
  let tickedAt;
  const go = step(async () => {
    const content = {
      drawnBy: "app", language: language(), policyVersion,
      texts: [{role: "title", text: say("login_title")}, {role: "number", text: "{number}"},
        {role: "slogan", text: page.slogan}, {role: "terms", text: say("agree", page.termsTitle)},
        {role: "loginButton", text: say("one_tap")}],
      links: [{title: page.termsTitle, url: page.termsURL}]};
    const consent = await client.consent({trace, bond: scrip, nonce, content, shownAt, tickedAt});
    const {token} = await client.authorize(scrip, consent);
    await begin({purpose: "login", token});
  }, number);
  const tap = button(say("one_tap"), go);
  tap.disabled = true;
  const tick = element("input", {type: "checkbox", onchange: () => {
    tickedAt = Math.round(client.now);
    tap.disabled = !tick.checked;
  }});
  screen(say("login_title"), "number",
    element("p", {class: "number"}, maskedNumber), element("p", {class: "slogan"}, page.slogan),
    element("label", {class: "tick"}, tick, element("span", {},
      ...linked(say("agree", "%@"), page.termsTitle, page.termsURL))),
    actions(tap, button(say("close"), () => show(welcome), "plain")));
}

// A sentence in which a title is a link.
function linked(sentence, title, url) {
  const [before, after] = sentence.split("%@");
  return [before, element("a", {href: url, target: "_blank", rel: "noreferrer"}, title), after ?? ""];
}

// MARK: the session

// `then` follows a face that was shown once more.
async function begin(request, wantsGroups = false, then = undefined) {
  try {
    session = await client.face("begin", {...request, language: language()});
  } catch (error) {
    if (["remembered_account_invalid", "account_erased"].includes(error.code)) await forget();
    throw error;
  }
  session.purpose = request.purpose;
  session.then = then;
  session.wantsGroups = wantsGroups && Boolean(session.groups);
  // Being found in the app's groups: asked when the app is let know the person, and later only when they want it.
  const isFirst = session.groups && session.needs.includes("authorization");
  session.asked = new Set(
    [session.wantsGroups && "groups", ...session.needs, isFirst && "groups"].filter(Boolean));
  next();
}

// Shows the screen for the next need; the order is the server's.
function next() {
  const screens = {consent: consentScreen, face: () => step(look)(), profile: profileScreen,
    authorization: authorizationScreen, groups: groupsConsentScreen};
  const [need] = session.asked;
  if (need) show(screens[need]); else step(session.then ?? finish, null)();
}

const done = need => { session.asked.delete(need); next(); };

function consentScreen() {
  const {terms} = session;
  const shownAt = Math.round(client.now);
  let tickedAt;
  const agree = button(say("consent_agree"), step(async () => {
    const content = {
      drawnBy: "app", language: language(), policyVersion: terms.version,
      texts: [{role: "title", text: say("consent_title")}, {role: "custom", text: say("consent_text")},
        {role: "terms", text: say("agree", terms.title)}, {role: "loginButton", text: say("consent_agree")}],
      links: [{title: terms.title, url: terms.url}]};
    const consent = await client.consent({
      trace: session.trace, bond: session.session, nonce: session.nonce, content, shownAt, tickedAt});
    await client.face("consent", {session: session.session, consent}, {isInSession: true});
    done("consent");
  }));
  agree.disabled = true;
  const tick = element("input", {type: "checkbox", onchange: () => {
    tickedAt = Math.round(client.now);
    agree.disabled = !tick.checked;
  }});
  screen(say("consent_title"), "consent", element("p", {}, say("consent_text")),
    element("label", {class: "tick"}, tick, element("span", {}, ...linked(say("agree", "%@"), terms.title, terms.url))),
    actions(agree, button(say("consent_decline"), () => show(welcome), "plain")));
}

async function look() {
  const place = stage();
  const capture = new Capture(place, {
    say,
    begin: async () => ({
      ...await client.face("challenge", {session: session.session}, {isInSession: true}), session: session.session}),
    send: bytes => client.face("frames", bytes, {type: FRAMES})});
  const title = {attributes: "attributes_title", verify: "confirm_title"}[session.purpose]
    ?? (session.newAccount ? "bind_title" : "login_title");
  screen(say(title), "look", place, actions(button(say("close"), () => { capture.close(); show(welcome); }, "plain")));
  redraw = () => {};
  let answer;
  try {
    await capture.open();
    answer = await capture.run();
  } catch (error) {
    if (!document.contains(place)) return;
    throw error;
  } finally {
    capture.close();
  }
  if (session.purpose === "attributes") show(attributesScreen, answer.attributes); else done("face");
}

function profileScreen() {
  const name = element("input", {type: "text", autocomplete: "name", value: session.name ?? "",
    oninput: event => {
      // Text that an input method is still composing is left alone.
      if (!event.isComposing && name.value !== short(name.value)) name.value = short(name.value);
      session.name = name.value;
      if (name.value.trim() !== "") wrong.textContent = "";
    }});
  const wrong = element("p", {class: "wrong", role: "alert"});
  const portrait = element("img", {class: "portrait", alt: say("portrait"), src: session.portrait ?? blank()});
  const take = element("input", {type: "file", accept: "image/*", hidden: true, onchange: async () => {
    wrong.textContent = "";
    // A refused or unreadable picture is no obstacle.
    try {
      await picture(take.files[0]);
      portrait.src = session.portrait;
    } catch { wrong.textContent = say("picture_unreadable"); }
  }});
  const choose = camera => () => {
    if (camera) take.setAttribute("capture", "user"); else take.removeAttribute("capture");
    take.click();
  };
  screen(say("profile_title"), "profile", portrait,
    element("label", {}, say("name"), name), wrong, take,
    actions(button(say("take_picture"), choose(true), "plain"), button(say("from_album"), choose(false), "plain"),
      element("p", {class: "soft"}, say("profile_hint")),
      button(say("next"), () => {
        if (name.value.trim() === "") { wrong.textContent = say("name_missing"); name.focus(); return; }
        session.name = short(name.value.trim()).trim();
        done("profile");
      })));
}

// As much of a name as the server takes: 64 bytes.
function short(text) {
  const letters = [...text];
  while (new TextEncoder().encode(letters.join("")).length > 64) letters.pop();
  return letters.join("");
}

const blank = () => "data:image/svg+xml," + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="#8e8e93">'
  + '<circle cx="50" cy="38" r="18"/><ellipse cx="50" cy="88" rx="34" ry="28"/></svg>');

// Reduced here: the server takes a small JPEG.
async function picture(file) {
  const image = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const side = Math.min(image.width, image.height);
  canvas.getContext("2d").drawImage(
    image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, 256, 256);
  const blob = await new Promise(resolve => canvas.toBlob(resolve, "image/jpeg", 0.85));
  session.avatar = base64url(await blob.arrayBuffer());
  session.portrait = canvas.toDataURL("image/jpeg", 0.85);
}

function authorizationScreen() {
  const {authorization} = session;
  const shownAt = Math.round(client.now);
  const allow = step(async () => {
    const content = {
      drawnBy: "app", language: language(), policyVersion: authorization.version,
      texts: [{role: "title", text: say("authorize_title", authorization.appName)},
        {role: "custom", text: say("authorize_text")}, {role: "loginButton", text: say("authorize_allow")}],
      links: []};
    session.authorized = await client.consent({
      trace: session.trace, bond: session.session, nonce: session.nonce, content, shownAt,
      tickedAt: Math.round(client.now)});
    done("authorization");
  });
  screen(say("authorize_title", authorization.appName), "authorization", element("p", {}, say("authorize_text")),
    actions(button(say("authorize_allow"), allow), button(say("authorize_deny"), () => show(welcome), "plain")));
}

// A consent of its own, which is optional: without it everything else works.
function groupsConsentScreen() {
  const {groups} = session;
  const shownAt = Math.round(client.now);
  const allow = step(async () => {
    const content = {
      drawnBy: "app", language: language(), policyVersion: groups.version,
      texts: [{role: "title", text: say("groups_title", groups.appName)}, {role: "custom", text: say("groups_text")},
        {role: "loginButton", text: say("authorize_allow")}],
      links: []};
    session.findable = await client.consent({
      trace: session.trace, bond: session.session, nonce: session.nonce, content, shownAt,
      tickedAt: Math.round(client.now)});
    done("groups");
  });
  // A person who came for this has nothing else to finish.
  const decline = () => session.wantsGroups ? show(home) : done("groups");
  screen(say("groups_title", groups.appName), "groups-consent", element("p", {}, say("groups_text")),
    actions(button(say("authorize_allow"), allow), button(say("authorize_deny"), decline, "plain")));
}

async function finish() {
  const answer = await client.face("finish", {
    session: session.session, name: session.name, avatar: session.avatar, authorization: session.authorized,
    groups: session.findable}, {isInSession: true});
  ({grant, userInfo: user, remembered} = answer);
  user.openId = answer.openId;
  await client.drawer.set(`remembered ${settings.app}`, remembered);
  if (session.wantsGroups) await openGroups(); else show(home);
}

// MARK: the account

function home() {
  screen(say("logged_in"), "home",
    element("img", {class: "portrait", alt: say("portrait"), src: user.avatar ?? blank()}),
    element("dl", {}, element("dt", {}, say("name")), element("dd", {class: "name"}, user.name ?? ""),
      element("dt", {}, say("phone")), element("dd", {}, user.phone ?? "")),
    actions(
      button(say("attributes_title"), step(() => begin({purpose: "attributes", accessToken: grant.accessToken}))),
      button(say("settings"), step(openSettings), "plain"),
      button(say("log_out"), step(logOut), "plain")));
}

function attributesScreen(attributes) {
  screen(say("attributes_title"), "attributes", element("p", {class: "soft"}, say("attributes_text")),
    attributeList(attributes), actions(button(say("back"), () => show(home))));
}

// The account's groups, as the server reports them now.
const standing = async () => (await client.face("user", {accessToken: grant.accessToken})).groups;

async function openSettings() { show(settingsScreen, Boolean(await standing())); }

function settingsScreen(hasGroups) {
  screen(say("settings"), "settings", element("p", {}, say("unbind_text")), actions(
    hasGroups ? button(say("groups"), step(openGroups), "plain") : undefined,
    button(say("unbind"), () => show(confirmScreen, "unbind", "cancel", hasGroups), "danger"),
    button(say("erase"), () => show(confirmScreen, "erase", "erase", hasGroups), "danger"),
    button(say("back"), () => show(home), "plain")));
}

async function openGroups() { show(groupsScreen, await standing()); }

// Whether the person may be found in the app's groups, which those are, and the way out of them.
function groupsScreen({agreed, names}) {
  const leave = step(async () => {
    await client.face("leave-groups", {accessToken: grant.accessToken});
    await openGroups();
  });
  screen(say("groups"), "groups", element("p", {}, say(agreed ? "groups_agreed" : "groups_not_agreed")),
    element("p", {class: "soft"}, say(names.length > 0 ? "groups_in" : "groups_none")),
    names.length > 0 ? element("ul", {}, ...names.map(name => element("li", {}, name))) : undefined,
    actions(
      agreed ? undefined : button(say("groups_agree"), step(() => begin({purpose: "login", remembered}, true))),
      agreed || names.length > 0 ? button(say(agreed ? "groups_withdraw" : "groups_leave"), leave, "danger")
        : undefined,
      button(say("back"), () => show(settingsScreen, true), "plain")));
}

function confirmScreen(name, call, hasGroups) {
  const act = async () => {
    let answer;
    try {
      answer = await client.face(call, {accessToken: grant.accessToken});
    } catch (error) {
      if (error.code !== "confirmation_needed") throw error;
      // Irreversible operations require a face that was shown a moment ago.
      return begin({purpose: "verify", accessToken: grant.accessToken}, false, act);
    }
    await forget();
    grant = user = undefined;
    show(unbound, answer.erased ? "erased_text" : answer.keptUntil ? "kept_text" : "unbound_text");
  };
  screen(say(name), "confirm", element("p", {}, say(`${name}_sure`)), actions(
    button(say(name), step(act), "danger"), button(say("back"), () => show(settingsScreen, hasGroups), "plain")));
}

function unbound(text) {
  screen(say("unbound"), "unbound", element("p", {}, say(text)),
    actions(button(say("close"), () => show(welcome))));
}

async function forget() {
  remembered = undefined;
  await client.drawer.remove(`remembered ${settings.app}`);
}

async function logOut() {
  await client.face("logout", {accessToken: grant.accessToken});
  grant = user = undefined;
  show(welcome);
}

languageChoice(() => redraw());
step(async () => {
  client = await Client.open(settings);
  remembered = await client.drawer.get(`remembered ${settings.app}`);
  show(welcome);
})();

/* Benji for web pages: log people in by the number of the phone in their hand. A plain module; it loads nothing and
 * asks no other host. docs/web-login.md explains it.
 *
 *   import { button } from "/benji.js";
 *   button(document.querySelector("#login"));                         // <a id="login" href="/login/start">Log in</a>
 *
 * Two ways. With `start`, the app's own server begins and ends the login (recommended). With `authorize`, this page
 * begins it and hands the app's server a code with all that its exchange needs.
 */
const CHANNEL = "benji-login";
const STORED = "benji-login:";

/** Why the login failed: `code` is `cancelled`, `timeout`, `mistrusted`, or an error code of OpenID Connect. */
export class BenjiError extends Error {
  constructor(code, message = code) {
    super(message);
    this.name = "BenjiError";
    this.code = code;
  }
}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

const withParameters = (address, parameters) => {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url.href;
};

/** An attempt of this page's own: what its return must match, and the address to go to. */
async function begin({ authorize, issuer, clientID, redirectURI, scope = "openid phone", language }) {
  const attempt = { state: random(), nonce: random(), codeVerifier: random(), issuer, redirectURI };
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(attempt.codeVerifier));
  const address = withParameters(authorize, {
    response_type: "code", client_id: clientID, redirect_uri: redirectURI, scope, state: attempt.state,
    nonce: attempt.nonce, code_challenge: base64url(new Uint8Array(hash)), code_challenge_method: "S256",
    ui_locales: language,
  });
  return { id: attempt.state, attempt, address };
}

/** The provider's answer, if it is the answer to this attempt. */
function judged(search, { state, nonce, codeVerifier, issuer, redirectURI }) {
  const answer = new URLSearchParams(search);
  if (answer.get("state") !== state || answer.get("iss") !== issuer) throw new BenjiError("mistrusted");
  const error = answer.get("error");
  if (error) throw new BenjiError(error === "access_denied" ? "cancelled" : error, answer.get("error_description"));
  return { code: answer.get("code"), codeVerifier, nonce, redirectURI };
}

function openWindow() {
  const [width, height] = [430, 720];
  const left = Math.max(0, screenX + (outerWidth - width) / 2);
  const top = Math.max(0, screenY + (outerHeight - height) / 2);
  return open("about:blank", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`);
}

/** The message of the window in which the login runs. A window that is closed without one is a no. */
function answerOf(id, popup, seconds) {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL);
    let closedAt = 0;
    const end = (settle, value) => {
      clearInterval(watch);
      channel.close();
      settle(value);
    };
    const until = Date.now() + seconds * 1000;
    const watch = setInterval(() => {
      // The message may still be on its way when the window is gone.
      if (popup.closed) closedAt ||= Date.now();
      if (closedAt && Date.now() - closedAt > 700) end(reject, new BenjiError("cancelled"));
      else if (Date.now() > until) { popup.close(); end(reject, new BenjiError("timeout")); }
    }, 200);
    channel.onmessage = ({ data }) => { if (data?.id === id) end(resolve, data); };
  });
}

/**
 * Begins a login; call it where the person clicked. `mode` is `popup`, `redirect`, or `auto`: a window where there is
 * room for one. With a redirect the page is left and the promise stays open.
 * With `start` it gives what the app's server let `finish` say; otherwise `{code, codeVerifier, nonce, redirectURI}`.
 */
export async function login({ start, mode = "auto", seconds = 600, ...client }) {
  const hasRoom = matchMedia("(min-width: 700px) and (pointer: fine)").matches;
  // At once: later, browsers take it for an advertisement.
  const popup = mode === "popup" || (mode === "auto" && hasRoom) ? openWindow() : null;
  const way = start ? { id: random(), address: start } : await begin(client).catch((error) => {
    popup?.close();
    throw error;
  });
  if (!popup) {
    if (way.attempt) sessionStorage.setItem(STORED + way.id, JSON.stringify(way.attempt));
    location.assign(way.address);
    return new Promise(() => {});
  }
  const answer = answerOf(way.id, popup, seconds);
  popup.location.replace(start ? withParameters(start, { popup: way.id }) : way.address);
  const { search, result } = await answer;
  if (way.attempt) return judged(search, way.attempt);
  if (result?.error) throw new BenjiError(result.error);
  return result;
}

/** On the page where a login of the app's server ends: notifies the first page, and closes this window. `popup` is
 * the parameter of that name that `start` was called with. */
export function finish(popup, result) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ id: popup, result });
  channel.close();
  close();
}

/** On the page at `redirectURI`, for a login that a page began: in a window it notifies that page and closes; after a
 * redirect it gives the result, and takes the answer out of the address. `null` if there is no answer. */
export function receive() {
  const { search, pathname } = location;
  const state = new URLSearchParams(search).get("state");
  if (!state) return null;
  history.replaceState(null, "", pathname);
  const stored = sessionStorage.getItem(STORED + state);
  sessionStorage.removeItem(STORED + state);
  if (stored) return judged(search, JSON.parse(stored));
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ id: state, search });
  channel.close();
  close();
  return null;
}

/** Makes a button or a link log in. It sends the events `benji:login` (`detail` is the result) and `benji:error`
 * (`detail` is the BenjiError). A link's own address is its `start`. */
export function button(element, options = {}) {
  // A person who comes back by the browser's button finds it unchanged.
  addEventListener("pageshow", () => element.removeAttribute("aria-busy"));
  element.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    let name = "benji:login", detail;
    try {
      detail = await login({ start: options.authorize ? undefined : element.href, ...options });
    } catch (error) {
      [name, detail] = ["benji:error", error];
    }
    element.removeAttribute("aria-busy");
    element.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  });
}

/** The reason why a login failed. */
export class BenjiError extends Error {
  /** - `code`: `cancelled`, `timeout`, `mistrusted`, or an error code of OpenID Connect. */
  constructor(code: string, message?: string | null);
  readonly name: "BenjiError";
  readonly code: "cancelled" | "timeout" | "mistrusted" | (string & {});
}

/** Where the login runs: a window, this page by a redirect, or a window where there is room for one. */
export type Mode = "popup" | "redirect" | "auto";

/** Of every login. */
export interface Waiting {
  /** `auto` if it is not given. */
  mode?: Mode;
  /** How long a window is waited for; 600 if it is not given. */
  seconds?: number;
}

/** The app's own server begins and ends the login. */
export interface StartedByServer extends Waiting {
  /** The address of the app's server that begins a login. */
  start: string;
}

/** The page begins the login, and hands the app's server a code with all that its exchange needs. */
export interface StartedByPage extends Waiting {
  start?: undefined;
  /** The provider's address of authorization, such as `https://gateway.example/openid/authorize`. */
  authorize: string;
  issuer: string;
  clientID: string;
  redirectURI: string;
  /** `openid phone` if it is not given. */
  scope?: string;
  /** Of the login page, such as `zh-CN`. */
  language?: string;
}

/** For the app's server: what the exchange needs, after `state` and `iss` were found right. */
export interface CodeResult {
  code: string;
  codeVerifier: string;
  nonce: string;
  redirectURI: string;
}

/** The result that the app's server passes to `finish`. With `error` the login fails with that code. */
export interface ServerResult {
  error?: string;
  [name: string]: unknown;
}

/**
 * Begins a login; call it where the person clicked. With a redirect the page is left and the promise stays open.
 * Rejects with a BenjiError.
 */
export function login<Result = ServerResult>(options: StartedByServer): Promise<Result>;
export function login(options: StartedByPage): Promise<CodeResult>;

/**
 * Ends a login of the app's server: notifies the page that began it, and closes this window. `popup` is the parameter
 * of that name that `start` was called with.
 */
export function finish(popup: string, result: ServerResult): void;

/**
 * Ends, on the page at `redirectURI`, a login that a page began. A window notifies that page and closes. A redirected
 * page gets the result, and drops the answer from its address. `null` if there is no answer. Throws a BenjiError.
 */
export function receive(): CodeResult | null;

/**
 * Makes a button or a link log in. It sends the events `benji:login` (`detail` is the result) and `benji:error`
 * (`detail` is the BenjiError). A link's own address is its `start`.
 */
export function button(element: HTMLAnchorElement, options?: Partial<StartedByServer> | StartedByPage): void;
export function button(element: HTMLElement, options: StartedByServer | StartedByPage): void;

declare global {
  interface HTMLElementEventMap {
    "benji:login": CustomEvent<any>;
    "benji:error": CustomEvent<BenjiError>;
  }
}

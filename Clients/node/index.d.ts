/** The server refused the request, or did not answer it. */
export class BenjiError extends Error {
  /** The result code, such as "token_spent"; "no_answer" if the server was not reached. */
  readonly code: string;
  readonly detail: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The member or header that is wrong. */
  readonly param: string | null;
  /** The login's name in the operator's traces. */
  readonly trace: string | null;
}

export interface Login {
  /** The phone's number in E.164, with its plus sign. */
  number: string;
  /** The person's identifier at your app. It stays the same while the number is theirs. */
  account: string;
  /** The carrier's id in the operator's policy, such as "mobile". */
  carrier: string;
  /** The level of assurance, weakest first. */
  assurance: "sms-upstream" | "sms" | "net" | "net+app" | "net+app+address";
  method: "one-tap" | "sms" | "sms-upstream";
  /** RFC 3339. */
  authenticatedAt: string;
  trace: string;
}

export interface App {
  id: string;
  name: string;
  capabilities: string[];
  leastAssurance: string;
}

export interface Options {
  /**
   * A request with the same key and token has the same answer and is billed once. A key is 1 to 255 visible ASCII
   * characters without spaces. Without one, a random key is used.
   */
  key?: string;
}

/**
 * An app's server at Benji. A request is sent again, at most twice, if no answer came or the status is 502, 503 or 504.
 */
export class BenjiServer {
  /**
   * @param options.timeout the longest wait for one answer, in milliseconds; 10,000 by default
   * @param options.language that of errors; "en" by default
   */
  constructor(options: { url: string; app: string; secret: string; timeout?: number; language?: "en" | "zh" });
  /** Spends a login token and returns the login. */
  redeem(token: string, options?: Options): Promise<Login>;
  /** Spends a verification token and returns whether the number, in E.164 with its plus sign, is the phone's. */
  verify(token: string, number: string, options?: Options): Promise<boolean>;
  /** The app that id and secret belong to. */
  app(): Promise<App>;
}

export interface Event {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** A request is no event of Benji's, or an old one. */
export class NotOurs extends Error {}

/**
 * The event in a request's body, if it is signed with one of `secrets` ("whsec_…") and not older than `tolerance`
 * seconds. `headers` have their names in lower case, as Node.js gives them; `body` are the bytes as they came. An event
 * can come more than once: take each `id` once.
 */
export function readEvent(
  secrets: string[], headers: Record<string, string | string[] | undefined>, body: Uint8Array | string,
  options?: { now?: number; tolerance?: number },
): Event;

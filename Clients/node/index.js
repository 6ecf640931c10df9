// Benji's server API for Node.js 18 and later, without other packages. docs/server-api.md describes the answers.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const attempts = 3;

export class BenjiError extends Error {
  constructor(code, detail, { status = 0, param = null, trace = null } = {}) {
    super(`${code}: ${detail}`);
    this.name = "BenjiError";
    Object.assign(this, { code, detail, status, param, trace });
  }
}

function keepsSecrets(url) {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" ||
    (protocol === "http:" && /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname));
}

export class BenjiServer {
  #url;
  #authorization;
  #timeout;
  #language;

  constructor({ url, app, secret, timeout = 10_000, language = "en" }) {
    if (!keepsSecrets(url)) throw new TypeError("url: must begin with https://; http:// is for this machine alone");
    this.#url = url.replace(/\/+$/, "");
    this.#authorization = "Basic " + Buffer.from(`${app}:${secret}`).toString("base64");
    this.#timeout = timeout;
    this.#language = language;
  }

  redeem(token, { key } = {}) {
    return this.#send("POST", "/v1/tokens/redeem", { token }, key);
  }

  async verify(token, number, { key } = {}) {
    return (await this.#send("POST", "/v1/tokens/verify", { token, number }, key)).isSame;
  }

  app() {
    return this.#send("GET", "/v1/apps/me");
  }

  async #send(method, path, body, key) {
    const headers = {
      Authorization: this.#authorization, Accept: "application/json", "Accept-Language": this.#language,
    };
    if (body) {
      key ??= randomUUID();
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
        throw new TypeError("key: must be 1 to 255 visible ASCII characters without spaces");
      }
      Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": key });
    }
    for (let attempt = 1; ; attempt++) {
      let failure;
      try {
        const answer = await fetch(this.#url + path, {
          method, headers, body: body && JSON.stringify(body), redirect: "manual",
          signal: AbortSignal.timeout(this.#timeout),
        });
        if (answer.ok) return await answer.json();
        const json = await answer.json().catch(() => ({}));
        failure = new BenjiError(json.code ?? "no_answer", json.detail ?? `HTTP status ${answer.status}`, {
          status: answer.status, param: json.param ?? null, trace: json.trace ?? null,
        });
      } catch (error) {
        failure = new BenjiError("no_answer", error.cause?.message ?? error.message);
      }
      if (attempt === attempts || ![0, 502, 503, 504].includes(failure.status)) throw failure;
      await pause(attempt * 1000);
    }
  }
}

export class NotOurs extends Error {}

export function readEvent(secrets, headers, body, { now = Date.now() / 1000, tolerance = 300 } = {}) {
  const [id, sent, signatures] = ["id", "timestamp", "signature"]
    .map((each) => String(headers[`webhook-${each}`] ?? ""));
  if (!id || !/^[0-9]{1,11}$/.test(sent)) throw new NotOurs("the headers of an event are missing");
  if (Math.abs(now - Number(sent)) > tolerance) throw new NotOurs("the event was sent too long ago");
  const bytes = Buffer.from(body);
  const signed = Buffer.concat([Buffer.from(`${id}.${sent}.`), bytes]);
  const given = signatures.split(" ").filter((each) => each.startsWith("v1,"))
    .map((each) => Buffer.from(each.slice(3)));
  for (const secret of secrets) {
    const text = secret.replace(/^whsec_/, "");
    // Buffer skips characters that are not base64, so the text is checked first.
    const key = Buffer.from(/^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : "", "base64");
    if (key.length < 16) throw new TypeError("a callback's secret is missing or cut off");
    const right = Buffer.from(createHmac("sha256", key).update(signed).digest("base64"));
    if (given.some((each) => each.length === right.length && timingSafeEqual(each, right))) {
      const event = JSON.parse(bytes.toString("utf8"));
      if (event.id !== id) throw new NotOurs("the body is another event's");
      return event;
    }
  }
  throw new NotOurs("no signature is right");
}

// A device of the device dialect in a browser (docs/device-dialect.md, docs/superid-dialect.md): a key that cannot
// leave it, proofs, consents. What an SDK does on a phone.

const text = new TextEncoder();
const bytesOf = value => typeof value === "string" ? text.encode(value) : value;

export const base64url = bytes => {
  let binary = "";
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const sha256 = async value => base64url(await crypto.subtle.digest("SHA-256", bytesOf(value)));

// Fields after their lengths, so that no two lists of fields give the same bytes.
function lengthPrefixed(...fields) {
  const parts = fields.map(bytesOf);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let place = 0;
  for (const part of parts) {
    view.setUint32(place, part.length);
    bytes.set(part, place + 4);
    place += 4 + part.length;
  }
  return bytes;
}

export class Refused extends Error {
  constructor(code, detail, since) { super(`${code}: ${detail}`); Object.assign(this, {code, since}); }
}

// The data that this browser keeps: its key, and the account that an app remembers. Never an access token.
class Drawer {
  static open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open("benji-face", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("kept");
      request.onsuccess = () => resolve(new Drawer(request.result));
      request.onerror = () => reject(request.error);
    });
  }
  constructor(database) { this.database = database; }
  run(mode, act) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction("kept", mode);
      const request = act(transaction.objectStore("kept"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }
  get(name) { return this.run("readonly", store => store.get(name)); }
  set(name, value) { return this.run("readwrite", store => store.put(value, name)); }
  remove(name) { return this.run("readwrite", store => store.delete(name)); }
}

export class Client {
  // `appKey` may be empty for an app whose phones have no key.
  static async open({app, bundle, appKey}) {
    const client = new Client();
    Object.assign(client, {app, bundle, appKey, offset: 0, drawer: await Drawer.open()});
    let keys = await client.drawer.get("key");
    if (!keys) {
      keys = await crypto.subtle.generateKey({name: "ECDSA", namedCurve: "P-256"}, false, ["sign", "verify"]);
      await client.drawer.set("key", keys);
    }
    const {kty, crv, x, y} = await crypto.subtle.exportKey("jwk", keys.publicKey);
    Object.assign(client, {key: keys.privateKey, jwk: {kty, crv, x, y}});
    client.thumbprint = await sha256(JSON.stringify({crv, kty, x, y}));
    return client;
  }

  get now() { return Date.now() + this.offset; }

  async sign(header, payload) {
    const part = value => base64url(text.encode(JSON.stringify(value)));
    const signed = `${part({...header, alg: "ES256"})}.${part(payload)}`;
    const signature = await crypto.subtle.sign({name: "ECDSA", hash: "SHA-256"}, this.key, text.encode(signed));
    return `${signed}.${base64url(signature)}`;
  }

  // Posts bytes, or an object as JSON; `needsAppKey` adds the app key's proof.
  async post(path, body, {type = "application/json", needsAppKey = false, isSecondTry = false} = {}) {
    const jti = base64url(crypto.getRandomValues(new Uint8Array(24)));
    const message = needsAppKey && this.appKey ? {...body, appKeyProof: await this.appKeyProof(jti)} : body;
    const bytes = body instanceof Uint8Array ? body : text.encode(JSON.stringify(message));
    const proof = await this.sign({typ: "dpop+jwt", jwk: this.jwk}, {
      jti, htm: "POST", htu: location.origin + path, iat: Math.floor(this.now / 1000), bh: await sha256(bytes)});
    let response;
    try {
      response = await fetch(path, {
        method: "POST", body: bytes, headers: {"Content-Type": type, DPoP: proof}, credentials: "omit"});
    } catch { throw new Refused("network", "no answer"); }
    const answer = await response.json();
    if (answer.code === "clock_skew" && answer.serverTime && !isSecondTry) {
      this.offset = answer.serverTime - Date.now();
      return this.post(path, body, {type, needsAppKey, isSecondTry: true});
    }
    if (answer.code !== "success") throw new Refused(answer.code, answer.detail ?? "", answer.since);
    return answer;
  }

  async appKeyProof(jti) {
    const key = await crypto.subtle.importKey(
      "raw", text.encode(this.appKey), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    return base64url(await crypto.subtle.sign(
      "HMAC", key, lengthPrefixed("benji-app-key-v1", this.app, jti, this.thumbprint)));
  }

  // A signed record of the content that was shown and agreed to. `bond` is the scrip or the face session.
  async consent({trace, bond, nonce, content, shownAt, tickedAt}) {
    const {drawnBy, language, policyVersion, texts, links} = content;
    const contentDigest = await sha256(lengthPrefixed(
      "benji-consent-content-v1", drawnBy, language, policyVersion, "unticked",
      String(texts.length), ...texts.flatMap(({role, text}) => [role, text]),
      String(links.length), ...links.flatMap(({title, url}) => [title, url])));
    return this.sign({typ: "benji-consent+jwt"}, {
      app: this.app, trace, scripHash: await sha256(bond), nonceHash: await sha256(nonce),
      content: {...content, initiallyTicked: false}, contentDigest, shownAt, tickedAt, tappedAt: Math.round(this.now)});
  }

  prefetch() {
    return this.post("/device/v1/prefetch", {app: this.app, bundle: this.bundle, dialect: "superid"},
      {needsAppKey: true});
  }

  authorize(scrip, consent) {
    return this.post("/device/v1/authorize", {app: this.app, scrip, purpose: "login", consent});
  }

  // A face login's call; an app token is fetched when there is none, or the server knows it no more.
  async face(name, body, options = {}) {
    const path = `/superid/v1/${name}`;
    if (body instanceof Uint8Array || options.isInSession) return this.post(path, body, options);
    for (const isSecond of [false, true]) {
      this.appToken ??= (await this.post(
        "/superid/v1/app-token", {app: this.app, bundle: this.bundle}, {needsAppKey: true})).appToken;
      try {
        return await this.post(path, {appToken: this.appToken, ...body});
      } catch (error) {
        if (error.code !== "app_token_invalid" || isSecond) throw error;
        this.appToken = undefined;
      }
    }
  }
}

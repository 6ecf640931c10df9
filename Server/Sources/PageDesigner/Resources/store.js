// Storage in the browser: versions by name, and a page in the fragment of a link, which is sent to no server.

const key = name => `benji.designer.${name}`;
const limit = 262144;

export const remembered = name => {
  try { return JSON.parse(localStorage.getItem(key(name)) ?? "null"); } catch { return null; }
};
/** Keeps a value; returns why it could not, or null. */
export function remember(name, value) {
  try {
    localStorage.setItem(key(name), JSON.stringify(value));
    return null;
  } catch (error) { return error.name; }
}

export const versions = () => {
  const kept = remembered("versions");
  return Array.isArray(kept) ? kept.filter(one => typeof one?.name === "string" && typeof one.text === "string") : [];
};

const base64url = bytes => {
  let text = "";
  for (let start = 0; start < bytes.length; start += 4096)
    text += String.fromCharCode(...bytes.subarray(start, start + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

export async function digestOf(text) {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    count += value.length;
    // A link of a few letters could otherwise fill the memory.
    if (count > limit) throw new Error("too large");
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** The fragment of a link that holds a description. */
export async function packed(text) {
  return "#p=" + base64url(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)));
}

/** The description in a fragment, or null if it holds none. Throws if it cannot be read. */
export async function unpacked(fragment) {
  const match = /^#p=([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!match) return null;
  const bytes = Uint8Array.from(atob(match[1].replaceAll("-", "+").replaceAll("_", "/")),
    letter => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

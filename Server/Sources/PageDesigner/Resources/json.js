// Paths in JSON: reading, writing, and where in a text they stand.

export const parts = path => path.replace(/\[(\d+)\]/g, ".$1").split(".").filter(Boolean)
  .map(part => (/^\d+$/.test(part) ? Number(part) : part));

export function at(value, path) {
  for (const part of parts(path)) value = value?.[part];
  return value;
}

/** A copy with the value at that path; `undefined` takes it away, and objects that are then empty. */
export function setting(root, path, value) {
  const copy = structuredClone(root);
  const names = parts(path);
  const last = names.pop();
  const trail = [];
  let place = copy;
  for (const [index, name] of names.entries()) {
    if (place[name] === undefined) {
      if (value === undefined) return copy;
      place[name] = typeof (names[index + 1] ?? last) === "number" ? [] : {};
    }
    trail.push([place, name]);
    place = place[name];
  }
  if (value !== undefined) place[last] = value;
  else if (Array.isArray(place)) place.splice(last, 1);
  else delete place[last];
  if (value === undefined) {
    for (const [outer, name] of trail.reverse()) {
      if (Array.isArray(outer[name]) || Object.keys(outer[name]).length > 0 || Array.isArray(outer)) break;
      delete outer[name];
    }
  }
  return copy;
}

export const written = object => JSON.stringify(object, null, 2);

/** Line and column, from 1, of an offset into a text. */
export function lineOf(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1).length + 1, offset };
}

/** The offset into a text of a byte of its UTF-8. */
export function offsetOfByte(text, byte) {
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(0, byte)).length;
}

/** Where in a text the value of a path such as `$.terms.items[1].url` begins, or the nearest that is there. Takes
 * well-formed JSON. */
export function offsetOfPath(text, path) {
  const wanted = parts(path.replace(/^\$\.?/, ""));
  let position = 0;
  let found = 0;
  const space = () => { while (/\s/.test(text[position] ?? "")) position += 1; };
  const string = () => {
    const start = position;
    position += 1;
    while (position < text.length && text[position] !== '"') position += text[position] === "\\" ? 2 : 1;
    position += 1;
    return text.slice(start, position);
  };
  function value(depth, isOnPath, isElement) {
    space();
    if (isOnPath && isElement) found = position;
    if (text[position] === '"') { string(); return; }
    if (text[position] === "{" || text[position] === "[") {
      const isObject = text[position] === "{";
      position += 1;
      for (let index = 0; position < text.length; index += 1) {
        space();
        if (text[position] === "}" || text[position] === "]") { position += 1; return; }
        let name = index;
        const start = position;
        if (isObject) {
          try { name = JSON.parse(string()); } catch { return; }
          space();
          position += 1;
        }
        const isNext = isOnPath && depth < wanted.length && wanted[depth] === name;
        if (isNext) found = start;
        value(depth + 1, isNext, !isObject);
        space();
        if (text[position] === ",") position += 1;
      }
      return;
    }
    while (position < text.length && !/[\s,}\]]/.test(text[position])) position += 1;
  }
  value(0, true, true);
  return found;
}

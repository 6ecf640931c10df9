// The page engine in a browser: a request in, a scene and findings out. The .wasm imports nothing, so it can reach
// nothing.
//
//   import { loadPageEngine } from "./benji-page.js";
//   const ask = await loadPageEngine(fetch("benji-page.wasm"));
//   const { scene, findings, error } = ask({ page: { … }, screen: { width: 393, height: 852 } });
//
// Sources/BenjiPageReports/PageRequest.swift declares the members of a request.

/** Loads the engine from a response, a promise of one, or bytes, and returns the function that asks it. */
export async function loadPageEngine(source) {
  const given = await source;
  const bytes = given instanceof ArrayBuffer || ArrayBuffer.isView(given) ? given : await given.arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { memory, benji_page_reserve, benji_page_answer, benji_page_copy } = instance.exports;

  /** Asks with JSON text and gets JSON text: the engine's own bytes. */
  function askText(text) {
    const request = new TextEncoder().encode(text);
    const room = benji_page_reserve(request.length);
    new Uint8Array(memory.buffer, room, request.length).set(request);
    const length = benji_page_answer(request.length);
    const place = benji_page_reserve(length);
    benji_page_copy();
    return new TextDecoder().decode(new Uint8Array(memory.buffer, place, length));
  }

  const ask = request => JSON.parse(askText(JSON.stringify(request)));
  ask.text = askText;
  ask.memory = memory;
  return ask;
}

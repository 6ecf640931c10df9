// Tries the camera and the challenge without an account: nothing is kept.

import {Capture, CameraRefused, ChallengeFailed} from "./capture.js";
import {attributeList, button, element, languageChoice, say, screen, stage} from "./page.js";

let redraw = start;
const show = screenNow => { redraw = screenNow; screenNow(); };

async function call(path, body, type = "application/json") {
  let response;
  try {
    response = await fetch(path, {method: "POST", body, headers: {"Content-Type": type}});
  } catch { throw new ChallengeFailed("network_trouble", 1); }
  const answer = await response.json();
  if (answer.state === "failed") throw new ChallengeFailed(answer.sentence, answer.attemptsLeft);
  if (answer.code !== "success") throw new ChallengeFailed(answer.sentence ?? "trouble", 1);
  return answer;
}

function start() {
  screen(say("trial_title"), "start", element("p", {}, say("trial_text")),
    element("div", {class: "actions"}, button(say("capture_start"), () => show(look))));
}

async function look() {
  const place = stage();
  const capture = new Capture(place, {
    say,
    begin: () => call("/face/trial/challenge", "{}"),
    send: bytes => call("/face/trial/frames", bytes, "application/vnd.benji.face-frames")});
  const stop = button(say("close"), () => { capture.close(); show(start); }, "plain");
  screen(say("login_title"), "look", place, element("div", {class: "actions"}, stop));
  redraw = () => {};
  const isHere = () => document.contains(place);
  try {
    await capture.open();
    const answer = await capture.run();
    capture.close();
    if (isHere()) show(() => passed(answer.attributes));
  } catch (error) {
    capture.close();
    if (isHere()) show(() => failed(error));
  }
}

function passed(attributes) {
  screen(say("passed"), "passed", element("p", {class: "soft"}, say("attributes_text")), attributeList(attributes),
    element("div", {class: "actions"}, button(say("retry"), () => show(look))));
}

function failed(error) {
  const isCamera = error instanceof CameraRefused;
  const isKnown = isCamera || error instanceof ChallengeFailed;
  if (!isKnown) console.error(error);
  screen(say(isCamera ? "camera_refused_title" : "try_again"), "failed",
    element("p", {class: "wrong", role: "alert"}, say(isKnown ? error.sentence : "trouble")),
    isCamera ? element("p", {class: "soft"}, `(${error.code})`) : undefined,
    element("div", {class: "actions"}, button(say("retry"), () => show(look))));
}

languageChoice(() => redraw());
start();

// The camera, the ring around the face, and the way of frames to the server. It decides nothing about faces: the server
// says what to do next, in names of sentences.

const WIDTH = 640, HEIGHT = 480, QUALITY = 0.85;
const ARROWS = {turn_left: "left", turn_right: "right", blink: "eyes", open_mouth: "mouth"};

export class CameraRefused extends Error {
  // SuperID's document has one code for a camera that may not be used: -1004.
  constructor(sentence) { super(sentence); this.sentence = sentence; this.code = -1004; }
}

export class ChallengeFailed extends Error {
  constructor(sentence, attemptsLeft) { super(sentence); this.sentence = sentence; this.attemptsLeft = attemptsLeft; }
}

export class Capture {
  // `begin()` gives a challenge as the server answers it; `send(bytes)` posts frames and gives the answer.
  constructor(stage, {say, begin, send}) {
    this.stage = stage;
    this.say = say;
    this.begin = begin;
    this.send = send;
    this.video = stage.querySelector("video");
    this.prompt = stage.querySelector(".prompt");
    this.hint = stage.querySelector(".hint");
    this.ring = stage.querySelector(".done");
    this.canvas = document.createElement("canvas");
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    this.frames = [];
    this.wake = () => {};
  }

  async open() {
    if (!navigator.mediaDevices?.getUserMedia) throw new CameraRefused("camera_missing");
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        audio: false, video: {facingMode: "user", width: {ideal: WIDTH}, height: {ideal: HEIGHT}}});
    } catch (error) {
      const isMissing = ["NotFoundError", "OverconstrainedError"].includes(error.name);
      throw new CameraRefused(isMissing ? "camera_missing" : "camera_refused_browser");
    }
    this.video.srcObject = this.stream;
    await this.video.play();
  }

  close() {
    this.isOver = true;
    clearInterval(this.timer);
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.video.srcObject = null;
    this.wake();
  }

  // One challenge from its beginning to the last answer. Throws ChallengeFailed.
  async run() {
    this.isOver = false;
    this.frames = [];
    const challenge = await this.begin();
    const begun = performance.now();
    this.show(challenge.step);
    this.timer = setInterval(() => this.take(begun, challenge), challenge.pace);
    this.watch();
    try {
      return await this.post(challenge);
    } finally {
      this.isOver = true;
      clearInterval(this.timer);
    }
  }

  // A camera slower than the pace would give one picture twice.
  watch() {
    this.isFresh = !this.video.requestVideoFrameCallback;
    const note = () => {
      this.isFresh = true;
      if (!this.isOver) this.video.requestVideoFrameCallback?.(note);
    };
    this.video.requestVideoFrameCallback?.(note);
  }

  take(begun, challenge) {
    if (this.isOver || !this.isFresh || this.isTaking || this.video.readyState < 2) return;
    this.isFresh = !this.video.requestVideoFrameCallback;
    this.isTaking = true;
    const at = Math.round(performance.now() - begun);
    // The middle of the picture in the size that the server asks for, not mirrored.
    const {videoWidth: width, videoHeight: height} = this.video;
    const scale = Math.max(WIDTH / width, HEIGHT / height);
    const [w, h] = [WIDTH / scale, HEIGHT / scale];
    this.canvas.getContext("2d").drawImage(
      this.video, (width - w) / 2, (height - h) / 2, w, h, 0, 0, WIDTH, HEIGHT);
    this.canvas.toBlob(async blob => {
      this.isTaking = false;
      if (!blob || blob.size > challenge.bytesPerFrame || this.isOver) return;
      this.frames.push({at, picture: new Uint8Array(await blob.arrayBuffer())});
      // A slow connection: the oldest count least.
      while (this.frames.length > challenge.framesPerRequest) this.frames.shift();
      this.wake();
    }, "image/jpeg", QUALITY);
  }

  async post(challenge) {
    for (;;) {
      while (this.frames.length === 0 && !this.isOver) await new Promise(resolve => { this.wake = resolve; });
      if (this.isOver) throw new ChallengeFailed("attempt_over", 0);
      const frames = this.frames.splice(0);
      const answer = await this.send(framesBody(challenge, frames));
      if (answer.state === "passed") {
        this.finish();
        return answer;
      }
      if (answer.state === "failed") throw new ChallengeFailed(answer.sentence, answer.attemptsLeft);
      this.show(answer.step);
    }
  }

  show(step) {
    if (step.prompt !== this.shown) {
      this.shown = step.prompt;
      this.stage.dataset.prompt = step.prompt;
      this.stage.dataset.arrow = ARROWS[step.prompt] ?? "";
      this.prompt.textContent = this.say(step.prompt);
      // A person with closed eyes feels it.
      navigator.vibrate?.(40);
    }
    const part = step.count > 0 ? step.done / step.count : 0;
    this.ring.style.setProperty("--part", part);
    this.hintLater(step.hint && step.hint !== step.prompt ? step.hint : "");
  }

  // A hint that lasts only a moment is not shown, and not read out.
  hintLater(hint) {
    if (hint === this.nextHint) return;
    this.nextHint = hint;
    clearTimeout(this.hintTimer);
    this.hintTimer = setTimeout(() => { this.hint.textContent = hint ? this.say(hint) : ""; }, hint ? 500 : 150);
  }

  finish() {
    this.ring.style.setProperty("--part", 1);
    this.stage.dataset.prompt = "passed";
    this.stage.dataset.arrow = "";
    this.hintLater("");
    this.prompt.textContent = this.say("passed");
  }
}

// Four bytes with the length of a JSON head, the head, then the pictures (docs/superid-dialect.md).
export function framesBody({session, challenge}, frames) {
  const head = new TextEncoder().encode(JSON.stringify({
    session, challenge, frames: frames.map(({at, picture}) => ({at, bytes: picture.length}))}));
  const body = new Uint8Array(4 + head.length + frames.reduce((sum, {picture}) => sum + picture.length, 0));
  new DataView(body.buffer).setUint32(0, head.length);
  body.set(head, 4);
  let place = 4 + head.length;
  for (const {picture} of frames) {
    body.set(picture, place);
    place += picture.length;
  }
  return body;
}

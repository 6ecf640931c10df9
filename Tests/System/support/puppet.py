"""A camera for Chromium: a licensed portrait that a program bends while it is looked at."""

import os
import subprocess
import time

from .checks import Stop, end, eventually, folder, run, start
from .server import FACE, ROOT

GESTURES = {"turn_left": "turnLeft", "turn_right": "turnRight", "blink": "blink", "open_mouth": "openMouth"}


class Puppet:
    """FacePuppetCommand, writing one frame of a .y4m file over and over; Chromium reads it again for each picture."""

    def __init__(self, portrait):
        self.file = folder() / "camera.y4m"
        self.seen = set()
        self.process = start(
            [str(self.binary()), self.path(portrait), "--models", f"{FACE}/models", "--y4m", str(self.file)],
            stdin=subprocess.PIPE, text=True)
        if not eventually(lambda: self.file.exists() and self.file.stat().st_size > 100_000, 20):
            raise Stop("the puppet does not move")

    @staticmethod
    def binary():
        binary = ROOT / "Server/.build/debug/FacePuppetCommand"
        if not binary.exists():
            raise Stop(f"{binary} is missing; build it with: make build")
        return binary

    @staticmethod
    def path(portrait):
        path = f"{FACE}/portraits/{portrait}"
        if not os.path.exists(path):
            raise Stop(f"{path} is missing; run: make face-models ARGS=--portraits")
        return path

    @property
    def arguments(self):
        return ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={self.file}"]

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def become(self, portrait):
        self.tell(self.path(portrait))

    def obey(self, browser, seconds=60, until=("passed", "failed"), other=None):
        """Follows the prompts, kept in `seen`, until the page shows another screen. `other` may replace a movement."""
        deadline, told, when = time.monotonic() + seconds, None, 0
        self.seen = set()
        while time.monotonic() < deadline:
            screen, prompt = browser.run(
                "return [document.querySelector('main').dataset.screen,"
                " document.querySelector('.stage')?.dataset.prompt ?? '']")
            if screen in until:
                return screen
            # Once more if it was not seen; not sooner, for then a slow machine would see the second one while it asks
            # for another.
            if prompt != told or time.monotonic() - when > 6:
                told, when = prompt, time.monotonic()
                self.seen.add(prompt)
                word = GESTURES.get(prompt)
                if word:
                    self.tell(other(word) if other else word)
            time.sleep(0.05)
        return "nothing"

    def persist(self, browser, retry, until, attempts=3, refusal=None):
        """As a person does whom the page asks to try again: presses the button that `retry` presses. Gives the last
        screen. A page that says `refusal` has answered, and is not asked again."""
        for left in reversed(range(attempts)):
            screen = self.obey(browser, until=(*until, "failed"))
            if screen in until or not left or (refusal and refusal in browser.text("main")):
                return screen
            print("      once more: " + browser.text("main [role=alert]"), flush=True)
            retry()

    @classmethod
    def pictures(cls, portrait, challenges=6):
        """A folder of pictures, one folder for each prompt: enough for so many challenges."""
        place = folder()
        words = ["lookStraight"] * 2 * challenges + list(GESTURES.values()) * challenges
        done = run([str(cls.binary()), cls.path(portrait), "--models", f"{FACE}/models", "--play", ",".join(words),
                    "--frames", str(place), "--sorted", "--width", "480", "--height", "360"], seconds=200)
        if done.returncode != 0:
            raise Stop(f"FacePuppetCommand: {done.stderr}")
        (place / "lookStraight").rename(place / "look_straight")
        for name, word in GESTURES.items():
            (place / word).rename(place / name)
        return place

    def close(self):
        end(self.process)

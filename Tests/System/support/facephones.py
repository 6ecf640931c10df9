"""A phone with face login, written from docs/superid-dialect.md and docs/openapi/face.yaml alone; pictures take the
camera's place."""

import json
import struct
import time

from .checks import Stop
from .phones import Phone, base64url, content_digest, sha256


class FacePhone(Phone):
    """Its calls are asked as the examples show them."""

    shown = {}  # how many pictures of each prompt any phone has shown: none is shown twice
    FRAMES = "application/vnd.benji.face-frames"

    def __init__(self, examples, pictures, *arguments):
        super().__init__(*arguments, dialect="superid", timeout=60)
        self.examples, self.pictures = examples, pictures

    def call(self, name, status=200, **live):
        """The answer to a call; what varies is told."""
        path = f"/superid/v1/{name}"
        body = self.examples.request("POST", path, live)
        said, answer = self.post(path, body, getattr(self, "named", None))
        if said != status:
            raise Stop(f"{path}: {said} {answer}")
        return self.examples.hear("POST", path, body, said, answer)

    def ask_app_token(self):
        self.named = sha256(str(time.time_ns())).hex()[:32]
        self.app_token = self.call("app-token", app=self.app["id"],
                                   appKeyProof=self.app_key_proof(self.named))["appToken"]
        self.named = None

    def yes(self, begun, version, *texts, links=()):
        """A signed consent record about something that this session was begun with."""
        at = int(self.now * 1000)
        roles = [{"role": "title" if number == 0 else "custom", "text": text} for number, text in enumerate(texts)]
        content = {
            "drawnBy": "app", "language": "zh-Hans", "policyVersion": version,
            "texts": [*roles, {"role": "loginButton", "text": "同意"}],
            "links": [{"title": link["title"], "url": link["url"]} for link in links], "initiallyTicked": False}
        return self.key.sign({"typ": "benji-consent+jwt"}, {
            "app": self.app["id"], "trace": begun["trace"], "scripHash": base64url(sha256(begun["session"])),
            "nonceHash": base64url(sha256(begun["nonce"])), "content": content,
            "contentDigest": content_digest(content),
            "shownAt": at - 2000, "tickedAt": at - 1000, "tappedAt": at})

    def shows_the_face(self, begun):
        """Passes a challenge of the session."""
        for _ in range(3):
            challenge = self.call("challenge", session=begun["session"])
            start, step = time.monotonic(), challenge["step"]
            prompt, due = None, 0.0
            while True:
                if step["prompt"] != prompt:
                    prompt = step["prompt"]
                    # A movement begins with its first picture.
                    self.shown[prompt] = -(-self.shown.get(prompt, 0) // 25) * 25
                time.sleep(max(0, due - (time.monotonic() - start)))
                at = time.monotonic() - start
                due = max(due, at) + challenge["pace"] / 1000
                answer = self.frame(begun["session"], challenge["challenge"], prompt, int(at * 1000))
                if answer["state"] == "passed":
                    return
                if answer["state"] == "failed":
                    print(f"      once more: {answer}", flush=True)
                    break
                step = answer["step"]
        raise Stop("the face does not pass a challenge")

    def frame(self, session, challenge, prompt, at):
        names = sorted((self.pictures / prompt).iterdir())
        picture = names[self.shown[prompt] % len(names)].read_bytes()
        self.shown[prompt] += 1
        path = "/superid/v1/frames"
        head = json.dumps({"session": session, "challenge": challenge, "frames": [{"at": at, "bytes": len(picture)}]})
        data = struct.pack("!I", len(head)) + head.encode() + picture
        name = sha256(data).hex()[:32]
        if self.connection is None:
            self.connection = self.connect()
        self.connection.request("POST", path, data, {
            "Content-Type": self.FRAMES, "DPoP": self.key.proof(self.url + path, data, name, self.now)})
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise Stop(f"{path}: {response.status} {answer}")
        # The prompts are drawn by lot; the end is the same each time.
        return self.examples.hear("POST", path, head, 200, answer) if answer["state"] == "passed" else answer

    def logs_in(self):
        """The answer to the end of a session by one tap: whatever it needs is done."""
        code, token = self.token()
        if code != "success":
            raise Stop(f"one tap: {code}")
        begun = self.call("begin", appToken=self.app_token, token=token)
        terms = begun["terms"]
        self.call("consent", session=begun["session"],
                  consent=self.yes(begun, terms["version"], terms["title"], links=[terms]))
        self.shows_the_face(begun)
        yes = {}
        for name in ("authorization", "groups"):
            asked = begun[name]
            yes[name] = self.yes(begun, asked["version"], f"允许“{asked['appName']}”使用您的账号？")
        return self.call("finish", session=begun["session"], **yes)

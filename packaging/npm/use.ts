// Not packed: how a page calls the module, and what its types refuse. pack-npm.py compiles it where there is a tsc.
import { BenjiError, button, finish, login, receive } from "benji-login";

const link = document.querySelector<HTMLAnchorElement>("#login")!;
button(link);
button(link, { mode: "popup" });
link.addEventListener("benji:login", ({ detail }) => location.assign(detail.next));
link.addEventListener("benji:error", ({ detail }) => console.log(detail.code));

const byServer: Promise<{ next: string }> = login<{ next: string }>({ start: "/login/start" });
const byPage = await login({
  authorize: "https://gw.example/openid/authorize", issuer: "https://id.example", clientID: "300000000001",
  redirectURI: "https://shop.example/done", mode: "redirect", seconds: 60,
});
const verifier: string = byPage.codeVerifier;
const returned = receive();
if (returned) console.log(returned.code, verifier);
finish("popup", { next: "/account" });
try {
  await byServer;
} catch (error) {
  if (error instanceof BenjiError && error.code === "cancelled") console.log(error.message);
}

// @ts-expect-error: neither way is given
login({ mode: "popup" });
// @ts-expect-error: there is no such mode
login({ start: "/login/start", mode: "frame" });
// @ts-expect-error: a button has no address of its own
button(document.createElement("button"));

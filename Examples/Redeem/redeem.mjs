// node redeem.mjs TOKEN
import { createHash, randomUUID } from "node:crypto";

const [app, secret, token] = ["300000000001", "YOUR_SERVER_SECRET", process.argv[2]];
const china = new Date(Date.now() + 8 * 3600_000).toISOString().replace(/\D/g, "");
const body = { appid: app, version: "2.0", msgid: randomUUID().replaceAll("-", ""), systemtime: china,
               strictcheck: "0", token };
body.sign = createHash("md5").update(Object.values(body).join("") + secret).digest("hex");
const answer = await fetch("https://api.example/unisdk/rsapi/loginTokenValidate", {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
console.log(await answer.json());

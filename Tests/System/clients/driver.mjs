// Does what its arguments say with Clients/node: see Tests/System/dialects/test_server_api.py.
import { BenjiError, BenjiServer, NotOurs, readEvent } from "../../../Clients/node/index.js";

const [order, ...words] = process.argv.slice(2);
try {
  if (order === "event") {
    const [secrets, headers, body, now] = words;
    const event = readEvent(secrets.split(" "), JSON.parse(headers), body, { now: Number(now) });
    console.log("ok", event.id, event.type);
  } else {
    const [url, app, secret, token, last] = words;
    const server = new BenjiServer({ url, app, secret });
    if (order === "redeem") {
      const login = await server.redeem(token, { key: last });
      console.log("ok", login.number, login.account, login.assurance, login.method, login.trace);
    } else if (order === "verify") {
      console.log("ok", await server.verify(token, last));
    } else {
      console.log("ok", (await server.app()).id);
    }
  }
} catch (error) {
  if (error instanceof BenjiError) console.log("failure", error.code, error.status, error.param ?? "-");
  else if (error instanceof NotOurs) console.log("not ours");
  else throw error;
}

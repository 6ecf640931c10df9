-- What nginx does for the peer with Redis, before its configuration says where that is: takes the token away and appends
-- a line to the ledger, in one script, then answers with what the token stood for.
local json = require "cjson.safe"
local redis = require "nginx.redis"
local peer = {}

local TAKE = [[
    local held = redis.call("GETDEL", KEYS[1])
    if not held then return false end
    redis.call("XADD", KEYS[2], "*", "app", ARGV[1], "msgid", ARGV[2], "token", KEYS[1])
    return held
]]
local digest

function peer.answer(socket)
    ngx.req.read_body()
    local asked = json.decode(ngx.req.get_body_data() or "")
    if not asked then return ngx.exit(400) end
    local store = redis:new()
    store:set_timeout(5000)
    if not store:connect("unix:" .. socket) then return ngx.exit(503) end
    digest = digest or store:script("load", TAKE)
    local held, problem = store:evalsha(digest, 2, asked.token, "ledger", asked.appid, asked.msgid)
    if problem then return ngx.exit(503) end
    store:set_keepalive(60000, 256)
    if held == ngx.null then
        ngx.status = 410
        held = nil
    end
    local text = json.encode({ inresponseto = asked.msgid, resultCode = held and "103000" or "103113", msisdn = held })
    ngx.header.content_length = #text
    ngx.print(text)
end

return peer

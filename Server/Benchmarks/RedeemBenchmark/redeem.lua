-- Sends each prepared body once: REDEEM_BODIES names a file with one body a line. When all are used it goes on with the
-- last one, and says so at the end; the benchmark then has no result. Without the file it sends one GET again and again.
local requests = {}
sent = 0 -- global, so that done can ask for it
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(args)
    local bodies = os.getenv("REDEEM_BODIES")
    if not bodies then
        requests[1] = wrk.format("GET")
        return
    end
    for body in io.lines(bodies) do
        requests[#requests + 1] = wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body)
    end
end

function request()
    sent = sent + 1
    return requests[math.min(sent, #requests)]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        "result requests %d microseconds %d errors %d sent %d p50 %d p99 %d\n", summary.requests, summary.duration,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout, threads[1]:get("sent"),
        latency:percentile(50), latency:percentile(99)))
end

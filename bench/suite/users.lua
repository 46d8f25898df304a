-- wrk: requests of random users, whose ids are the lines of a file; the summary as JSON.
local ids = {}

function init(args)
  math.randomseed(tonumber(args[2] or "1"))
  for line in io.lines(args[1]) do
    ids[#ids + 1] = (line:gsub("[^%w._~-]", function(c) return string.format("%%%02X", c:byte()) end))
  end
end

function request()
  return wrk.format("GET", "/v1/recommend?user=" .. ids[math.random(#ids)])
end

function done(summary, latency, requests)
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "failed": %d, "p50_ms": %f, "p99_ms": %f}\n', summary.requests,
    summary.duration / 1e6, summary.errors.status + summary.errors.read + summary.errors.write +
    summary.errors.connect + summary.errors.timeout, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

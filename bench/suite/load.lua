-- wrk: lists of random users, whose ids are the lines of a file; without a file, the given path. The summary as JSON.
local function escaped(id)
  return (id:gsub("[^%w._~-]", function(c) return string.format("%%%02X", c:byte()) end))
end

function init(args)
  if not args[1] then return end
  math.randomseed(tonumber(args[2] or "1"))
  local ids = {}
  for line in io.lines(args[1]) do ids[#ids + 1] = escaped(line) end
  -- wrk asks whether this function exists once init is over.
  function request()
    return wrk.format("GET", "/v1/recommend?user=" .. ids[math.random(#ids)])
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "failed": %d, "p50_ms": %f, "p99_ms": %f}\n', summary.requests,
    summary.duration / 1e6, errors.status + errors.read + errors.write + errors.connect + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

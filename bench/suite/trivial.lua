-- wrk: the summary as JSON.
function done(summary, latency, requests)
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "failed": %d, "p50_ms": %f, "p99_ms": %f}\n', summary.requests,
    summary.duration / 1e6, summary.errors.status + summary.errors.read + summary.errors.write +
    summary.errors.connect + summary.errors.timeout, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

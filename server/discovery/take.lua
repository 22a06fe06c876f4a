-- Takes one call out of a bucket. Of a bucket only the moment is kept at which it will be full again: see limiter.ts.
--
-- KEYS  1 the bucket   ARGV  1 calls that a full one holds   2 ms in which it recovers one   3 the time: for tests alone
--
-- Returns 0, or how many ms are missing until a call is free.

local capacity, recovery, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local full = math.max(tonumber(redis.call('GET', KEYS[1])) or now, now) + recovery
local excess = full - now - capacity * recovery
if excess > 0 then return excess end
redis.call('SET', KEYS[1], full, 'PX', full - now)
return 0

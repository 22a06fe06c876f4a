-- Renews the leases of slots, and registers those that were forgotten.
--
-- KEYS  1 the slots of one key
-- ARGV  1 the moment from which on this is no longer true; empty: never   2 the time in ms: for tests alone
--       3 and on: the slots
--
-- Returns the time in ms.

local deadline, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if deadline and now > deadline then return now end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local members = {}
for i = 3, #ARGV do
  members[#members + 1] = now + LEASE_MS
  members[#members + 1] = ARGV[i]
end
redis.call('ZADD', KEYS[1], unpack(members))
redis.call('PEXPIRE', KEYS[1], SLOTS_MS)
return now

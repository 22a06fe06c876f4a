-- Tells what counts against a key's limits now, and changes nothing.
--
-- KEYS  1 the key's window   2 the key's slots
-- ARGV  1 length of the window in ms   2 the time in ms: for tests alone
--
-- Returns { requests counted, slots held }. The window is kept as decide.lua tells.

local PARTS, COUNTERS = 60, 61
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local state = redis.call('HMGET', KEYS[1], 'w', 'n', 'o')
local was, newest, oldest = tonumber(state[1]), tonumber(state[2]), tonumber(state[3])
local part = math.floor(now * PARTS / window)
local was_part = was and math.floor(now * PARTS / was)
local counted = 0

if newest and was_part >= newest - COUNTERS then
  for each = oldest, newest do
    -- In a window of another length a request counts as long as it can be young enough.
    local youngest = math.min((each + 1) * was / PARTS, now)
    local placed = was == window and each or math.floor(youngest * PARTS / window)
    local first = was == window and math.max(part, newest) - PARTS or part - PARTS
    if placed >= first and each >= was_part - PARTS then
      counted = counted + (tonumber(redis.call('HGET', KEYS[1], each % COUNTERS)) or 0)
    end
  end
end

return { counted, redis.call('ZCOUNT', KEYS[2], '(' .. now, '+inf') }

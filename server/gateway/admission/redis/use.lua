-- Tells what counts against a key's limits now, and changes nothing.
--
-- KEYS  1 the key's window   2 the key's slots
-- ARGV  1 length of the window in ms   2 the time in ms: for tests alone
--
-- Returns { requests counted, slots held }. The window is kept, and counted, as decide.lua tells.

local PARTS, COUNTERS, HEAD = 60, 61, 'ddddd'
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local part = math.floor(now * PARTS / window)
local counted = 0

local function count_all(was, newest, first, here)
  if was == window and newest > part + COUNTERS then return end
  if was == window and newest > part then part = newest end
  local first_left = math.floor(now * PARTS / was) - PARTS
  if was == window then first_left = part - PARTS end
  for from = math.max(first, first_left), newest do
    local count = from == newest and here or tonumber(redis.call('HGET', KEYS[1], from % COUNTERS) or 0)
    local to = from
    if was ~= window then to = math.floor(math.min((from + 1) * was / PARTS, now) * PARTS / window) end
    if to >= part - PARTS then counted = counted + count end
  end
end

local head = redis.call('HGET', KEYS[1], 'h')
if head then
  local was, newest, first, _, here = struct.unpack(HEAD, head)
  count_all(was, newest, first, here)
end

return { counted, redis.call('ZCOUNT', KEYS[2], '(' .. now, '+inf') }

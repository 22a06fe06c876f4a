-- Decides over one request in one step: rate, then credits, then concurrency. A refused request takes nothing.
--
-- KEYS  1 the key's window   2 the key's slots   3 the account's balance; all share the hash tag of the account
-- ARGV  1 requests in the window   2 length of the window in ms   3 cap on requests in flight
--       4 the slot to be taken; empty where the rate alone counts
--       5 how many slots of the key the asking node holds already
--       6 the moment from which on nobody waits for the answer any more; empty: never
--       7, 8 what is left of the balance and its sequence, just read from the store; empty: not read
--       9 the time in ms: for tests alone, which can't move the server's clock
--
-- Returns { what was decided, requests counted, ms until the next place is free, slots held, time in ms }.
--
-- The window is the one of sliding-window.ts: 61 counters in a ring, each for a 60th of the window. Field h of the hash
-- holds what nearly every request reads and writes: length of the window, newest part, oldest part that counts, all that
-- counts, and how much of it in the newest part. The counts of older parts are in fields under their place in the ring.
--
-- LEASE_MS, SLOTS_MS, BALANCE_MS and EXHAUSTED_MS are set by scripts.ts, as in the other scripts.

local PARTS, COUNTERS, HEAD = 60, 61, 'ddddd'
local ADMITTED, RATE_LIMITED, CREDITS_EXHAUSTED, CONCURRENCY_REACHED = 0, 1, 2, 3
local BALANCE_UNKNOWN, BALANCE_OLD, SLOTS_FORGOTTEN, TOO_LATE = 4, 5, 6, 7

local limit, window, cap = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local slot, deadline = ARGV[4], tonumber(ARGV[6])
local now = tonumber(ARGV[9])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if deadline and now > deadline then return { TOO_LATE, 0, 0, 0, now } end

local part = math.floor(now * PARTS / window)
local oldest, total, here = part, 0, 0

-- Begins a new part: what has left the window is let go. In a window of another length each request is taken to be as
-- young as it can be.
local function move_on(was, newest, first, count)
  local first_left = math.floor(now * PARTS / was) - PARTS
  local kept, fields = {}, {}
  for counted = first, newest - 1 do fields[#fields + 1] = counted % COUNTERS end
  local counts = #fields > 0 and redis.call('HMGET', KEYS[1], unpack(fields)) or {}
  counts[#fields + 1] = count
  for i, counted in ipairs(counts) do
    local from = first + i - 1
    if counted and counted ~= 0 and from >= first_left then
      local to = from
      if was ~= window then to = math.floor(math.min((from + 1) * was / PARTS, now) * PARTS / window) end
      if to >= part - PARTS then kept[to] = (kept[to] or 0) + tonumber(counted) end
    end
  end
  redis.call('DEL', KEYS[1])
  local values = {}
  for to, counted in pairs(kept) do
    total = total + counted
    oldest = math.min(oldest, to)
    values[#values + 1] = to % COUNTERS
    values[#values + 1] = counted
  end
  here = kept[part] or 0
  if total == 0 then return end
  redis.call('HSET', KEYS[1], 'h', struct.pack(HEAD, window, part, oldest, total, here), unpack(values))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window * COUNTERS / PARTS))
end

local head = redis.call('HGET', KEYS[1], 'h')
if head then
  local was, newest, first, all, count = struct.unpack(HEAD, head)
  -- The server's clock may have been set back: by little, then time stands still; by much, then all begins afresh.
  if was == window and newest > part and newest <= part + COUNTERS then part = newest end
  if was == window and newest == part then
    oldest, total, here = first, all, count
  elseif was ~= window or newest < part then
    move_on(was, newest, first, count)
  end
end

local live = 0
if slot ~= '' then live = redis.call('ZCARD', KEYS[2]) end

local function answer(kind)
  local free = total > 0 and (oldest + COUNTERS) * window / PARTS - now or 0
  return { kind, total, math.ceil(free), live, now }
end

local function count_request()
  total = total + 1
  redis.call('HSET', KEYS[1], 'h', struct.pack(HEAD, window, part, oldest, total, here + 1))
  if total == 1 then redis.call('PEXPIRE', KEYS[1], math.ceil(window * COUNTERS / PARTS)) end
end

if total >= limit then return answer(RATE_LIMITED) end
if slot == '' then
  count_request()
  return answer(ADMITTED)
end

-- The balance is one text: what is left, its sequence, and when it was last known to be right.
local known = redis.call('GET', KEYS[3])
if ARGV[7] ~= '' and (not known or tonumber(ARGV[8]) >= tonumber(known:match(' (%d+) '))) then
  known = ARGV[7] .. ' ' .. ARGV[8] .. ' ' .. now
  redis.call('SET', KEYS[3], known, 'PX', BALANCE_MS)
end
if not known then return answer(BALANCE_UNKNOWN) end
if known:find('^[-0]') then
  local is_old = now - tonumber(known:match('%d+$')) >= EXHAUSTED_MS
  return answer(is_old and ARGV[7] == '' and BALANCE_OLD or CREDITS_EXHAUSTED)
end

if live < tonumber(ARGV[5]) then return answer(SLOTS_FORGOTTEN) end
if live >= cap then
  -- Leases that have lapsed are cleared away when it matters, and whenever others are renewed.
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  live = redis.call('ZCARD', KEYS[2])
  if live >= cap then return answer(CONCURRENCY_REACHED) end
end
redis.call('ZADD', KEYS[2], now + LEASE_MS, slot)
if live == 0 then redis.call('PEXPIRE', KEYS[2], SLOTS_MS) end
live = live + 1
count_request()
return answer(ADMITTED)

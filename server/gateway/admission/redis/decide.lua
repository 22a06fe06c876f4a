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
-- LEASE_MS, BALANCE_MS and EXHAUSTED_MS are set by scripts.ts, as in the other scripts.
--
-- Returns { what was decided, requests counted, ms until the next place is free, slots held, time in ms }.
--
-- The window is the one of sliding-window.ts: 61 counters in a ring, each for a 60th of the window. The hash holds
-- them under their index, and beside them w: length of the window, n: newest part counted in, o: oldest part that
-- still counts, t: all that counts together. So most requests read and write five small fields, whatever the limit.

local PARTS, COUNTERS = 60, 61
local ADMITTED, RATE_LIMITED, CREDITS_EXHAUSTED, CONCURRENCY_REACHED = 0, 1, 2, 3
local BALANCE_UNKNOWN, BALANCE_OLD, SLOTS_FORGOTTEN, TOO_LATE = 4, 5, 6, 7

local limit, window, cap = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local slot, held, deadline = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local now = tonumber(ARGV[9])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if deadline and now > deadline then return { TOO_LATE, 0, 0, 0, now } end

local part = math.floor(now * PARTS / window)
local state = redis.call('HMGET', KEYS[1], 'w', 'n', 'o', 't', part % COUNTERS)
local newest, oldest = tonumber(state[2]), tonumber(state[3])
local total, here = tonumber(state[4]) or 0, tonumber(state[5]) or 0

-- The counters from the oldest part to the newest, in that order; false where nothing was counted.
local function counts()
  local fields = {}
  for counted = oldest, newest do fields[#fields + 1] = counted % COUNTERS end
  return redis.call('HMGET', KEYS[1], unpack(fields))
end

local function start_afresh()
  if newest then redis.call('DEL', KEYS[1]) end
  newest, oldest, total, here = part, part, 0, 0
end

-- The same requests in a window of another length: each is taken to be as young as it can be.
local function resize(was)
  local kept, lowest = {}, part
  local first_left = math.floor(now * PARTS / was) - PARTS
  for i, count in ipairs(counts()) do
    if count and oldest + i - 1 >= first_left then
      local youngest = math.min((oldest + i) * was / PARTS, now)
      local moved = math.floor(youngest * PARTS / window)
      if moved >= part - PARTS then
        kept[moved] = (kept[moved] or 0) + tonumber(count)
        lowest = math.min(lowest, moved)
      end
    end
  end
  start_afresh()
  oldest = lowest
  local fields = {}
  for moved, count in pairs(kept) do
    fields[#fields + 1] = moved % COUNTERS
    fields[#fields + 1] = count
    total = total + count
  end
  here = kept[part] or 0
  if total > 0 then
    redis.call('HSET', KEYS[1], 'w', window, 'n', newest, 'o', oldest, 't', total, unpack(fields))
    redis.call('PEXPIRE', KEYS[1], math.ceil(window * COUNTERS / PARTS))
  end
end

-- Lets go of the parts that have left the window.
local function advance()
  here = 0
  if oldest >= part - PARTS then return end
  local gone, first_left = {}, nil
  for i, count in ipairs(counts()) do
    local counted = oldest + i - 1
    if count and counted < part - PARTS then
      total = total - count
      gone[#gone + 1] = counted % COUNTERS
    elseif count and not first_left then
      first_left = counted
    end
  end
  if not first_left then return start_afresh() end
  oldest = first_left
  redis.call('HDEL', KEYS[1], unpack(gone))
  redis.call('HSET', KEYS[1], 'o', oldest, 't', total)
end

if not newest then
  start_afresh()
elseif tonumber(state[1]) ~= window then
  resize(tonumber(state[1]))
elseif part > newest then
  advance()
elseif part < newest - COUNTERS then
  -- The server's clock was set back by more than the window.
  start_afresh()
elseif part < newest then
  part = newest
  here = tonumber(redis.call('HGET', KEYS[1], part % COUNTERS)) or 0
end

local live = 0
if slot ~= '' then live = redis.call('ZCOUNT', KEYS[2], '(' .. now, '+inf') end

local function answer(kind)
  local free = total > 0 and (oldest + COUNTERS) * window / PARTS - now or 0
  return { kind, total, math.ceil(free), live, now }
end

local function count_request()
  if total == 0 then oldest = part end
  total = total + 1
  redis.call('HSET', KEYS[1], 'w', window, 'n', part, 'o', oldest, 't', total, part % COUNTERS, here + 1)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window * COUNTERS / PARTS))
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

if live < held then return answer(SLOTS_FORGOTTEN) end
if live >= cap then return answer(CONCURRENCY_REACHED) end
redis.call('ZADD', KEYS[2], now + LEASE_MS, slot)
redis.call('PEXPIRE', KEYS[2], LEASE_MS)
live = live + 1
count_request()
return answer(ADMITTED)

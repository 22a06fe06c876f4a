-- Decides over requests of one key that were asked for together, one after another and in one step: of each the rate,
-- then credits, then concurrency. A refused request takes nothing.
--
-- KEYS  1 the key's window   2 the key's slots   3 the account's balance; all share the hash tag of the account
-- ARGV  1 requests in the window   2 length of the window in ms   3 cap on requests in flight
--       4 how many slots of the key the asking node holds already
--       5 the moment from which on nobody waits for the answer any more; empty: never
--       6, 7 what is left of the balance and its sequence, just read from the store; empty: not read
--       8 the time in ms: for tests alone, which can't move the server's clock; else empty
--       9 and on: of each request the slot to be taken; empty where the rate alone counts, then for all of them
--
-- Returns { time in ms, and of each request: what was decided, requests counted, ms until the next place is free, slots
-- held }.
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
local held, deadline, now = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[8])
local FIRST = 9
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if deadline and now > deadline then return { now, TOO_LATE } end

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

local answers = { now }

local function answer(kind, live)
  local free = total > 0 and (oldest + COUNTERS) * window / PARTS - now or 0
  local count = #answers
  answers[count + 1], answers[count + 2], answers[count + 3], answers[count + 4] = kind, total, math.ceil(free), live
end

local counted_before = total

local function count_request()
  total, here = total + 1, here + 1
end

local function keep_count()
  if total == counted_before then return end
  redis.call('HSET', KEYS[1], 'h', struct.pack(HEAD, window, part, oldest, total, here))
  if counted_before == 0 then redis.call('PEXPIRE', KEYS[1], math.ceil(window * COUNTERS / PARTS)) end
end

if ARGV[FIRST] == '' then
  for _ = FIRST, #ARGV do
    local has_room = total < limit
    if has_room then count_request() end
    answer(has_room and ADMITTED or RATE_LIMITED, 0)
  end
  keep_count()
  return answers
end

-- The balance is one text: what is left, its sequence, and when it was last known to be right.
local function judge_balance()
  local known = redis.call('GET', KEYS[3])
  if ARGV[6] ~= '' and (not known or tonumber(ARGV[7]) >= tonumber(known:match(' (%d+) '))) then
    known = ARGV[6] .. ' ' .. ARGV[7] .. ' ' .. now
    redis.call('SET', KEYS[3], known, 'PX', BALANCE_MS)
  end
  if not known then return BALANCE_UNKNOWN end
  if not known:find('^[-0]') then return nil end
  local is_old = now - tonumber(known:match('%d+$')) >= EXHAUSTED_MS
  return is_old and ARGV[6] == '' and BALANCE_OLD or CREDITS_EXHAUSTED
end

local live = redis.call('ZCARD', KEYS[2])
-- What speaks against all of them, unless the rate does before.
local objection = total < limit and judge_balance() or nil
if total < limit and not objection then
  -- Leases that have lapsed are cleared away where not all have room, and whenever others are renewed.
  if live + #ARGV - FIRST >= cap then
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
    live = redis.call('ZCARD', KEYS[2])
  end
  if live < held then objection = SLOTS_FORGOTTEN end
end
local was_empty = live == 0
local taken, lapses = {}, string.format('%d', now + LEASE_MS)

for i = FIRST, #ARGV do
  if total >= limit then
    answer(RATE_LIMITED, live)
  elseif objection then
    answer(objection, live)
  elseif live >= cap then
    answer(CONCURRENCY_REACHED, live)
  else
    taken[#taken + 1] = lapses
    taken[#taken + 1] = ARGV[i]
    live = live + 1
    count_request()
    answer(ADMITTED, live)
  end
end
if #taken > 0 then
  redis.call('ZADD', KEYS[2], unpack(taken))
  if was_empty then redis.call('PEXPIRE', KEYS[2], SLOTS_MS) end
end
keep_count()
return answers

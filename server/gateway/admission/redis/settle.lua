-- Tells of an account's balance after a posting, and gives slots of one of its keys back.
--
-- KEYS  1 the account's balance   2 the key's slots
-- ARGV  1, 2 what is left of the balance and its sequence; empty: not told   3 the time in ms: for tests alone
--       4 and on: the slots; giving one back that is free does nothing

if ARGV[1] ~= '' then
  local known = redis.call('GET', KEYS[1])
  if not known or tonumber(ARGV[2]) >= tonumber(known:match(' (%d+) ')) then
    local now = tonumber(ARGV[3])
    if not now then
      local time = redis.call('TIME')
      now = time[1] * 1000 + math.floor(time[2] / 1000)
    end
    redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. now, 'PX', BALANCE_MS)
  end
end
if ARGV[4] then redis.call('ZREM', KEYS[2], unpack(ARGV, 4)) end
return 0

-- Raises one writer's count in a cell, and the total by the same amount.
-- KEYS[1]: the cell. ARGV: the field of the writer, its count, the lifetime in ms.
-- Returns total, writer's count and the counts of regions (see store.lua) before the change. All checks precede the first write.
local stored = redis.call('HMGET', KEYS[1], ':total', ARGV[1], ':imported', ':regions', ':pushed')
local MAX = 9007199254740992 -- 2^53: numbers are doubles, which are exact up to here
local total, own = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
if not (total and own and 0 <= own and own <= total and total <= MAX and own % 1 + total % 1 == 0) then
  return redis.error_reply('ERR not a total and one of its parts: '
    .. tostring(stored[1]) .. ', ' .. tostring(stored[2]) .. ' in ' .. KEYS[1])
end
local more = tonumber(ARGV[2]) - own
if more > MAX - total then
  return redis.error_reply('ERR the total would exceed 2^53: ' .. ARGV[2] .. ' in ' .. KEYS[1])
end
if more > 0 then
  redis.call('HSET', KEYS[1], ':total', string.format('%.0f', total + more), ARGV[1], ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return stored

-- Reads all fields of a cell. A hash with very many is not read: other commands would wait for it.
-- KEYS[1]: the cell. ARGV: the greatest number of fields to read.
-- Returns names and values of the fields in turn.
local fields = redis.call('HLEN', KEYS[1])
if fields > tonumber(ARGV[1]) then
  return redis.error_reply('ERR too many counts to inspect: ' .. fields .. ' in ' .. KEYS[1])
end
return redis.call('HGETALL', KEYS[1])

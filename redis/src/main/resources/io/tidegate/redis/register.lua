-- Registers a node of a region as alive, or removes it. The first node that can read becomes the reader of the region.
-- KEYS: the nodes, each with the time at which its lifetime ends, and the reader.
-- ARGV: the node, its lifetime in ms (0 removes it), whether it can read ('true' or 'false').
-- Returns the number of live nodes, the reader, and whether the node became the reader by this call.
-- Times are of this server, so that clocks of nodes do not matter.
local reader = redis.call('GET', KEYS[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local leaves = ARGV[2] == '0'
if leaves then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2]) -- all nodes have the same lifetime
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local canRead = ARGV[3] == 'true' and not leaves
local becomesReader = canRead and not reader
if becomesReader or canRead and reader == ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  reader = ARGV[1]
elseif reader == ARGV[1] then
  redis.call('PEXPIRE', KEYS[2], 0) -- deletes it, without one more permission
  reader = false
end
return { tostring(redis.call('ZCARD', KEYS[1])), reader, tostring(becomesReader) }

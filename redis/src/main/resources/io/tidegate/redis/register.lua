-- Registers a node of a region as alive, or removes it.
-- KEYS[1]: the nodes, each with the time at which its lifetime ends. ARGV: the node, its lifetime in ms (0 removes it).
-- Returns the number of live nodes. Times are of this server, so that clocks of nodes do not matter.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '0' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2]) -- all nodes have the same lifetime
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return { tostring(redis.call('ZCARD', KEYS[1])) }

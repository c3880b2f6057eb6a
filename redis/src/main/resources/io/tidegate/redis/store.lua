-- Raises the pushed count of one region in a cell.
-- KEYS[1]: the cell. ARGV: the field of the region, its count, the lifetime in ms.
-- The field is ':pushed' for the region of the cell. Counts of other regions also raise ':imported', their sum, and
-- ':regions', their number. All checks precede the first write.
local stored = redis.call('HMGET', KEYS[1], ARGV[1], ':imported', ':regions')
local MAX = 9007199254740992 -- 2^53: numbers are doubles, which are exact up to here
local part, imported, regions = tonumber(stored[1] or 0), tonumber(stored[2] or 0), tonumber(stored[3] or 0)
local other = ARGV[1] ~= ':pushed'
if not (part and imported and regions and 0 <= part and part <= (other and imported or MAX) and imported <= MAX
    and 0 <= regions and regions <= imported and (regions == 0) == (imported == 0)
    and part % 1 + imported % 1 + regions % 1 == 0) then
  return redis.error_reply('ERR not the count of a region, the sum over other regions and their number: '
    .. tostring(stored[1]) .. ', ' .. tostring(stored[2]) .. ', ' .. tostring(stored[3]) .. ' in ' .. KEYS[1])
end
local more = tonumber(ARGV[2]) - part
if other and more > MAX - imported then
  return redis.error_reply('ERR the sum over other regions would exceed 2^53: ' .. ARGV[2] .. ' in ' .. KEYS[1])
end
if more > 0 and other then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ':imported', string.format('%.0f', imported + more),
    ':regions', string.format('%.0f', part == 0 and regions + 1 or regions))
elseif more > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {}

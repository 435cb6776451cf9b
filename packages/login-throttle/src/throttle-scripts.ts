/** A script with its current time, in milliseconds since 1970. */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Admits an attempt. KEYS: the failures, their expiries, the pending attempts of the user, those of the address.
 * ARGV: the ids of the user and of the address, their limits, the lifetime of pending attempts (s). Returns 0 and
 * counts the attempt as pending, -1 if it has to wait, or the seconds until the failures expire.
 */
export const admission = `${clock}
local blocked, crowded = 0, false
for i = 1, 2 do
  local failures = 0
  local ends = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[i]) or 0)
  if ends > now then failures = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or 0) end
  local pending = math.max(0, tonumber(redis.call('GET', KEYS[2 + i]) or 0))
  local limit = tonumber(ARGV[2 + i])
  if failures >= limit then blocked = math.max(blocked, math.ceil((ends - now) / 1000)) end
  crowded = crowded or failures + pending >= limit
end
if blocked > 0 then return blocked end
if crowded then return -1 end
for i = 3, 4 do
  redis.call('INCR', KEYS[i])
  redis.call('EXPIRE', KEYS[i], ARGV[5])
end
return 0`;

/** Ends a pending attempt. KEYS: pending attempts. The last one deletes the key. */
export const release = `
for i = 1, #KEYS do
  if redis.call('DECR', KEYS[i]) <= 0 then redis.call('DEL', KEYS[i]) end
end`;

/**
 * Counts a failure. KEYS: the failures, their expiries, the bans. ARGV: the id, the lifetime of failures (ms), their
 * limit, the duration of a ban (ms, 0: until the failures expire), the banned subject, the maximum number of ids, and
 * of bans. Returns the duration in seconds of a ban that begins with this failure, or 0.
 *
 * Each call deletes some expired ids, and those that expire first if there are too many. Each key expires with its last
 * element.
 */
export const failure = `${clock}
local function forget(id)
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do forget(id) end

local id, limit, ban = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local ends = tonumber(redis.call('ZSCORE', KEYS[2], id) or 0)
if ends <= now then
  forget(id)
  ends = now + ARGV[2]
end
local failures = redis.call('HINCRBY', KEYS[1], id, 1)
if failures >= limit and ban > 0 then ends = now + ban end
redis.call('ZADD', KEYS[2], ends, id)

local excess = redis.call('ZCARD', KEYS[2]) - ARGV[6]
if excess > 0 then
  for _, first in ipairs(redis.call('ZRANGE', KEYS[2], 0, excess)) do
    if first ~= id and excess > 0 then
      forget(first)
      excess = excess - 1
    end
  end
end
local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], last[2])
redis.call('PEXPIREAT', KEYS[2], last[2])

if failures < limit then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local begun = redis.call('ZADD', KEYS[3], ends, ARGV[5])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - ARGV[7])
local longest = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[3], longest[2])
return begun * math.ceil((ends - now) / 1000)`;

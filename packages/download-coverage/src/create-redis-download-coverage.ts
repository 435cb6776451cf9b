import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { DownloadCoverage } from './download-coverage.ts';

/** How long the sent parts of a file are stored after the last one. */
const keptSeconds = 24 * 3_600;

/** Maximum number of files of one user with stored parts; beyond it, the least recently read file is dropped. */
const filesAtMost = 1_000;

/** Maximum number of separate parts of one file; beyond it, a new separate part is not stored. */
const partsAtMost = 200;

/**
 * KEYS: parts by file (hash, `0-10,20-30`), files by the time of their last part (sorted set). ARGV: the file, start
 * and end of the part, size of the file, maximum number of parts and of files, seconds. Returns 1 when the whole file
 * was sent.
 */
const addition = `
local file, size = ARGV[1], tonumber(ARGV[4])
local parts = { { tonumber(ARGV[2]), tonumber(ARGV[3]) } }
for from, to in string.gmatch(redis.call('HGET', KEYS[1], file) or '', '(%d+)-(%d+)') do
  parts[#parts + 1] = { tonumber(from), tonumber(to) }
end
table.sort(parts, function(one, two) return one[1] < two[1] end)
local merged, texts = {}, {}
for _, part in ipairs(parts) do
  local last = merged[#merged]
  if last and part[1] <= last[2] then last[2] = math.max(last[2], part[2]) else merged[#merged + 1] = part end
end
if merged[1][1] == 0 and merged[1][2] >= size then
  redis.call('HDEL', KEYS[1], file)
  redis.call('ZREM', KEYS[2], file)
  return 1
end
if #merged > tonumber(ARGV[5]) then return 0 end
for i, part in ipairs(merged) do texts[i] = string.format('%.0f-%.0f', part[1], part[2]) end
redis.call('HSET', KEYS[1], file, table.concat(texts, ','))
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] * 1000 + math.floor(now[2] / 1000), file)
if redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[6]) then
  redis.call('HDEL', KEYS[1], redis.call('ZPOPMIN', KEYS[2])[1])
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[7]) end
return 0`;

/**
 * KEYS as above. ARGV: files, each with the milliseconds since it was sent as a whole. Parts sent after that are kept.
 * Ages need no clock shared by all peers.
 */
const removal = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, #ARGV, 2 do
  local latest = redis.call('ZSCORE', KEYS[2], ARGV[i])
  if latest and tonumber(latest) <= now - tonumber(ARGV[i + 1]) then
    redis.call('HDEL', KEYS[1], ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i])
  end
end
return 0`;

/**
 * Whole small files may be read by the hundreds: their versions are gathered for this time, and deleted by one command
 * for each user.
 */
const gatherMs = 50;

/** Stores parts in Redis, shared by all peers. If Redis loses them, nothing else is lost. */
export function createRedisDownloadCoverage(redis: RedisConnection): DownloadCoverage {
  /** By the id of the user, the time at which each version was sent. */
  const wholes = new Map<string, Map<FilesetId, number>>();
  const forgetAll = (): void => {
    for (const [userId, sent] of wholes) {
      const keys = keysOf(userId);
      const aged = [...sent].flatMap(([fileset, at]) => [fileset, Math.floor(performance.now() - at)]);
      // Best effort: see `DownloadCoverage.forget`.
      redis.eval(removal, keys.length, ...keys, ...aged).catch(() => {});
    }
    wholes.clear();
  };
  return {
    forget: ({ user, fileset }) => {
      if (wholes.size === 0) setTimeout(forgetAll, gatherMs).unref();
      const sent = wholes.get(user.id) ?? new Map<FilesetId, number>();
      wholes.set(user.id, sent.set(fileset, performance.now()));
    },
    add: async ({ user, fileset, size }, { start, end }) => {
      // Parts that are about to be deleted must not complete this part.
      if (wholes.get(user.id)?.has(fileset)) forgetAll();
      const keys = keysOf(user.id);
      const bounds = [partsAtMost, filesAtMost, keptSeconds] as const;
      return (await redis.eval(addition, keys.length, ...keys, fileset, start, end, size, ...bounds)) === 1;
    },
  };
}

/** Earlier releases have names of users instead, which have no slash: their keys are other ones, and expire. */
const keysOf = (userId: string) => [`waybill:sent-parts:/${userId}`, `waybill:sent-files:/${userId}`] as const;

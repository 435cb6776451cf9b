import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '@waybill/bench-filebox/quantile';
import { benchUsers, heardFolders } from './bench-configuration.ts';
import { freshFolder, loginOf, makeFolders, smallContent, withSessions, type BenchSetting } from './bench-setting.ts';
import type { SftpSession } from './open-sftp-session.ts';
import type { BenchPlatform } from './start-bench-platform.ts';
import { untilCaughtUp } from './until-caught-up.ts';

/** Milliseconds from the response to an upload's CLOSE. */
export interface Delay {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Between two uploads, so that each finds an idle platform. */
const pauseMs = 60;
const lookEveryMs = 5;
const sessionsAtRate = 8;

/** The delay until a job runs that the upload starts, on an idle platform. */
export async function measureJobStart(setting: BenchSetting, uploads: number): Promise<Delay> {
  await makeHeardFolders(setting);
  const answeredAt = await uploadOneByOne(setting, { user: benchUsers.heard, folder: '/in', uploads });
  return delayOf(answeredAt, await jobStarts(setting));
}

/** The same with so many uploads a second, at even intervals, however long each takes. */
export async function measureJobStartAtRate(
  setting: BenchSetting,
  { uploads, perSecond }: { uploads: number; perSecond: number },
): Promise<Delay> {
  await makeHeardFolders(setting);
  const answeredAt = new Map<string, number>();
  await withSessions(loginOf(setting, benchUsers.heard), sessionsAtRate, async (sessions) => {
    const startedAt = performance.now();
    let next = 0;
    const uploadSome = async (session: SftpSession): Promise<void> => {
      for (let index = next++; index < uploads; index = next++) {
        await delay(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()));
        const path = `/in/rate-${index}.dat`;
        await session.create(path, smallContent);
        // The first files run code that is not compiled yet.
        if (index >= perSecond) answeredAt.set(path, Date.now());
      }
    };
    await Promise.all(sessions.map(uploadSome));
  });
  return delayOf(answeredAt, await jobStarts(setting));
}

const prepared = new WeakSet<BenchPlatform>();

async function makeHeardFolders(setting: BenchSetting): Promise<void> {
  if (prepared.has(setting.platform)) return;
  prepared.add(setting.platform);
  await makeFolders(loginOf(setting, benchUsers.heard), heardFolders);
}

/** The times at which the jobs of files started, by the paths of these. */
async function jobStarts({ platform }: BenchSetting): Promise<Map<string, number>> {
  await untilCaughtUp(platform.db);
  const { rows } = await platform.db.raw<{ rows: { path: string; at: Date }[] }>(
    `SELECT jobs.file->>'path' AS path, history.at FROM jobs.jobs JOIN jobs.history ON history.job_id = jobs.id
     WHERE history.transition = 'start'`,
  );
  return new Map(rows.map(({ path, at }) => [path, at.getTime()]));
}

/** The delay until an upload's audit record can be read. */
export async function measureAuditVisibility(setting: BenchSetting, uploads: number): Promise<Delay> {
  const folder = freshFolder();
  await makeFolders(loginOf(setting, benchUsers.unheard), [folder]);
  await untilCaughtUp(setting.platform.db);
  const seenAt = new Map<string, number>();
  const looking = new AbortController();
  const looked = lookForRecords(setting.platform, seenAt, looking.signal);
  const answeredAt = await uploadOneByOne(setting, { user: benchUsers.unheard, folder, uploads });
  await untilCaughtUp(setting.platform.db);
  await delay(lookEveryMs * 10);
  looking.abort();
  await looked;
  return delayOf(answeredAt, seenAt);
}

async function lookForRecords({ db }: BenchPlatform, seenAt: Map<string, number>, signal: AbortSignal): Promise<void> {
  let last = '0';
  while (!signal.aborted) {
    const { rows } = await db.raw<{ rows: { sequence: string; path: string }[] }>(
      'SELECT sequence, entity_name AS path FROM audit.records WHERE sequence > ? ORDER BY sequence',
      [last],
    );
    for (const { path } of rows) seenAt.set(path, Date.now());
    last = rows.at(-1)?.sequence ?? last;
    await delay(lookEveryMs);
  }
}

async function uploadOneByOne(
  setting: BenchSetting,
  { user, folder, uploads }: { user: string; folder: string; uploads: number },
): Promise<Map<string, number>> {
  const answeredAt = new Map<string, number>();
  await withSessions(loginOf(setting, user), 1, async ([session]) => {
    for (let index = 0; index < uploads; index += 1) {
      const path = `${folder}/${index}.dat`;
      await session?.create(path, smallContent);
      answeredAt.set(path, Date.now());
      await delay(pauseMs + Math.random() * pauseMs);
    }
  });
  return answeredAt;
}

function delayOf(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): Delay {
  const took = [...from].map(([path, at]) => {
    const reachedAt = to.get(path);
    if (reachedAt === undefined) throw new Error(`${path} had no effect`);
    return Math.max(0, reachedAt - at);
  });
  return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), p99: quantile(took, 0.99) };
}

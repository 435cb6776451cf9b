import { setTimeout as delay } from 'node:timers/promises';
import { benchUsers } from './bench-configuration.ts';
import { freshFolder, loginOf, smallContent, withSessions, type BenchSetting } from './bench-setting.ts';
import { partNames, type BenchPlatform, type PartName } from './start-bench-platform.ts';
import { untilCaughtUp } from './until-caught-up.ts';

const idleMs = 10_000;

/** The cost of uploads for each part, in milliseconds of processor time per file. */
export interface ProcessorTimes {
  readonly filesPerSecond: number;
  readonly parts: Readonly<Record<PartName, number>>;
  readonly total: number;
}

/**
 * Uploads small files in this many sessions and adds up the processor time of every process until the last event has
 * taken effect. Logging in is not counted.
 */
export async function measureProcessorTime(setting: BenchSetting, sessions: number): Promise<ProcessorTimes> {
  const { platform, files } = setting;
  return withSessions(loginOf(setting, benchUsers.unheard), sessions, async (opened) => {
    const folders = opened.map(() => freshFolder());
    await Promise.all(opened.map((session, index) => session.makeFolder(folders[index] ?? '')));
    await untilCaughtUp(platform.db);
    const before = await readAll(platform);
    const startedAt = performance.now();
    await Promise.all(
      opened.map(async (session, index) => {
        for (let file = 0; file < files / sessions; file += 1) {
          await session.create(`${folders[index]}/${file}.dat`, smallContent);
        }
      }),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    await untilCaughtUp(platform.db);
    return timesBetween(before, await readAll(platform), { files, filesPerSecond: files / seconds });
  });
}

/** The processor time of each part per idle second, in milliseconds. */
export async function measureIdleTime({ platform }: BenchSetting): Promise<ProcessorTimes> {
  await untilCaughtUp(platform.db);
  const before = await readAll(platform);
  await delay(idleMs);
  return timesBetween(before, await readAll(platform), { files: idleMs / 1_000, filesPerSecond: 0 });
}

type Seconds = Record<PartName, number>;

async function readAll({ processorSeconds }: BenchPlatform): Promise<Seconds> {
  const seconds = await Promise.all(partNames.map(async (part) => [part, await processorSeconds(part)] as const));
  return Object.fromEntries(seconds) as Seconds;
}

function timesBetween(before: Seconds, after: Seconds, run: { files: number; filesPerSecond: number }): ProcessorTimes {
  const perFile = (part: PartName): number => ((after[part] - before[part]) * 1_000) / run.files;
  const parts = Object.fromEntries(partNames.map((part) => [part, perFile(part)])) as Seconds;
  const total = partNames.reduce((sum, part) => sum + parts[part], 0);
  return { filesPerSecond: run.filesPerSecond, parts, total };
}

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareSmallFiles, smallFilePlans, type SmallFilePlan, type SmallFileRun } from '../clients/small-file-run.ts';
import type { FloorFigures, FloorWork } from '../clients/work-at-the-floor.ts';
import { clientProcessorSeconds } from '../processes/read-processor-seconds.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting, Direction } from '../servers/bench-setting.ts';
import { startBareServer } from '../servers/start-bare-server.ts';
import { median } from './compare-rounds.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../clients/work-at-the-floor.ts', import.meta.url));

/** Medians of these are printed, each value from one round. */
interface Tally {
  readonly filesPerSecond: number[];
  /** Processor time of the client's processes per file; empty without a client. */
  readonly clientMs: number[];
  /** Processor time of the server's processes per file, without PostgreSQL's; for the floor, of all its processes. */
  readonly serverMs: number[];
}

/**
 * The minimal cost of small files, independent of the server, in two parts. The work: each is created, written and
 * synced, its folder is synced, and a row is committed to the same PostgreSQL; or it is read, and a row is committed;
 * without a client, SSH, an index or an audit record; and again with the bytes of a put in the row. The transport: a
 * server in Node that responds immediately and does nothing. Besides them the results of the servers, and the processor
 * time of the client on the shared processors.
 */
export async function measureFloor(setting: BenchSetting): Promise<void> {
  const { ours, theirs, serverDir, directions } = setting;
  await ours.db.raw('CREATE TABLE IF NOT EXISTS floor (id uuid PRIMARY KEY, content bytea)');
  await using bare = await startBareServer(join(serverDir, 'bare'));
  const servers = [theirs, ours, bare];
  for (const plan of smallFilePlans(setting)) {
    await using files = await prepareSmallFiles(setting, plan, servers);
    if (!directions.includes('put')) for (const server of servers) await files.move('put', server);
    for (const direction of directions) await measureDirection(setting, { plan, servers, files, direction });
  }
}

interface FloorPlan {
  readonly plan: SmallFilePlan;
  /** OpenSSH's, ours, and the one that does nothing. */
  readonly servers: readonly BenchServer[];
  readonly files: SmallFileRun;
  readonly direction: Direction;
}

async function measureDirection(setting: BenchSetting, { plan, servers, files, direction }: FloorPlan): Promise<void> {
  const { rounds, smallFiles } = setting;
  const floor = newTally();
  const floorInRow = newTally();
  const tallies = servers.map((server) => ({ server, tally: newTally() }));
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    const work = { direction, atATime: plan.sessions };
    await workAtTheFloor(setting, { ...work, keepsIn: 'file' }, round < 0 ? newTally() : floor);
    if (direction === 'put') {
      await workAtTheFloor(setting, { ...work, keepsIn: 'row' }, round < 0 ? newTally() : floorInRow);
    }
    for (const { server, tally } of tallies) {
      await run('sync');
      const before = { client: await clientProcessorSeconds(), server: await server.processorSeconds() };
      const seconds = await files.move(direction, server);
      const client = (await clientProcessorSeconds()) - before.client;
      const used = { seconds, client, server: (await server.processorSeconds()) - before.server };
      if (round >= 0) note(tally, smallFiles, used);
    }
  }
  const title = `${direction} ${smallFiles} files of 4 KiB, ${plan.sessions} at a time`;
  report(title, plan, floor, tallies);
  if (direction === 'put') report(`${title}, each stored in its row`, plan, floorInRow, tallies);
}

function report(
  title: string,
  { budget }: SmallFilePlan,
  floor: Tally,
  tallies: readonly { server: BenchServer; tally: Tally }[],
): void {
  const theirSpeed = median(tallies[0]?.tally.filesPerSecond ?? []);
  const show = (name: string, { filesPerSecond }: Tally): string =>
    `${name} ${median(filesPerSecond).toFixed(0)} (${(median(filesPerSecond) / theirSpeed).toFixed(2)})`;
  const speeds = [...tallies.map(({ server, tally }) => show(server.name, tally)), show('the work alone', floor)];
  const [bare, work] = [tallies.at(-1)?.tally ?? newTally(), floor].map(({ filesPerSecond }) => median(filesPerSecond));
  const inTurn = 1 / (1 / (bare ?? Number.NaN) + 1 / (work ?? Number.NaN));
  console.log(
    `floor of ${title}: ${speeds.join(', ')}, bare server and then the work ${inTurn.toFixed(0)}`,
    `(${(inTurn / theirSpeed).toFixed(2)}) files/s`,
  );
  const used = tallies.map(
    ({ server: { name }, tally }) =>
      `${name} ${median(tally.serverMs).toFixed(2)} and its client ${median(tally.clientMs).toFixed(2)}`,
  );
  const client = Math.min(...tallies.map(({ tally }) => median(tally.clientMs)));
  const least = client + median(tallies.at(-1)?.tally.serverMs ?? []) + median(floor.serverMs);
  const cores = availableParallelism();
  console.log(
    `  ms of a processor for a file: ${used.join(', ')}, the work alone ${median(floor.serverMs).toFixed(2)};`,
    `client, bare server and work ${least.toFixed(2)}, where ${budget} x leaves`,
    `${((cores * 1_000) / (theirSpeed * budget)).toFixed(2)} of ${cores} cores`,
  );
}

/** In a separate process with as many threads for its files as the gateway's. */
async function workAtTheFloor(
  { ours, serverDir, smallFiles: files }: BenchSetting,
  kind: Pick<FloorWork, 'direction' | 'atATime' | 'keepsIn'>,
  tally: Tally,
): Promise<void> {
  const work: FloorWork = { ...kind, databaseUrl: ours.databaseUrl, folder: join(serverDir, 'floor'), files };
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' };
  await run('sync');
  const before = await ours.databaseProcessorSeconds();
  const { stdout } = await run(process.execPath, [program, JSON.stringify(work)], { env });
  const database = (await ours.databaseProcessorSeconds()) - before;
  const { seconds, processorSeconds } = JSON.parse(stdout) as FloorFigures;
  note(tally, files, { seconds, client: 0, server: processorSeconds + database });
}

function newTally(): Tally {
  return { filesPerSecond: [], clientMs: [], serverMs: [] };
}

/** The use is in seconds, for all files together. */
function note(tally: Tally, files: number, used: { seconds: number; client: number; server: number }): void {
  tally.filesPerSecond.push(files / used.seconds);
  tally.clientMs.push((used.client / files) * 1_000);
  tally.serverMs.push((used.server / files) * 1_000);
}

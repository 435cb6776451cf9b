import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessSchema } from '@waybill/access/access-schema';
import { grantsOf } from '@waybill/access/principal';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Change } from '@waybill/directory/apply/change';
import { parseStructure } from '@waybill/directory/checks/check-document';
import { directorySchema } from '@waybill/directory/directory-schema';
import { applyPlan } from '@waybill/directory/plans/apply-plan';
import { makePlan } from '@waybill/directory/plans/make-plan';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { ensureManyFolders } from '@waybill/filebox/entries/ensure-folders';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { manyPartners } from './many-partners.ts';

type Print = (line: string) => void;

/** Plans and applies a configuration of so many partners: all new, unchanged, and with a change of every tenth. */
async function measureConfiguration(count: number, print: Print): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres') });
  cleanUp.defer(() => postgres.stop());
  const db = connectPostgres({ url: postgres.url('waybill'), applicationName: 'bench', statementTimeoutMs: 600_000 });
  cleanUp.defer(() => db.destroy());
  for (const schema of [directorySchema, accessSchema, outboxSchema, fileboxSchema]) await migrate(db, schema);
  print(`${count} partners, each with a user with a key, a VFS, a Connection Contract and a contract`);
  print('                          seconds  processor s: this process  PostgreSQL  resident MB at most');
  const meter = meterOf(postgres.pid, print);
  for (const [title, changed] of [
    ['all new', 0],
    ['unchanged', 0],
    ['a tenth changed', 10],
  ] as const) {
    const planned = await meter(`plan, ${title}`, () => plan(db, manyPartners(count, changed)));
    await meter(`apply, ${title}`, async () => {
      const grants = grantsOf(['Administrators']);
      const { changes = [] } = await applyPlan({ ...partsOf(db), planId: planned, grants });
      await ensureManyFolders(db, foldersOf(changes));
    });
  }
}

function foldersOf(changes: readonly Change[]) {
  const paths = [parseVirtualPath('/inbox'), parseVirtualPath('/outbox')];
  const systems = changes.filter(({ entityType }) => entityType === 'VFS');
  return systems.map(({ entityId }) => ({ vfsId: entityId, paths }));
}

const by = { user: 'bench', nodeId: 'node1', managerName: 'manager1' };

function partsOf(db: Database) {
  return { db, files: { countFiles: (vfsId: string) => countFiles(db, vfsId), setLimits }, by };
}

async function plan(db: Database, document: object): Promise<string> {
  const options = { ...partsOf(db), configuration: parseStructure(document), file: 'bench.json' };
  const made = await makePlan({ ...options, by: { ...by, filled: new Set() } });
  return made.plan.id;
}

function meterOf(postgresPid: number, print: Print) {
  return async <Result>(title: string, run: () => Promise<Result>): Promise<Result> => {
    const [own, store, startedAt] = [process.cpuUsage(), await processorSecondsOfTree(postgresPid), performance.now()];
    const result = await run();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(own);
    const figures = [seconds, (user + system) / 1e6, (await processorSecondsOfTree(postgresPid)) - store];
    const megabytes = (process.resourceUsage().maxRSS / 1_024).toFixed(0);
    print(
      `${title.padEnd(24)} ${figures.map((figure) => figure.toFixed(1).padStart(8)).join('  ')} ${megabytes.padStart(8)}`,
    );
    return result;
  };
}

const [count = '10000'] = process.argv.slice(2);
await measureConfiguration(Number(count), (line) => process.stdout.write(`${line}\n`));

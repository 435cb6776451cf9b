import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { applyConfiguration } from '../src/apply-configuration.ts';
import { planConfiguration } from '../src/plan-configuration.ts';
import { demoPlatform, parse } from './demo-platform.ts';
import { openTestPlatform } from './open-test-platform.ts';

const partnerCount = 300;

test('what a configuration of many partners reads grows with their number, whatever the tables contained when plans were made', async () => {
  const platform = await openTestPlatform();
  onTestFinished(() => platform.close());
  // Few connections: each has plans that PostgreSQL has made for tables of a single page.
  const db = connectPostgres({ url: platform.databaseUrl, applicationName: 'test', poolSize: 2 });
  const { files } = platform;
  const apply = (count: number) =>
    applyConfiguration({ db, configuration: withPartners(count), files, by: { user: 'operator', nodeId: 'node1' } });
  for (const count of [8, 16, 24]) {
    await apply(count);
    await db.raw('ANALYZE');
  }
  const before = await readRows();
  await planConfiguration({ db, configuration: withPartners(partnerCount), files });
  await apply(partnerCount);
  await apply(8);
  // The statistics of a connection are complete when it has ended.
  await db.destroy();
  expect((await readRows()) - before).toBeLessThan(30 * partnerCount);

  async function readRows(): Promise<number> {
    await db.raw('SELECT pg_stat_force_next_flush()').catch(() => {});
    const rows = await platform.query(
      "SELECT sum(seq_tup_read)::int AS read FROM pg_stat_user_tables WHERE schemaname = 'directory'",
    );
    return Number(rows[0]?.['read']);
  }
});

function withPartners(count: number) {
  const { clusters, workflowTemplates } = demoPlatform();
  const managerUsers = [{ name: 'admin', roles: ['Administrators'] }];
  return parse({
    clusters,
    managerUsers,
    workflowTemplates,
    actors: Array.from({ length: count }, (_, at) => partner(`p${at}`)),
  });
}

function partner(name: string): object {
  const vfs = `${name}-files`;
  const grants = [{ user: name, permissions: ['list'] }];
  const trigger = { type: 'NewFile', vfs, virtualPath: '/', filePattern: '*' };
  return {
    name,
    type: 'Partner',
    users: [{ name }],
    virtualFileSystems: [{ name: vfs, acl: [{ path: '/', grants }] }],
    connectionContracts: [{ name: 'sftp', cluster: 'cluster1', server: 'sftp-server', clauses: [{ user: name, vfs }] }],
    contracts: [{ name: `${name}-in`, type: 'Input', actions: [{ name: 'arrived', trigger, workflow: 'pack' }] }],
  };
}

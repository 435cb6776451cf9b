import { accessSchema } from '@waybill/access/access-schema';
import { grantsOf } from '@waybill/access/principal';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import type { FilePorts } from '@waybill/directory/apply/apply-systems';
import type { Change } from '@waybill/directory/apply/change';
import { directorySchema } from '@waybill/directory/directory-schema';
import { planConfiguration } from '@waybill/directory/plan-configuration';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { parse } from './demo-platform.ts';

/** A database of a test's own that configurations can be applied to. */
export interface TestPlatform {
  readonly db: Database;
  readonly databaseUrl: string;
  /** Names of the VFSs that are said to hold files. */
  readonly holding: Set<string>;
  /** What VFSs were given as limits, by their names, in order. */
  readonly limited: [name: string, limits: object | undefined][];
  apply(platform: object): Promise<Change[]>;
  plan(platform: object): Promise<readonly Change[]>;
  /** What configurations do in the filebox. */
  readonly files: FilePorts;
  /** Audit events since the last call, in no order. */
  takeAuditEvents(): Promise<AuditEvent[]>;
  /** All that is stored, with the versions of the rows. */
  snapshot(): Promise<unknown>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const tables = [
  'clusters',
  'servers',
  'roles',
  'manager_users',
  'job_queues',
  'workflow_templates',
  'workflow_revisions',
  'actors',
  'partner_users',
  'virtual_file_systems',
  'acl_rules',
  'connection_contracts',
  'connection_clauses',
  'contracts',
  'contract_actions',
];

/** An administrator who changes this platform. */
export function administratorOf({ db, files }: Pick<TestPlatform, 'db' | 'files'>): EntityWriter {
  return {
    db,
    files,
    by: { user: 'admin', nodeId: 'node1', managerName: 'manager1' },
    rights: { grants: grantsOf(['Administrators']), actors: undefined },
  };
}

/** Opens an empty platform. */
export async function openTestPlatform({ filled }: { filled?: ReadonlySet<string> } = {}): Promise<TestPlatform> {
  const database = await createTestDatabase({
    name: 'directory',
    prepare: async (url) => {
      const fresh = connectPostgres({ url, applicationName: 'prepare' });
      for (const schema of [directorySchema, accessSchema, outboxSchema, secretsSchema]) await migrate(fresh, schema);
      await fresh.destroy();
    },
  });
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  const holding = new Set<string>();
  const countFiles = async (vfsIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const rows = await database.query('SELECT id, name FROM directory.virtual_file_systems WHERE id = ANY ($1)', [
      vfsIds,
    ]);
    return new Map(rows.filter(({ name }) => holding.has(String(name))).map(({ id }) => [String(id), 1]));
  };
  const limited: TestPlatform['limited'] = [];
  const files = {
    countFiles,
    setLimits: async (_trx: unknown, { name, limits }: { name: string; limits: object | undefined }) => {
      limited.push([name, limits]);
    },
  };
  return {
    db,
    databaseUrl: database.url,
    holding,
    limited,
    files,
    apply: (platform) =>
      applyConfiguration({
        db,
        configuration: parse(platform),
        files,
        ...(filled && { filled }),
        by: { user: 'operator', nodeId: 'node1' },
      }),
    plan: (platform) => planConfiguration({ db, configuration: parse(platform), files }),
    takeAuditEvents: async () => {
      const rows = await db<{ payload: AuditEvent }>('outbox.events').delete().returning(['payload']);
      return rows.map(({ payload }) => payload);
    },
    snapshot: () =>
      Promise.all(
        tables.map((table) =>
          database.query(`SELECT t.xmin::text AS version, t.* FROM directory.${table} t ORDER BY t::text`),
        ),
      ),
    query: (sql) => database.query(sql),
    close: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the maintenance database of the PostgreSQL that this run has for itself. */
    waybillTestPostgresUrl: string;
    /** Marks the project whose hashes of passwords cost little (`vitest.config.ts`). */
    waybillPasswordCost: 'low' | undefined;
  }
}

/** Prepares a template database; runs once per run, for any number of test files. */
export interface TestDatabaseTemplate {
  /** Names the template, as in `filebox`: lower-case letters, digits and `_`. */
  readonly name: string;
  /** Brings the empty database at `url` to the state that every copy starts from, and closes its connections. */
  readonly prepare: (url: string) => Promise<void>;
}

/** A database of a test file's own. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Runs one statement and resolves with its rows. */
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Drops the database, and disconnects its users. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the PostgreSQL of this run: a copy of the template, or an empty one. Works in test files of the
 * integration and end-to-end projects, where `start-test-datastores` has run.
 */
export async function createTestDatabase(template?: TestDatabaseTemplate): Promise<TestDatabase> {
  const maintenanceUrl = inject('waybillTestPostgresUrl');
  const name = `test_${template?.name ?? 'empty'}_${randomBytes(6).toString('hex')}`;
  await withClient(maintenanceUrl, async (maintenance) => {
    const source = template === undefined ? 'template0' : await ensureTemplate(maintenance, maintenanceUrl, template);
    // Copying files takes less than half of the time of writing every page to the log.
    await maintenance.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  });
  const url = urlOf(maintenanceUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 1_000, allowExitOnIdle: true });
  // Tests ignore that the server ends idle connections, as another `drop` does.
  pool.on('error', () => {});
  const drop = async (): Promise<void> => {
    await pool.end();
    await withClient(maintenanceUrl, (maintenance) =>
      maintenance.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    );
  };
  return {
    name,
    url,
    query: async (sql, values = []) => (await pool.query<Record<string, unknown>>(sql, [...values])).rows,
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

/** Creates the template unless it exists; with the lock one test file does so while the others wait. */
async function ensureTemplate(
  maintenance: pg.Client,
  maintenanceUrl: string,
  { name, prepare }: TestDatabaseTemplate,
): Promise<string> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a name for a template: ${name}`);
  // A template keeps hashes of passwords, and each its cost: tests with the real one have templates of their own.
  const template = `template_${inject('waybillPasswordCost') ?? 'real'}_${name}`;
  await maintenance.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    const known = await maintenance.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [template]);
    if (known.rowCount === 0) {
      await maintenance.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      await maintenance.query(`CREATE DATABASE ${template} TEMPLATE template0`);
      await prepare(urlOf(maintenanceUrl, template));
      await maintenance.query(`ALTER DATABASE ${template} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    }
  } finally {
    await maintenance.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
  return template;
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function urlOf(maintenanceUrl: string, database: string): string {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

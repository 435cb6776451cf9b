import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { testRoles, urlAs, type TestRole } from '@waybill/test-kit/test-roles';
import { allSchemas } from '../src/database/all-schemas.ts';

/** Migrates a database with its roles, as a superuser. */
export async function migrateAll(url: string): Promise<string[]> {
  const db = connectPostgres({ url, applicationName: 'roles test', poolSize: 2 });
  try {
    return await migrateWithRoles(db, allSchemas, testRoles);
  } finally {
    await db.destroy();
  }
}

/** Runs statements as a role, in one session; returns `done`, or the SQLSTATE of the first that fails. */
export async function attemptAs(url: string, role: TestRole, statements: readonly string[]): Promise<string> {
  const db = connectPostgres({ url: urlAs(role, url), applicationName: 'roles test', poolSize: 1 });
  try {
    for (const statement of statements) await db.raw(statement);
    return 'done';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  } finally {
    await db.destroy();
  }
}

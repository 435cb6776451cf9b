import { fileVariableOf } from '@waybill/service-kit/config/secret-source';
import { type Invocation, UsageError } from '../command.ts';
import { openContextStore } from './contexts.ts';

/** Whether the command line names a platform. */
export function namesPlatform({ values }: Pick<Invocation, 'values'>): boolean {
  return values['url'] !== undefined || values['context'] !== undefined;
}

/**
 * Whether a command is to ask a running platform instead of a database: if the command line names one, and otherwise if there is
 * no DATABASE_URL, but WAYBILL_URL or the login of a manager user. @throws UsageError if there is neither
 */
export async function asksPlatform({ values, env }: Pick<Invocation, 'values' | 'env'>): Promise<boolean> {
  if (namesPlatform({ values })) return true;
  if (env['DATABASE_URL'] || env[fileVariableOf('DATABASE_URL')]) return false;
  if (env['WAYBILL_URL']) return true;
  const hasHome = env['HOME'] || env['XDG_CONFIG_HOME'];
  if (hasHome && (await openContextStore({ env }).read()).current.manager !== undefined) return true;
  throw new UsageError(
    'DATABASE_URL is not set, and no platform is named: log in with `waybill login`, or give --url and --token',
  );
}

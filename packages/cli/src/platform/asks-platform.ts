import { fileVariableOf } from '@waybill/service-kit/config/secret-source';
import type { Invocation } from '../command.ts';
import { openContextStore } from './contexts.ts';

/** Whether the command line names a platform. */
export function namesPlatform({ values }: Pick<Invocation, 'values'>): boolean {
  return values['url'] !== undefined || values['context'] !== undefined;
}

/**
 * Whether a command is to ask a running platform instead of a database: if the command line names one, and otherwise if there is
 * no DATABASE_URL, but WAYBILL_URL or the login of a manager user.
 */
export async function asksPlatform({ values, env }: Pick<Invocation, 'values' | 'env'>): Promise<boolean> {
  if (namesPlatform({ values })) return true;
  if (env['DATABASE_URL'] || env[fileVariableOf('DATABASE_URL')]) return false;
  if (env['WAYBILL_URL']) return true;
  if (!env['HOME'] && !env['XDG_CONFIG_HOME']) return false;
  return (await openContextStore({ env }).read()).current.manager !== undefined;
}

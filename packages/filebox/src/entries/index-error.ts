import { CodedError } from '@waybill/contracts/errors/coded-error';
import { limitErrorOf } from '../model/limit-error.ts';

/** What was read before a change is outdated: read and decide again. */
export class StaleSnapshotError extends Error {
  override readonly name = 'StaleSnapshotError';
}

interface PostgresError {
  code: string;
  constraint?: string;
}

/** Whether another transaction interfered, and a repetition can succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StaleSnapshotError) return true;
  const { code, constraint } = postgresErrorOf(error);
  return code === '40P01' || code === '40001' || (code === '23505' && constraint === 'entries_name');
}

/** Whether the folder to put something in was deleted. */
export function isParentGone(error: unknown): boolean {
  const { code, constraint } = postgresErrorOf(error);
  return code === '23503' && constraint === 'entries_parent_id_fkey';
}

/** Whether a statement found that a condition of its work does not hold, and undid it. */
export function isRefusal(error: unknown): boolean {
  return postgresErrorOf(error).code === 'WBREF';
}

/** Translates an error of the database; an unexpected one is unchanged. */
export function indexError(error: unknown): unknown {
  if (isParentGone(error)) return new CodedError('path_not_found', { cause: error });
  if (postgresErrorOf(error).code === '53100') return new CodedError('storage_full', { cause: error });
  return limitErrorOf(error) ?? error;
}

function postgresErrorOf(error: unknown): PostgresError {
  if (!(error instanceof Error) || !('code' in error)) return { code: '' };
  const constraint = 'constraint' in error ? String(error.constraint) : '';
  return { code: String(error.code), constraint };
}

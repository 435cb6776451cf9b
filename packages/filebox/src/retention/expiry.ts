import type { FileRow } from '../entries/entry-row.ts';

/** The configured times after which files are deleted. `Directory` implements it. */
export interface RetentionRules {
  /** One element for each VFS with a rule. */
  listRetention(): Promise<
    readonly {
      vfsId: string;
      hoursAfterPut: number | undefined;
      /** Since the last complete read. */
      hoursAfterGet: number | undefined;
    }[]
  >;
}

/** One reason to delete files: the condition, as SQL over `filebox.entries`, and the wording of its audit event. */
export interface Expiry {
  kind: 'put' | 'get' | 'date';
  vfsId?: string;
  /** A range of an index, and the column that orders it. */
  due: string;
  order: string;
  bindings: Readonly<Record<string, string | number>>;
  reasonOf(file: FileRow): string;
}

/** All reasons: the expiry date of a file itself, in any VFS, and the rules of VFS. */
export function expiriesOf(retention: Awaited<ReturnType<RetentionRules['listRetention']>>): Expiry[] {
  const ofSystems = retention.flatMap(({ vfsId, hoursAfterPut, hoursAfterGet }) => [
    ...(hoursAfterPut === undefined ? [] : [afterHours('put', vfsId, hoursAfterPut)]),
    ...(hoursAfterGet === undefined ? [] : [afterHours('get', vfsId, hoursAfterGet)]),
  ]);
  return [byDate, ...ofSystems];
}

const byDate: Expiry = {
  kind: 'date',
  due: 'expires_at <= now()',
  order: 'expires_at',
  bindings: {},
  reasonOf: ({ expires_at: expiresAt }) => `EXPIRY_DATE ${expiresAt?.toISOString()}`,
};

function afterHours(kind: 'put' | 'get', vfsId: string, hours: number): Expiry {
  const order = kind === 'put' ? 'put_at' : 'last_read_at';
  const amount = hours === 1 ? '1 hour' : `${hours} hours`;
  return {
    kind,
    vfsId,
    due: `vfs_id = :vfsId AND ${order} <= now() - make_interval(hours => CAST(:hours AS integer))`,
    order,
    bindings: { vfsId, hours },
    reasonOf: () => `${amount} after ${kind === 'put' ? 'put' : 'the last get'}`,
  };
}

import type { ActorScope } from '@waybill/access/principal';
import type { VfsUsageView } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import type { CountedUsage } from '@waybill/filebox/limits/count-usage';

/** Reads what a VFS holds. @throws CodedError `entity_unknown`, also for that of an actor that is not reached */
export type ReadVfsUsage = (name: string, actors: ActorScope) => Promise<VfsUsageView>;

/** What is read of a VFS. */
export interface VfsUsagePorts {
  readonly directory: Pick<Directory, 'findVfsByName' | 'findVfsActor'>;
  /** May be expensive. */
  readonly count: (vfsId: string) => Promise<CountedUsage>;
}

/** How long a count is shown. */
const keptMs = 10_000;

/** A VFS is counted once for all who ask within 10 seconds, and one after the other, so that consoles cannot keep PostgreSQL busy. */
export function createReadVfsUsage({ directory, count }: VfsUsagePorts): ReadVfsUsage {
  const counts = new Map<string, { readonly atMs: number; readonly usage: Promise<CountedUsage> }>();
  let last: Promise<unknown> = Promise.resolve();
  const countOnce = (vfsId: string): Promise<CountedUsage> => {
    const nowMs = performance.now();
    for (const [id, { atMs }] of counts) if (nowMs - atMs > keptMs) counts.delete(id);
    const known = counts.get(vfsId);
    if (known) return known.usage;
    const usage = last.then(() => count(vfsId));
    last = usage.catch(() => counts.delete(vfsId));
    counts.set(vfsId, { atMs: nowMs, usage });
    return usage;
  };
  return async (name, actors) => {
    const [vfs, actor = ''] = await Promise.all([directory.findVfsByName(name), directory.findVfsActor(name)]);
    if (!vfs || (actors && !actors.includes(actor))) {
      throw new CodedError('entity_unknown', { detail: `There is no virtual file system named ${name}` });
    }
    const { used, limits } = await countOnce(vfs.id);
    const amountOf = (kind: keyof typeof limits) => ({ used: used?.[kind] ?? null, limit: limits[kind] ?? null });
    return {
      name: vfs.name,
      actor: actor === '' ? null : actor,
      bytes: amountOf('bytes'),
      files: amountOf('files'),
      folders: amountOf('folders'),
    };
  };
}

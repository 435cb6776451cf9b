import type { Database } from '@waybill/postgres/database';

/** A reservation that exceeds its need. */
interface Reserving {
  trim(): Promise<void>;
}

/**
 * Tracks the uploads of this process that have reserved room ahead, and makes them release it when any process needs
 * it.
 */
export interface QuotaReservations extends Disposable {
  keep(reserving: Reserving, vfsId: string): void;
  forget(reserving: Reserving): void;
}

const lookEveryMs = 200;

/** Creates the tracker. It queries the database only while there is something to release. */
export function createQuotaReservations({ db }: { db: Database }): QuotaReservations {
  const kept = new Map<Reserving, string>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  const look = async (): Promise<void> => {
    const { rows } = await db.raw<{ rows: { vfs_id: string }[] }>(
      'SELECT vfs_id FROM filebox.vfs_limits WHERE vfs_id = ANY (CAST(? AS text[])) AND room_wanted_until > now()',
      [[...new Set(kept.values())]],
    );
    const wanted = new Set(rows.map(({ vfs_id: vfsId }) => vfsId));
    const asked = [...kept].filter(([, vfsId]) => wanted.has(vfsId));
    await Promise.allSettled(asked.map(([reserving]) => reserving.trim()));
  };
  const tick = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    // A failed query is repeated: meanwhile the room is not released.
    await look().catch(() => {});
    looking = false;
  };
  const stopWhenEmpty = (): void => {
    if (kept.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    keep: (reserving, vfsId) => {
      kept.set(reserving, vfsId);
      timer ??= setInterval(() => void tick(), lookEveryMs).unref();
    },
    forget: (reserving) => {
      kept.delete(reserving);
      stopWhenEmpty();
    },
    [Symbol.dispose]: () => {
      kept.clear();
      stopWhenEmpty();
    },
  };
}

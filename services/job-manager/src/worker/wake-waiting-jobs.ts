import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Database } from '@waybill/postgres/database';
import { listFileWaits, wakeJobs } from '../adapters/waits/waiting-jobs.ts';
import { firstFile } from '../adapters/workflows/filebox-job-files.ts';
import type { Duty } from './duties.ts';

/** What looking for files needs. */
export interface FileWaitParts {
  readonly db: Database;
  readonly filebox: Pick<Filebox, 'list'>;
  /** Called when jobs have become ready. */
  readonly onReady: () => void;
}

/** How often files are looked for that jobs wait for. */
const intervalMs = 5_000;

/** Jobs that one statement reads. */
const pageSize = 500;

/**
 * Looks for the files that jobs wait for, and lets those jobs go on. Jobs that wait for the same file cost one look together.
 * Waiting jobs occupy no worker meanwhile.
 */
export function wakingWaitingJobs({ db, filebox, onReady }: FileWaitParts): Duty {
  const work = async (): Promise<void> => {
    const found = new Map<string, boolean>();
    let afterId = 0;
    for (let count = pageSize; count === pageSize;) {
      const waits = await listFileWaits(db, afterId, pageSize);
      const ids: number[] = [];
      for (const { jobId, wait } of waits) {
        const { vfsId, folder, pattern } = wait;
        const key = JSON.stringify([vfsId, folder, pattern]);
        const isThere =
          found.get(key) ?? (await firstFile(filebox, vfsId, parseVirtualPath(folder), pattern)) !== undefined;
        found.set(key, isThere);
        if (isThere) ids.push(jobId);
        afterId = jobId;
      }
      if (ids.length > 0) {
        await wakeJobs(db, ids);
        onReady();
      }
      count = waits.length;
    }
  };
  return { name: 'look for files that jobs wait for', intervalMs, work };
}

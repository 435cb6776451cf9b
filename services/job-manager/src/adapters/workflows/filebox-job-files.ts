import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Origin } from '@waybill/filebox/model/origin';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { Hold } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobFiles, WrittenFile } from '../../domain/workflows/task.ts';
import { isLost, notingEffect } from './noting-effect.ts';

/** The step that uses the files. */
export interface FileUser {
  readonly job: Job;
  readonly hold: Hold;
  readonly position: number;
  /** Of the step, from 1. */
  readonly attempt: number;
}

/**
 * The files of a job's VFS. The statement that delivers a file also notes the effect, and finds that the hold is good: a worker
 * that was taken for dead delivers nothing, and a repeated step delivers nothing twice.
 */
export function createFileboxJobFiles(
  { db, filebox, site }: { db: Database; filebox: Filebox; site: JobSite },
  { job, hold, position, attempt }: FileUser,
): JobFiles {
  const origin = originOf(job, site);
  const vfsOf = (): string => {
    if (job.vfsId !== undefined) return job.vfsId;
    throw new CodedError('job_step_failed', { detail: 'the action names no VFS to work in' });
  };
  return {
    open: async (path) => {
      const download = await filebox.openDownload(vfsOf(), path, { origin });
      return {
        size: download.entry.size,
        fileset: download.entry.fileset,
        content: () => download.stream(),
        [Symbol.asyncDispose]: () => download[Symbol.asyncDispose](),
      };
    },
    // A first attempt has written nothing: had an earlier one, its beginning would be as durable as what it wrote.
    written: async (path) => (attempt > 1 ? await findEffect(db, job, position, path) : undefined),
    write: async (path, content, mediaType) => {
      await using upload = await filebox.beginUpload(vfsOf(), path, { origin, overwrite: true, mediaType });
      let offset = 0;
      for await (const chunk of content) {
        await upload.write(chunk, offset);
        offset += chunk.length;
      }
      const companion = notingEffect(hold, position, path);
      const entry = await upload.commit({ companion }).catch((error: unknown) => {
        throw isLost(error) ? new Interruption('lost') : error;
      });
      return writtenFile(path, entry);
    },
  };
}

function writtenFile(path: VirtualPath, entry: FileEntry): WrittenFile {
  return { path, fileset: entry.fileset, size: String(entry.size), sha256: entry.sha256 };
}

async function findEffect(db: Database, { id }: Job, position: number, name: string): Promise<WrittenFile | undefined> {
  const { rows } = await db.raw<{ rows: { result: WrittenFile }[] }>(
    'SELECT result FROM jobs.effects WHERE job_id = ? AND position = ? AND name = ?',
    [id, position, name],
  );
  return rows[0]?.result;
}

function originOf(job: Job, { managerName, nodeName }: JobSite): Origin {
  return {
    userName: job.submittedBy,
    actorName: job.actor,
    clusterName: managerName,
    peerName: nodeName,
    serverName: 'job-manager',
    protocol: undefined,
    job: { jobId: String(job.id), contract: job.contract, action: job.contractAction, chainDepth: job.chainDepth },
    dfic: job.dfic,
  };
}

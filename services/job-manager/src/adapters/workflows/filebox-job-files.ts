import type { Readable } from 'node:stream';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import { pathOfStored, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Entry } from '@waybill/filebox/model/entry';
import type { Origin } from '@waybill/filebox/model/origin';
import type { Database } from '@waybill/postgres/database';
import { noteBytes } from '@waybill/service-kit/buffer-reclaimer';
import type { JobSite } from '../../config.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobFiles, OpenedFile } from '../../domain/workflows/task.ts';
import { createFileChanges, type FileParts, writtenFile } from './job-file-changes.ts';
import { createJobPlaces, type GrantSource, originAt } from './job-places.ts';
import { createStepEffects, type EffectfulStep } from './step-effects.ts';

/** The step that uses the files. */
export interface FileUser extends EffectfulStep {
  readonly job: Job;
}

/**
 * The files that a job reaches. The transaction that changes a file also notes the effect, and finds that the hold is good: a
 * worker that was taken for dead changes nothing, and a repeated step changes nothing twice.
 */
export function createFileboxJobFiles(
  { db, filebox, directory, site }: { db: Database; filebox: Filebox; directory: GrantSource; site: JobSite },
  { job, ...step }: FileUser,
): JobFiles {
  const reach = createJobPlaces(directory, job);
  const effects = createStepEffects(db, step);
  const parts = { filebox, origin: originOf(job, site), reach, effects };
  return {
    open: (place) => openFile(parts, place),
    written: async (place) => effects.find((await reach(place)).key),
    find: async (place) => {
      const { vfsId, path } = await reach(place, 'list');
      const entry = await filebox.find(vfsId, path);
      return entry && { ...describe(entry), modifiedAt: entry.modifiedAt };
    },
    first: async (folder, pattern) => {
      const { vfsId, path } = await reach(folder, 'list');
      return await firstFile(filebox, vfsId, path, pattern);
    },
    scan: async (folder, { afterName, limit }) => {
      const { vfsId, path } = await reach(folder, 'list');
      const entries = await filebox.scan(vfsId, path, { afterName, limit });
      return entries.flatMap((entry) =>
        entry.kind === 'upload' ? [] : [{ ...describe(entry), modifiedAt: entry.modifiedAt }],
      );
    },
    write: async (place, content, mediaType, options = {}) => {
      const target = await reach(place, 'upload');
      const { overwrite = true, delivers = false } = options;
      const origin = originAt(delivers ? { ...parts.origin, delivers } : parts.origin, target);
      await using upload = await filebox.beginUpload(target.vfsId, target.path, { origin, overwrite, mediaType });
      let offset = 0;
      for await (const chunk of content) {
        await upload.write(chunk, offset);
        noteBytes(chunk.length);
        offset += chunk.length;
      }
      const effect = { name: target.key, path: target.key };
      return writtenFile(target, await effects.make(effect, (companion) => upload.commit({ companion })));
    },
    ...createFileChanges(parts),
  };
}

async function openFile({ filebox, origin, reach }: FileParts, place: FilePlace): Promise<OpenedFile> {
  const from = await reach(place, 'download');
  const download = await filebox.openDownload(from.vfsId, from.path, { origin: originAt(origin, from) });
  const { size, fileset, sha256, mediaType, modifiedAt } = download.entry;
  const streams = new Set<Readable>();
  return {
    size,
    fileset,
    sha256,
    mediaType,
    modifiedAt,
    content: (range) => {
      const stream = download.stream(range);
      streams.add(stream);
      return stream.once('close', () => streams.delete(stream));
    },
    // A read that is under way ends before the file is closed.
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...streams].map(destroyStream));
      await download[Symbol.asyncDispose]();
    },
  };
}

/** The first file of a folder, by name, that matches a pattern. */
export async function firstFile(
  filebox: Pick<Filebox, 'list'>,
  vfsId: string,
  folder: VirtualPath,
  pattern: string,
): Promise<{ path: VirtualPath; name: string; size: string } | undefined> {
  try {
    const { entries } = await filebox.list(vfsId, folder, { pattern, type: 'files', limit: 1 });
    const [entry] = entries;
    if (entry?.kind !== 'file') return undefined;
    return { path: pathOfStored(folder, entry.name), name: entry.name, size: entry.size };
  } catch (error) {
    if (isCodedError(error, 'path_not_found', 'file_not_found', 'not_a_folder')) return undefined;
    throw error;
  }
}

function destroyStream(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => {});
    stream.once('close', resolve);
    stream.destroy();
  });
}

function describe(entry: { kind: 'file'; name: string; size: number } | { kind: 'folder'; name: string } | Entry) {
  return { kind: entry.kind, name: entry.name, size: entry.kind === 'file' ? entry.size : 0 };
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

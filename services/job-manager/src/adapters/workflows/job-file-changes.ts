import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Origin } from '@waybill/filebox/model/origin';
import type { JobFiles, PutOptions, WrittenFile } from '../../domain/workflows/task.ts';
import { originAt, type ReachedPlace, type ReachPlace } from './job-places.ts';
import type { StepEffect, StepEffects } from './step-effects.ts';

/** What the files of a step are made of. */
export interface FileParts {
  readonly filebox: Filebox;
  readonly origin: Origin;
  readonly reach: ReachPlace;
  readonly effects: StepEffects;
}

/** Changes of files that need none of their bytes. */
export function createFileChanges(
  parts: FileParts,
): Pick<JobFiles, 'copy' | 'move' | 'remove' | 'createFolder' | 'setMetadata'> {
  const { filebox, origin, reach, effects } = parts;
  return {
    copy: async (source, target, options) => {
      const [from, to] = [await reach(source, 'download'), await reach(target, 'upload')];
      return copyFile(parts, from, to, options);
    },
    move: async (source, target, options) => {
      const [from, to] = [await reach(source, 'download', 'delete'), await reach(target, 'upload')];
      return from.vfsId === to.vfsId ? renameEntry(parts, from, to, options) : moveAcross(parts, from, to, options);
    },
    remove: async (place, { recursive = false } = {}) => {
      const reached = await reach(place, 'delete');
      const { vfsId, path, key } = reached;
      const earlier = await effects.find(deletionOf(key).name);
      if (earlier) return earlier;
      if ((await filebox.find(vfsId, path))?.kind !== 'folder') return removeFile(parts, reached);
      await effects.make(deletionOf(key), (companion) =>
        filebox.deleteFolder(vfsId, path, { origin: originAt(origin, reached), recursive, companion }),
      );
      return noFile(key);
    },
    createFolder: async (place) => {
      const reached = await reach(place, 'upload');
      const { vfsId, path, key } = reached;
      try {
        await effects.once({ name: `folder ${key}`, path: key }, (companion) =>
          filebox.createFolder(vfsId, path, { origin: originAt(origin, reached), companion }),
        );
        return true;
      } catch (error) {
        if (!isCodedError(error, 'already_exists')) throw error;
        if ((await filebox.find(vfsId, path))?.kind !== 'folder') throw error;
        return false;
      }
    },
    setMetadata: async (place, values) => {
      const reached = await reach(place, 'upload');
      const { vfsId, path, key } = reached;
      const done = await effects.once({ name: `metadata ${key}`, path: key }, (companion) =>
        filebox.setMetadata(vfsId, path, values, { origin: originAt(origin, reached), companion }),
      );
      return 'earlier' in done ? done.earlier : writtenFile({ key }, done.made);
    },
  };
}

function deletionOf(key: string): StepEffect {
  return { name: `delete ${key}`, path: key };
}

/** A folder, as the outputs of a step name it. */
function noFile(path: string): WrittenFile {
  return { path, fileset: '', size: '0', sha256: '' };
}

async function copyFile(
  { filebox, origin: job, effects }: FileParts,
  from: ReachedPlace,
  to: ReachedPlace,
  { overwrite = true, delivers = false }: PutOptions = {},
): Promise<WrittenFile> {
  const effect = { name: to.key, path: to.key };
  const earlier = await effects.find(effect.name);
  if (earlier) return earlier;
  const origin = delivers ? { ...job, delivers } : job;
  await using source = await filebox.openDownload(from.vfsId, from.path, { origin: originAt(origin, from) });
  const { mediaType, metadata } = source.entry;
  await using upload = await filebox.beginUpload(to.vfsId, to.path, {
    origin: originAt(origin, to),
    overwrite,
    mediaType,
    metadata,
  });
  await upload.copyFrom(source);
  return writtenFile(to, await effects.make(effect, (companion) => upload.commit({ companion })));
}

async function removeFile(
  { filebox, origin, effects }: FileParts,
  reached: ReachedPlace,
  check?: (file: FileEntry) => void,
): Promise<WrittenFile> {
  const { vfsId, path, key } = reached;
  const done = await effects.once(deletionOf(key), (companion) =>
    filebox.deleteFile(vfsId, path, { origin: originAt(origin, reached), check, companion }),
  );
  if ('earlier' in done) return done.earlier;
  const { file } = done.made;
  return file ? writtenFile({ key }, file) : noFile(key);
}

async function renameEntry(
  { filebox, origin, effects }: FileParts,
  from: ReachedPlace,
  to: ReachedPlace,
  { overwrite = true }: PutOptions = {},
): Promise<WrittenFile> {
  const done = await effects.once({ name: `rename ${from.key}`, path: to.key }, (companion) =>
    filebox.rename(from.vfsId, from.path, to.path, { origin: originAt(origin, from), overwrite, companion }),
  );
  if ('earlier' in done) return done.earlier;
  const { entry } = done.made;
  return entry?.kind === 'file' ? writtenFile(to, entry) : noFile(to.key);
}

/** The source holds other content than the copy: it is a newer file, and stays. */
class NewerSource extends Error {
  override readonly name = 'NewerSource';
}

async function moveAcross(
  parts: FileParts,
  from: ReachedPlace,
  to: ReachedPlace,
  options: PutOptions = {},
): Promise<WrittenFile> {
  const copied = await copyFile(parts, from, to, options);
  try {
    await removeFile(parts, from, ({ sha256 }) => {
      if (sha256 !== copied.sha256) throw new NewerSource('the source was replaced while it was copied');
    });
  } catch (error) {
    if (!(error instanceof NewerSource) && !isCodedError(error, 'file_not_found', 'path_not_found')) throw error;
  }
  return copied;
}

/** A file as the outputs of a step name it. */
export function writtenFile(
  { key }: Pick<ReachedPlace, 'key'>,
  { fileset, size, sha256 }: Pick<FileEntry, 'fileset' | 'size' | 'sha256'>,
): WrittenFile {
  return { path: key, fileset, size: String(size), sha256 };
}

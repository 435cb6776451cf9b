import { virtualFileSystemSchema } from '@waybill/contracts/configuration/storage-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FilePorts } from '@waybill/directory/apply/apply-systems';
import type { Change } from '@waybill/directory/apply/change';
import type { Definition } from '@waybill/directory/sources/entity-target';
import { listEntities } from '@waybill/directory/sources/list-entities';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { ensureFolders, ensureManyFolders, type WantedFolders } from '@waybill/filebox/entries/ensure-folders';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';
import { z } from 'zod';

/** Where the configuration is written, for the audit log. */
export interface WrittenAt {
  readonly nodeId: string;
  readonly managerName: string;
}

/** What writing the configuration does in the filebox. */
export function filePortsOf(db: Database): FilePorts {
  return { countFiles: (vfsIds) => countFiles(db, vfsIds), setLimits };
}

const foldersSchema = z.object({ folders: virtualFileSystemSchema.shape.folders });

/** Creates the missing folders of a VFS, and returns them. After a crash, a repetition of the request completes it. */
export async function makeFoldersOf(db: Database, vfs: { id: string; definition: Definition }): Promise<string[]> {
  return await ensureFolders(db, vfs.id, foldersSchema.parse(vfs.definition).folders);
}

/** Creates the missing folders of the VFSs that were created or changed, and returns them with their VFS. */
export async function makeFolders(db: Database, changes: readonly Change[]): Promise<string[]> {
  const systems = changes.flatMap(
    ({ change, entityType, entityId: vfsId, entityName: name, definition, definitions }) => {
      const settings = definitions?.after ?? definition;
      if (entityType !== 'VFS' || change === 'deleted' || !settings) return [];
      return [{ vfsId, name, paths: foldersSchema.parse(settings).folders }];
    },
  );
  return await makeEach(db, systems);
}

/** VFSs that are read at once. */
const pageSize = 1_000;

/**
 * Creates the missing folders of the VFSs of a source, and returns them with their VFS: the process that has applied its plan may
 * have ended before it did so.
 */
export async function makeFoldersOfSource(db: Database, source: string): Promise<string[]> {
  const made: string[] = [];
  const query = { entityType: 'VFS', source, descending: false, limit: pageSize } as const;
  let page = await listEntities(db, query);
  while (page.length > 0) {
    const systems = page.map(({ id: vfsId, name, definition }) => ({
      vfsId,
      name,
      paths: foldersSchema.parse(definition).folders,
    }));
    made.push(...(await makeEach(db, systems)));
    page = page.length < pageSize ? [] : await listEntities(db, { ...query, after: page.at(-1) });
  }
  return made;
}

async function makeEach(
  db: Database,
  wanted: readonly (WantedFolders & { readonly name: string })[],
): Promise<string[]> {
  const together = await ensureManyFolders(db, wanted);
  const made: string[] = [];
  for (const { vfsId, name, paths } of wanted) {
    const folders =
      together.get(vfsId) ?? (await ensureFolders(db, vfsId, paths).catch((error: unknown) => explain(error, name)));
    made.push(...folders.map((folder) => `${name}:${folder}`));
  }
  return made;
}

function explain(error: unknown, vfsName: string): never {
  if (!isCodedError(error, 'not_a_folder')) throw error;
  const detail = `The configuration was applied, but ${vfsName}:${error.names['path'] ?? ''} is a file: the folder cannot be created`;
  throw new CodedError('not_a_folder', { detail, cause: error });
}

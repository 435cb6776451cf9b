import type { OwnedSchema } from '@waybill/postgres/migrate';
import { entries } from './migrations/0001-entries.ts';
import { uploads } from './migrations/0002-uploads.ts';
import { folderCounts } from './migrations/0003-folder-counts.ts';
import { unannounced } from './migrations/0004-unannounced.ts';
import { limits } from './migrations/0005-limits.ts';
import { keep } from './migrations/0006-keep.ts';
import { stagedUploads } from './migrations/0007-staged-uploads.ts';
import { folderChanges } from './migrations/0008-folder-changes.ts';
import { uncountedTrees } from './migrations/0009-uncounted-trees.ts';
import { refusals } from './migrations/0010-refusals.ts';
import { countedNames } from './migrations/0011-counted-names.ts';
import { steadyPlans } from './migrations/0012-steady-plans.ts';
import { namesFirst } from './migrations/0013-names-first.ts';
import { wholeTrees } from './migrations/0015-whole-trees.ts';
import { openFiles } from './migrations/0016-open-files.ts';
import { keptPlans } from './migrations/0017-kept-plans.ts';
import { removedFolders } from './migrations/0018-removed-folders.ts';
import { indexedUploads } from './migrations/0019-indexed-uploads.ts';
import { uploadProtocols } from './migrations/0020-upload-protocols.ts';
import { foldersFirst } from './migrations/0021-folders-first.ts';

/** The schema of the file index. */
export const fileboxSchema: OwnedSchema = {
  schema: 'filebox',
  migrations: [
    entries,
    uploads,
    folderCounts,
    unannounced,
    limits,
    keep,
    stagedUploads,
    folderChanges,
    uncountedTrees,
    refusals,
    countedNames,
    steadyPlans,
    namesFirst,
    wholeTrees,
    openFiles,
    keptPlans,
    removedFolders,
    indexedUploads,
    uploadProtocols,
    foldersFirst,
  ],
};

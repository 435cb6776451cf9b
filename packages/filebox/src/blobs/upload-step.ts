/** The steps of an upload, in order. After a crash at any of them the file must be there completely or not at all. */
export const commitSteps = [
  'uploadInserted',
  'blobCreated',
  'contentWritten',
  'fileRenamed',
  'contentSynced',
  'folderSynced',
  'fileSynced',
  'entryWritten',
  'committed',
  'replacedBlobRemoved',
  'removalForgotten',
] as const;

/**
 * Only a commit of more than one statement has it, such as one with a receipt: entry and events are written, but not
 * committed.
 */
export const transactionStep = 'entryWritten' satisfies CommitStep;

/** Steps of a store on a disk only: both syncs run at the same time. */
export const diskSteps: readonly CommitStep[] = ['contentSynced', 'folderSynced'];

/** A step of an upload. */
export type CommitStep = (typeof commitSteps)[number];

/** Called at each step; an error that it throws fails the upload there. For crash tests. */
export type CommitObserver = (step: CommitStep) => void | Promise<void>;

/** The points of an upload after each of which a crash must leave the file wholly there or not at all, in this order. */
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
 * Only a commit of more than one statement has it, such as one with a receipt: entry and events are written, and not
 * committed.
 */
export const transactionStep = 'entryWritten' satisfies CommitStep;

/** Those that only a store on a disk has: both syncs run at the same time. */
export const diskSteps: readonly CommitStep[] = ['contentSynced', 'folderSynced'];

/** A point of an upload. */
export type CommitStep = (typeof commitSteps)[number];

/** Told of each point as it is reached; what it throws fails the upload there. For crash tests. */
export type CommitObserver = (step: CommitStep) => void | Promise<void>;

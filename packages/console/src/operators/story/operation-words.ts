import { texts } from '../texts/texts.ts';

const { story } = texts;

/** What clients do in a session, and jobs without one. */
const transfers: ReadonlySet<string> = new Set(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE']);

/** Whether a job has written or read a file. `session`: that of the record, if it has one. */
export function isByJob(operation: string, session: unknown): boolean {
  return transfers.has(operation) && session === undefined;
}

/** What was done to a file. `byJob`: whether a job did it; undefined if that is not known. */
export function operationInWords(operation: string, byJob: boolean | undefined): string {
  const words: Readonly<Record<string, string>> = { ...story.operations, ...transfersBy(byJob) };
  return Object.hasOwn(words, operation) ? (words[operation] ?? operation) : operation;
}

function transfersBy(byJob: boolean | undefined): Readonly<Record<string, string>> {
  if (byJob === undefined) return story.operationsOfAnybody;
  return byJob ? story.operationsOfJobs : {};
}

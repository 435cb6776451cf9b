import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the folders of this run are; absent in unit tests, which have none. */
    waybillTestFolder: string | undefined;
  }
}

/** A folder of a test's own; `remove` deletes it with all that is in it. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates an empty folder inside that of the run, which is removed when the run ends, however it ends. */
export async function createTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(inject('waybillTestFolder') ?? tmpdir(), 'waybill-test-'));
  // A server that is just ending may write its last while its folder goes.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

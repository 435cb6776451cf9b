import { CodedError } from '@waybill/contracts/errors/coded-error';
import { joinFilePlace } from '@waybill/contracts/tasks/file-place';
import { listSpecification } from '@waybill/contracts/tasks/file-specifications';
import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import type { z } from 'zod';
import type { FoundEntry, TaskContext } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';

type Parameters = z.output<typeof listSpecification.parameters>;

/** Entries that are read at a time. */
const part = 1_000;

/** Bytes of names that the outputs may have. */
const outputBytesAtMost = 1_048_576;

/** Lists a folder. It has no effects. */
export const listTask = defineTask({
  ...listSpecification,
  run: async (parameters, context) => {
    const { found, complete } = await search(parameters, context);
    const files = found.map(({ name, kind, size, modifiedAt }) => ({
      path: joinFilePlace(parameters.folder, name),
      name,
      kind,
      size: String(size),
      modifiedAt: modifiedAt.toISOString(),
    }));
    context.log(`Found ${files.length} in ${parameters.folder}${complete ? '' : ', and there are more'}`);
    return {
      count: String(files.length),
      size: String(found.reduce((sum, { size }) => sum + size, 0)),
      files,
      paths: files.map(({ path }) => path),
      complete,
    };
  },
});

async function search(
  parameters: Parameters,
  { files, signal }: TaskContext,
): Promise<{ found: FoundEntry[]; complete: boolean }> {
  const { folder, limit } = parameters;
  const isWanted = filterOf(parameters);
  const found: FoundEntry[] = [];
  let bytes = 0;
  for (let afterName = ''; ;) {
    signal.throwIfAborted();
    const entries = await files.scan(folder, { afterName, limit: part });
    for (const entry of entries.filter(isWanted)) {
      if (found.length === limit) return { found, complete: false };
      bytes += 2 * Buffer.byteLength(joinFilePlace(folder, entry.name));
      if (bytes > outputBytesAtMost) {
        throw new CodedError('job_step_failed', {
          detail: 'the paths have more than 1 MiB: list fewer files at a time',
        });
      }
      found.push(entry);
    }
    const last = entries.at(-1);
    if (!last || entries.length < part) return { found, complete: true };
    afterName = last.name;
  }
}

function filterOf({ pattern, kind, minAgeSeconds, maxAgeSeconds, minSize, maxSize }: Parameters) {
  const parsed = parseNamePattern(pattern.normalize('NFC'));
  const now = Date.now();
  return (entry: FoundEntry): boolean => {
    const ageSeconds = (now - entry.modifiedAt.getTime()) / 1_000;
    return (
      (kind === 'all' || kind === `${entry.kind}s`) &&
      // The clocks of this machine and of the database may differ.
      (minAgeSeconds === 0 || ageSeconds >= minAgeSeconds) &&
      (maxAgeSeconds === undefined || ageSeconds <= maxAgeSeconds) &&
      entry.size >= minSize &&
      (maxSize === undefined || entry.size <= maxSize) &&
      matchesPattern(entry.name, parsed)
    );
  };
}

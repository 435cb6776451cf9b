import type { CompanionWrite } from '@waybill/filebox/model/companion-write';
import type { Hold } from '../../domain/jobs/job-ledger.ts';

/**
 * Makes a change of a file an effect of a step: it happens only while the worker holds the job, and is noted with what
 * `findEffect` reads when the step is tried again: the file as it was changed, at `path`. `name` is unique in the step.
 */
export function notingEffect(
  hold: Hold,
  position: number,
  { name, path }: { name: string; path: string },
): CompanionWrite {
  const { jobId, fence } = hold;
  return {
    name: 'jobs note effect',
    sql: noting,
    bindings: {
      effectJob: String(jobId),
      effectFence: fence,
      effectStep: position,
      effectName: name,
      effectPath: path,
    },
  };
}

const noting = `jobs.note_effect(CAST(:effectJob AS bigint), CAST(:effectFence AS bigint), CAST(:effectStep AS int),
      CAST(:effectName AS text), changed.fileset, jsonb_build_object('path', CAST(:effectPath AS text),
        'fileset', CAST(changed.fileset AS text), 'size', CAST(changed.size AS text), 'sha256', changed.sha256))`;

/** Whether a change was undone because the worker no longer holds the job. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'WBLST';
}

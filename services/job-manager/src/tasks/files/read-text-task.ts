import { CodedError } from '@waybill/contracts/errors/coded-error';
import { readTextSpecification } from '@waybill/contracts/tasks/file-specifications';
import { defineTask } from '../define-task.ts';
import { readSmall } from './read-small.ts';

/** Reads a small file. It has no effects. */
export const readTextTask = defineTask({
  ...readTextSpecification,
  run: async ({ source, charset, maxBytes }, { files, signal, log }) => {
    signal.throwIfAborted();
    const bytes = await readSmall(files, source, maxBytes);
    const text = decode(bytes, charset, source);
    log(`Read ${source} (${bytes.length} bytes)`);
    return { text, size: String(bytes.length) };
  },
});

/** PostgreSQL stores no NUL, and outputs are stored. */
function decode(bytes: Buffer, charset: string, source: string): string {
  try {
    const text =
      charset === 'latin1' ? bytes.toString('latin1') : new TextDecoder(charset, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (cause) {
    throw new CodedError('job_step_failed', { detail: `${source} is not text in ${charset}`, cause });
  }
  throw new CodedError('job_step_failed', { detail: `${source} has a NUL character: it is not text in ${charset}` });
}

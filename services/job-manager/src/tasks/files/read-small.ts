import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import type { JobFiles } from '../../domain/workflows/task.ts';

/** All bytes of a small file. @throws CodedError `job_step_failed` if it has more than `bytesAtMost` */
export async function readSmall(files: JobFiles, place: FilePlace, bytesAtMost: number): Promise<Buffer> {
  await using file = await files.open(place);
  if (file.size > bytesAtMost) {
    throw new CodedError('job_step_failed', { detail: `${place} has ${file.size} bytes, more than ${bytesAtMost}` });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of file.content()) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

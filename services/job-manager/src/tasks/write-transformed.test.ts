import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, it } from 'vitest';
import type { Compute } from '../domain/workflows/computation.ts';
import type { JobFiles } from '../domain/workflows/task.ts';
import { writeTransformed } from './write-transformed.ts';

const place = { target: parseVirtualPath('/a'), mediaType: 'text/plain' };

function run(compute: Compute, write: JobFiles['write']): Promise<unknown> {
  const order = { program: new URL('file:///none'), parameters: {}, input: Readable.from([]) };
  return writeTransformed(order, place, { files: { write }, compute, signal: new AbortController().signal });
}

it('finds a failure that comes before anything reads the output, and lets no error go unhandled', async () => {
  const compute: Compute = () => Promise.reject(new CodedError('decryption_failed'));
  const write: JobFiles['write'] = async (path, content) => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    for await (const chunk of content) chunk.fill(0);
    return { path, fileset: '1', size: '0', sha256: '' };
  };
  await expect(run(compute, write)).rejects.toMatchObject({ code: 'decryption_failed' });
});

it('ends a transformation whose output cannot be written', async () => {
  const ended: string[] = [];
  const compute: Compute = async (_order, signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    ended.push('aborted');
    throw new Error('aborted');
  };
  const write = (): Promise<never> => Promise.reject(new CodedError('storage_full'));
  await expect(run(compute, write)).rejects.toMatchObject({ code: 'storage_full' });
  expect(ended).toEqual(['aborted']);
});

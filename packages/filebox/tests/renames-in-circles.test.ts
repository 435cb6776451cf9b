import { isCodedError } from '@waybill/contracts/coded-error';
import { parseVirtualPath } from '@waybill/contracts/virtual-path';
import { expect, test } from 'vitest';
import { countDeadlocks } from './count-deadlocks.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const origin = { origin: acme };

test('files and folders that take the places of others hardly ever wait for each other in a circle', async () => {
  const { filebox, put, db } = await openTestFilebox();
  const names = ['/a', '/b', '/d', '/d/a', '/d/b'].map(parseVirtualPath);
  let seed = 7;
  const any = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return names[Math.floor((seed / 2_147_483_648) * names.length)] ?? parseVirtualPath('/a');
  };
  const operations = [
    () => put(any(), 'x'),
    () => filebox.createFolder(vfsId, parseVirtualPath('/d'), origin),
    () => filebox.rename(vfsId, any(), any(), { ...origin, overwrite: true }),
    () => filebox.rename(vfsId, any(), any(), { ...origin, overwrite: true }),
    () => filebox.rename(vfsId, any(), any(), { ...origin, overwrite: true }),
  ];
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 500; step += 1) {
      await operations[step % operations.length]?.().catch((error: unknown) => {
        if (!isCodedError(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  // Rows are locked by their ids, and a file that is replaced gets another one: so it can happen, and is done again.
  expect(await countDeadlocks(db)).toBeLessThan(4);
});

import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { countDeadlocks } from './count-deadlocks.ts';
import { countWaiting } from './count-waiting.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const origin = { origin: acme };

test('files and folders that replace each other hardly ever deadlock', async () => {
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
  // Rows are locked by their ids, and a file that is replaced gets a new one: so a deadlock is possible, and the
  // transaction is repeated.
  expect(await countDeadlocks(db)).toBeLessThan(4);
});

test('a file that arrives at the target of a rename after the lookup causes no deadlock', async () => {
  const { filebox, put, get, db } = await openTestFilebox();
  const [x, y, z] = ['/x', '/y', '/z'].map(parseVirtualPath) as [VirtualPath, VirtualPath, VirtualPath];
  await put(z, 'z');
  await put(x, 'x');
  const rename = (from: VirtualPath, to: VirtualPath) =>
    filebox.rename(vfsId, from, to, { ...origin, overwrite: true });
  const trx = await db.transaction();
  await trx.raw("SELECT FROM filebox.entries WHERE name = 'x' FOR UPDATE");
  // It finds nothing at /y, and waits for /x.
  const first = rename(x, y);
  await expect.poll(() => countWaiting(db)).toBe(1);
  await rename(z, y);
  // It holds /y, and waits for /x as well.
  const second = rename(y, x);
  await expect.poll(() => countWaiting(db)).toBe(2);
  await trx.commit();
  await Promise.all([first, second]);
  expect(await countDeadlocks(db)).toBe(0);
  expect(await get(y)).toBe('z');
  expect(await filebox.find(vfsId, x)).toBeUndefined();
});

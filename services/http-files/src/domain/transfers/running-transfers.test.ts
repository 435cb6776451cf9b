import { userNameSchema } from '@waybill/contracts/values/user-name';
import { expect, it } from 'vitest';
import { createRunningTransfers } from './running-transfers.ts';

const userName = userNameSchema.parse('acme');

it('reports what has run for some time, with bytes since its begin and the rate since the last report', () => {
  let now = 0;
  let isCut = false;
  const connection = { bytesRead: 500, bytesWritten: 40, destroy: () => (isCut = true) };
  const transfers = createRunningTransfers(() => now);
  const begun = {
    userName,
    sessionHandle: 'h1',
    clientAddress: '10.0.0.2',
    connection,
    bytesBefore: { read: 500, written: 40 },
    path: '/inbox/a',
  };
  const upload = transfers.begin({ ...begun, direction: 'upload' });
  const short = transfers.begin({ ...begun, direction: 'download' });
  const other = transfers.begin({ ...begun, sessionHandle: 'h2', direction: 'download' });
  expect(transfers.sessionsInUse()).toEqual(['h1', 'h2']);
  other[Symbol.dispose]();
  expect(transfers.sessionsInUse()).toEqual(['h1']);
  now = 999;
  expect(transfers.report(1_000)).toEqual([]);
  short[Symbol.dispose]();
  connection.bytesRead = 2_500;
  now = 1_000;
  const [first, ...others] = transfers.report(1_000);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ userName, path: '/inbox/a', direction: 'upload', bytes: 2_000, bytesPerSecond: 2_000 });
  connection.bytesRead = 3_500;
  now = 3_000;
  upload.path = '/inbox/renamed';
  expect(transfers.report(1_000)).toEqual([{ ...first, path: '/inbox/renamed', bytes: 3_000, bytesPerSecond: 500 }]);

  expect(transfers.end('another')).toBeUndefined();
  expect(isCut).toBe(false);
  expect(transfers.end(first?.id ?? '')).toMatchObject({ id: first?.id, bytes: 3_000 });
  expect(isCut).toBe(true);
  upload[Symbol.dispose]();
  upload[Symbol.dispose]();
  expect(transfers.report(0)).toEqual([]);
});

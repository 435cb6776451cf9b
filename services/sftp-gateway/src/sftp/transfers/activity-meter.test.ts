import { expect, it } from 'vitest';
import { ActivityMeter, type CurrentFile } from './activity-meter.ts';

it('returns what has changed since the last call, and nothing while nothing changes', () => {
  let now = 0;
  let file: CurrentFile | undefined;
  const meter = new ActivityMeter(
    () => file,
    () => now,
  );
  expect(meter.take()).toBeUndefined();
  file = { path: '/inbox/a', direction: 'upload' };
  meter.received(3_000);
  now = 2_000;
  const uploading = {
    file: '/inbox/a',
    direction: 'upload',
    bytesReceived: 3_000,
    bytesSent: 0,
    bytesPerSecond: 1_500,
    fileSince: expect.any(Number),
    fileBytes: 3_000,
  };
  expect(meter.take()).toEqual(uploading);
  now = 3_000;
  expect(meter.take()).toEqual({ ...uploading, bytesPerSecond: 0 });
  now = 4_000;
  expect(meter.take()).toBeUndefined();
  file = { path: '/outbox/b', direction: 'download' };
  meter.sent(10);
  now = 4_500;
  expect(meter.take()).toEqual({
    file: '/outbox/b',
    direction: 'download',
    bytesReceived: 3_000,
    bytesSent: 10,
    bytesPerSecond: 20,
    fileSince: expect.any(Number),
    fileBytes: 10,
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress, type UploadProgress } from './upload-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['is sent', (progress: UploadProgress) => progress.sent(1)],
  [
    'was refused and is tried again',
    (progress: UploadProgress) => progress.delayed('The upload is still being written'),
  ],
])('goes on for two minutes after something %s', (_, act) => {
  const progress = createProgress(() => undefined);
  vi.advanceTimersByTime(119_000);
  expect(progress.isGoingOn()).toBe(true);
  act(progress);
  vi.advanceTimersByTime(119_000);
  expect(progress.isGoingOn()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(progress.isGoingOn()).toBe(false);
  progress.stop();
});

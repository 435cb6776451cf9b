import { expect, test } from 'vitest';
import { UploadState } from './upload-state.ts';

test('the first failure ends an open upload, and every later call fails with it', () => {
  const ends: unknown[] = [];
  const state = new UploadState((error) => ends.push(error));
  const [first, second] = [new Error('first'), new Error('second')];
  expect(state.isOpen).toBe(true);
  expect(state.fail(first)).toBe(first);
  expect(state.fail(second)).toBe(first);
  expect(ends).toEqual([first]);
  expect(state.isOpen).toBe(false);
  expect(() => state.assertOpen()).toThrow(first);
  expect(() => state.assertIntact()).toThrow(first);
});

test('a failure during the end of an upload is noted, and does not end it again', () => {
  const ends: unknown[] = [];
  const state = new UploadState((error) => ends.push(error));
  state.enter('committing');
  state.assertIntact();
  state.fail(new Error('full'));
  expect(ends).toEqual([]);
  expect(state.hasFailed).toBe(true);
  expect(() => state.assertIntact()).toThrow('full');
});

test.each(['committed', 'suspended', 'discarded'] as const)('an upload that was %s takes no more calls', (phase) => {
  const state = new UploadState(() => {});
  state.enter(phase);
  expect(() => state.assertOpen()).toThrow('The upload has ended');
});

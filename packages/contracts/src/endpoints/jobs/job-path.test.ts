import { expect, test } from 'vitest';
import { jobPathSchema } from './job-path.ts';

test('a job is named by digits only', () => {
  expect(jobPathSchema.parse({ id: '245' })).toEqual({ id: 245 });
  for (const id of ['0x10', '1e3', ' 7', '', '-1', '0', '1.5', 'x']) {
    expect(jobPathSchema.safeParse({ id }).success, id).toBe(false);
  }
});

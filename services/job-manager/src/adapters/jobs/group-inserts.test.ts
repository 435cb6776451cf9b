import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jobIn } from '../../../tests/claimable.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { groupInserts, type InsertMany } from './group-inserts.ts';
import type { JobInsertion } from './insert-jobs.ts';
import { insertedJobOf } from './job-row.ts';

const insertionOf = (text: string): JobInsertion => ({ job: jobIn('q'), nodeId: 'n', text });

let created = 0;

function jobOf({ job }: JobInsertion): Job {
  created += 1;
  return insertedJobOf(job, { position: '1', id: String(created), created_at: new Date() });
}

/** A store whose statements end when the test says so. */
function slowStore() {
  const statements: { texts: string[]; succeed(): void; fail(error: unknown): void }[] = [];
  const insertMany: InsertMany = (insertions) => {
    const { promise, resolve, reject } = Promise.withResolvers<(Job | undefined)[]>();
    const texts = insertions.map(({ text }) => text);
    statements.push({ texts, succeed: () => resolve(insertions.map(jobOf)), fail: reject });
    return promise;
  };
  const sizes = () => statements.map(({ texts }) => texts.length);
  return { insertMany, statements, sizes };
}

const refusal = () => Object.assign(new Error('refused'), { code: '22P05' });

afterEach(() => {
  vi.useRealTimers();
});

describe('jobs that are added at the same time', () => {
  it('are one group; those that are added while two groups are committed are the next one', async () => {
    const { insertMany, statements, sizes } = slowStore();
    const { insert } = groupInserts(insertMany, {});
    const all = [insert(insertionOf('1')), insert(insertionOf('2'))];
    await nextTurn();
    all.push(insert(insertionOf('3')));
    await nextTurn();
    for (const text of ['4', '5', '6']) all.push(insert(insertionOf(text)));
    await nextTurn();
    expect(sizes()).toEqual([2, 1]);
    statements[1]?.succeed();
    await all[2];
    await nextTurn();
    expect(statements.map(({ texts }) => texts)).toEqual([['1', '2'], ['3'], ['4', '5', '6']]);
    statements[0]?.succeed();
    statements[2]?.succeed();
    const ids = (await Promise.all(all)).map((job) => job?.id);
    expect(new Set(ids).size).toBe(6);
  });

  it('are divided into groups of bounded size', async () => {
    const { insertMany, statements, sizes } = slowStore();
    const { insert } = groupInserts(insertMany, {});
    const megabyte = 'x'.repeat(1024 * 1024);
    const all = ['a', 'b', 'c', 'd'].map((text) => insert(insertionOf(text + megabyte)));
    all.push(...Array.from({ length: 300 }, (_, index) => insert(insertionOf(String(index)))));
    await nextTurn();
    for (let done = 0; done < statements.length; done += 1) {
      statements[done]?.succeed();
      await nextTurn();
      await nextTurn();
    }
    await Promise.all(all);
    expect(sizes()).toEqual([1, 1, 1, 250, 51]);
  });

  it('tell the workers once for a group, and not for one that has created nothing', async () => {
    let told = 0;
    const onReady = () => void (told += 1);
    const created = groupInserts(async (insertions) => insertions.map(jobOf), { onReady });
    await Promise.all(['1', '2', '3'].map((text) => created.insert(insertionOf(text))));
    expect(told).toBe(1);
    const duplicates = groupInserts(async (insertions) => insertions.map(() => undefined), { onReady });
    expect(await duplicates.insert(insertionOf('1'))).toBeUndefined();
    expect(told).toBe(1);
  });
});

describe('a group that PostgreSQL refuses', () => {
  it('is inserted job by job: only the bad one fails', async () => {
    const sizes: number[] = [];
    const { insert } = groupInserts(async (insertions) => {
      sizes.push(insertions.length);
      if (insertions.some(({ text }) => text === 'bad')) throw refusal();
      return insertions.map(jobOf);
    }, {});
    const results = await Promise.allSettled(['1', 'bad', '2'].map((text) => insert(insertionOf(text))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  it.each(['57014', '57P01', '08006', '53300', 'ECONNRESET', undefined])(
    'with %s is not repeated: its jobs may be committed',
    async (code) => {
      let statements = 0;
      let told = 0;
      const failure = Object.assign(new Error('lost'), { code });
      const insertMany: InsertMany = () => {
        statements += 1;
        return Promise.reject(failure);
      };
      const { insert } = groupInserts(insertMany, { onReady: () => void (told += 1) });
      const results = await Promise.allSettled(['1', '2'].map((text) => insert(insertionOf(text))));
      expect(results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: failure })));
      expect([statements, told]).toEqual([1, 0]);
    },
  );
});

it('a job that has waited too long is refused without an attempt', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { insertMany, statements } = slowStore();
  const { insert } = groupInserts(insertMany, {});
  const running = ['1', '2'].map(async (text) => {
    const job = insert(insertionOf(text));
    await nextTurn();
    return job;
  });
  await nextTurn();
  await nextTurn();
  const late = insert(insertionOf('late'));
  vi.advanceTimersByTime(10_001);
  const punctual = insert(insertionOf('punctual'));
  statements.forEach(({ succeed }) => succeed());
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
  await nextTurn();
  expect(statements.at(-1)?.texts).toEqual(['punctual']);
  statements.at(-1)?.succeed();
  expect(await punctual).toBeDefined();
  await Promise.all(running);
});

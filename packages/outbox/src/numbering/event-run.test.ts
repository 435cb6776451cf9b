import { expect, test } from 'vitest';
import { EventRun } from './event-run.ts';

test('numbers are given in order, and settled up to the first one that is open', () => {
  const run = new EventRun('r');
  const [one, two, three] = [run.take(1), run.take(1), run.take(1)];
  expect([one.first, two.first, three.first]).toEqual([1, 2, 3]);
  two.committed(1);
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 0 });
  one.committed(1);
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 2 });
});

test('the next event reports voided numbers, and counts them as settled', () => {
  const run = new EventRun('r');
  run.take(1).committed(1);
  run.take(1).voided();
  const report = run.take(1);
  expect(report.producer).toEqual({ id: 'r', settled: 2, voided: [2] });
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 1 });
  report.committed(1);
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 3 });
});

test('voided numbers are reported again if the event that reports them is voided', () => {
  const run = new EventRun('r');
  run.take(1).voided();
  run.take(1).voided();
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 2, voided: [1, 2] });
});

test('several events have one number each, and those that are not made are voided', () => {
  const run = new EventRun('r');
  run.take(1).voided();
  const several = run.take(3);
  expect(several).toMatchObject({ first: 2, count: 3, producer: { id: 'r', settled: 0 } });
  several.committed(1);
  expect(run.take(1).producer).toEqual({ id: 'r', settled: 4, voided: [1, 3, 4] });
});

test('a run in which too much fails is over', () => {
  const run = new EventRun('r');
  run.take(1_000).voided();
  expect(run.isOver).toBe(false);
  run.take(2).voided();
  expect(run.isOver).toBe(true);
});

import { describe, expect, it } from 'vitest';
import { createGate, type Gate } from './gate.ts';

/** Work that goes on until it is told to end. */
function openWork(gate: Gate, signal = new AbortController().signal) {
  const end = Promise.withResolvers<string>();
  let hasBegun = false;
  const work = () => {
    hasBegun = true;
    return end.promise;
  };
  return { result: gate(work, signal), end, hasBegun: () => hasBegun };
}

/** Until what can begin has begun. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a gate', () => {
  it('lets as much work run at a time as it has room for, in order', async () => {
    const gate = createGate('order', 2);
    const works = Array.from({ length: 4 }, () => openWork(gate));
    await soon();
    expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false]);
    works[1]?.end.resolve('second');
    expect(await works[1]?.result).toBe('second');
    await soon();
    expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, true, false]);
  });

  it('counts the work of all pages', async () => {
    const [here, there] = [createGate('pages', 2), createGate('pages', 2)];
    const works = [openWork(here), openWork(here), openWork(there)];
    await soon();
    expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false]);
    for (const { end } of works) end.resolve('done');
    expect(await works[2]?.result).toBe('done');
  });

  it('goes on after work that has failed', async () => {
    const gate = createGate('failures', 1);
    const works = [openWork(gate), openWork(gate)];
    works[0]?.end.reject(new Error('failed'));
    await expect(works[0]?.result).rejects.toThrow('failed');
    works[1]?.end.resolve('done');
    expect(await works[1]?.result).toBe('done');
  });

  it.each(['the same page', 'another page'])(
    'does not begin what was aborted while it waited for %s',
    async (where) => {
      const gate = createGate(where, 1);
      const first = openWork(where === 'the same page' ? gate : createGate(where, 1));
      await soon();
      const aborting = new AbortController();
      const aborted = openWork(gate, aborting.signal);
      const next = openWork(gate);
      await soon();
      aborting.abort();
      await expect(aborted.result).rejects.toThrow(/abort|ended the waiting/u);
      first.end.resolve('done');
      await soon();
      expect([aborted.hasBegun(), next.hasBegun()]).toEqual([false, true]);
      await expect(openWork(gate, aborting.signal).result).rejects.toThrow(/abort|ended the waiting/u);
      next.end.resolve('done');
      expect(await next.result).toBe('done');
    },
  );
});

import { expect, it } from 'vitest';
import { loadPage, PageNotLoaded } from './load-page.ts';

it('passes on the fault of a module that fails when it runs, which browsers keep', async () => {
  const fault = new TypeError('a fault of the page');
  await expect(loadPage(() => Promise.reject(fault))).rejects.toBe(fault);
});

it('tells a module that does not arrive', async () => {
  await expect(loadPage(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(PageNotLoaded);
});

it('takes a module that arrives when it is asked for once more', async () => {
  let asked = 0;
  const load = async (): Promise<string> => {
    asked += 1;
    if (asked === 1) throw new TypeError('Failed to fetch');
    return 'page';
  };
  await expect(loadPage(load)).resolves.toBe('page');
});

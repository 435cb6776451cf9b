import { expect, it } from 'vitest';
import { useStarted } from './use-started.ts';

function disposable() {
  let disposals = 0;
  return { disposals: () => disposals, [Symbol.asyncDispose]: async () => void (disposals += 1) };
}

it('what was started is released with the other resources', async () => {
  const resources = new AsyncDisposableStack();
  const started = await useStarted(resources, Promise.resolve(disposable()));
  expect(started.disposals()).toBe(0);
  await resources.disposeAsync();
  expect(started.disposals()).toBe(1);
});

it('what is started after they were released is released at once, and not used', async () => {
  const resources = new AsyncDisposableStack();
  const late = disposable();
  const starting = Promise.withResolvers<typeof late>();
  const used = useStarted(resources, starting.promise);
  await resources.disposeAsync();
  starting.resolve(late);
  await expect(used).rejects.toThrow('interrupted');
  expect(late.disposals()).toBe(1);
});

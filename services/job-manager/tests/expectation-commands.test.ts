import { expect, it } from 'vitest';
import { dailyAt, expectationSite, hoursFromNow } from './expectation-rig.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = expectationSite();
const run = (...args: readonly string[]) => runWaybill('expectation', ...args);

it('waybill expectation lists what is missing, and acknowledges it once', async () => {
  await using access = await platformAccess(site.manager);
  const platform = access.options;
  expect(await run('list', ...platform)).toEqual({ code: 0, out: 'There are none.\n' });

  const due = hoursFromNow(2);
  await site.expects({ cron: dailyAt(due) });
  await site.judgeAt(hoursFromNow(0));
  await site.judgeAt(new Date(due.getTime() + 60_000));
  const [missed] = (await site.list({ state: 'missed' })).expectations;
  const id = String(missed?.id);
  expect(await run('list', ...platform, '--contract', 'due', '--state', 'missed')).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(
        `^NUMBER +EXPECTATION +STATE +DUE +FILES +LAST FILE\n${id} +due/orders +missed +${due.toISOString()} +0\n$`,
        'u',
      ),
    ),
  });
  const json = await run('list', ...platform, '--expectation', 'orders', '--json');
  expect(
    json.out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toMatchObject([{ state: 'pending' }, { id: missed?.id, state: 'missed' }]);
  expect(await run('list', ...platform, '--state', 'lost')).toEqual({ code: 2, out: expect.stringContaining('state') });

  expect((await run('acknowledge', id, ...platform)).code).toBe(2);
  const acknowledge = () => run('acknowledge', id, ...platform, '--reason', 'holiday');
  expect(await acknowledge()).toEqual({
    code: 0,
    out: `${id} was acknowledged: due/orders, due at ${due.toISOString()}.\n`,
  });
  expect(await acknowledge()).toEqual({
    code: 1,
    out: expect.stringContaining('admin has already acknowledged due/orders'),
  });
  expect(await run('acknowledge', '999999', ...platform, '--reason', 'x')).toEqual({
    code: 1,
    out: expect.stringContaining('999999'),
  });
  expect(await run('acknowledge', '../../x', ...platform, '--reason', 'x')).toMatchObject({ code: 1 });
});

import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { type Command, ExitCode, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Lists the keys and certificates that expire. */
export const expiriesCommand: Command = {
  summary:
    'Lists keys and certificates that expire, the first to expire first. With --exit-code, it ends with 2 if one has expired or expires within 30 days.',
  examples: ['waybill expiries', 'waybill expiries --within 30 --exit-code'],
  options: {
    ...platformOptions,
    within: textOption('days', 'Only what expires within so many days.'),
    actor: textOption('name', 'Only keys and certificates of this actor.'),
    'exit-code': flagOption('Ends with 2 if one has expired or expires within 30 days.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { within } = invocation.values;
    if (typeof within === 'string' && !/^\d{1,5}$/u.test(within)) throw new UsageError('--within is a number of days');
    const query = {
      ...givenTexts(invocation.values, ['actor']),
      ...(typeof within === 'string' && { withinDays: Number(within) }),
    };
    const items = await readItems((page) =>
      requestPlatform(invocation, listExpiriesEndpoint, { query: { ...query, ...page } }),
    );
    printRows(invocation, items, [
      ['STATE', ({ state }) => state],
      ['EXPIRES', ({ expiresAt }) => expiresAt ?? 'unreadable'],
      ['KIND', ({ kind }) => kind],
      ['NAME', ({ name }) => name],
      ['ACTOR', ({ actor }) => actor ?? ''],
      ['PROCESS', ({ process }) => (process === null ? '' : `${process.service} ${process.node}`)],
      ['DETAIL', ({ detail }) => detail],
    ]);
    if (invocation.values['exit-code'] === true && items.some(({ state }) => state !== 'valid')) throw new ExitCode(2);
  },
};

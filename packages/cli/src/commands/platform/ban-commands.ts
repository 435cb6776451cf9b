import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { type Command, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';

const options = { ...platformOptions, json: jsonOption };

/** Lists the bans in force. */
export const listBansCommand: Command = {
  summary: 'Lists the addresses from which logins are refused after failed ones, the ban that ends first at the top.',
  examples: ['waybill bans list'],
  options,
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'manager' });
    printRows(invocation, (await client.call(listLoginBansEndpoint, { query: {} })).body.bans, [
      ['ADDRESS', ({ address }) => address],
      ['USER', ({ userName }) => userName ?? '(all)'],
      ['LOGINS', ({ door }) => door],
      ['UNTIL', ({ until }) => until],
    ]);
  },
};

/** Lifts the bans of an address. */
export const liftBansCommand: Command = {
  summary: 'Lifts every ban of an address, and forgets the failed logins that led to it.',
  examples: ['waybill bans lift 203.0.113.7', 'waybill bans lift 2001:db8:1:2::/64'],
  arguments: { address: 'The IP address, or an IPv6 network.' },
  options,
  run: async (invocation) => {
    const [address = ''] = invocation.positionals;
    const params = liftLoginBanEndpoint.params.safeParse({ address });
    if (!params.success) throw new UsageError('give an IP address or an IPv6 network');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(liftLoginBanEndpoint, { params: params.data });
    printOne(invocation, body, [`${body.bans.length} bans of ${printable(address)} were lifted`]);
  },
};

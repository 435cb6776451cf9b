import {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { jsonOption, rowNumber } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Lists sessions of the management interfaces. */
export const listLoginSessionsCommand: Command = {
  summary:
    'Lists your sessions of the management interfaces, or with the permission `identities:read` those of all users.',
  examples: ['waybill logins list'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const items = await readItems((query) => requestPlatform(invocation, listLoginSessionsEndpoint, { query }));
    printRows(invocation, items, [
      ['NUMBER', ({ id }) => String(id)],
      ['USER', ({ user }) => user],
      ['ADDRESS', ({ address }) => address ?? 'unknown'],
      ['SINCE', ({ loggedInAt }) => loggedInAt],
      ['', ({ current }) => (current ? 'this one' : '')],
    ]);
  },
};

/** Ends a session of the management interfaces. */
export const revokeLoginSessionCommand: Command = {
  summary: 'Ends a session of the management interfaces, by its number: its tokens are refused within a second.',
  examples: ['waybill logins revoke 12'],
  arguments: { number: 'The number in `waybill logins list`.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const id = rowNumber(invocation.positionals[0], 'a session');
    await requestPlatform(invocation, revokeLoginSessionEndpoint, { params: { id } });
    printOne(invocation, { id: Number(id), revoked: true }, [`The session ${id} has ended.`]);
  },
};

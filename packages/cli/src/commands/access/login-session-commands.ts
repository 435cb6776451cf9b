import {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Lists sessions of the management interfaces. */
export const listLoginSessionsCommand: Command = {
  summary:
    'Lists your sessions of the management interfaces, or with the permission `identities:read` those of all users.',
  usage: '[--json]',
  examples: ['waybill logins list'],
  positionals: [],
  options: { ...platformOptions, json: { type: 'boolean' } },
  run: async ({ values, env, out }) => {
    const items = await readItems((query) => requestPlatform({ values, env }, listLoginSessionsEndpoint, { query }));
    for (const session of items) {
      const { id, user, address, loggedInAt, current } = session;
      const line = `${id}  ${user}  from ${address ?? 'unknown'}  since ${loggedInAt}${current ? '  (this one)' : ''}`;
      out(values['json'] === true ? JSON.stringify(session) : line);
    }
    if (items.length === 0 && values['json'] !== true) out('There are none.');
  },
};

/** Ends a session of the management interfaces. */
export const revokeLoginSessionCommand: Command = {
  summary: 'Ends a session of the management interfaces, by its number: its tokens are refused within a second.',
  usage: '<number>',
  examples: ['waybill logins revoke 12'],
  positionals: ['number'],
  options: platformOptions,
  run: async ({ values, positionals: [number = ''], env, out }) => {
    await requestPlatform({ values, env }, revokeLoginSessionEndpoint, { params: { id: number } });
    out(`The session ${number} has ended.`);
  },
};

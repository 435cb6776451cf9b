import {
  listOutsideNamesEndpoint,
  releaseOutsideNameEndpoint,
} from '@waybill/contracts/endpoints/access/outside-name-endpoints';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Lists the names that belong to users of an outside issuer. */
export const listOutsideNamesCommand: Command = {
  summary:
    'Lists the names that belong to users of an outside issuer, the last login first. Users of the configuration are not listed.',
  examples: ['waybill outside-names list', 'waybill outside-names list --name jane --json'],
  options: { ...platformOptions, name: textOption('name', 'Only this name.'), json: jsonOption },
  run: async (invocation) => {
    const query = givenTexts(invocation.values, ['name']);
    const items = await readItems((page) =>
      requestPlatform(invocation, listOutsideNamesEndpoint, { query: { ...query, ...page } }),
    );
    const latestFirst = items.toSorted((a, b) => Date.parse(b.lastLoginAt) - Date.parse(a.lastLoginAt));
    printRows(invocation, latestFirst, [
      ['NAME', ({ name }) => name],
      ['ISSUER', ({ issuer }) => issuer],
      ['SUBJECT', ({ subject }) => subject],
      ['FIRST LOGIN', ({ boundAt }) => boundAt],
      ['LAST LOGIN', ({ lastLoginAt }) => lastLoginAt],
    ]);
  },
};

/** Takes a name from a user of an outside issuer. */
export const releaseOutsideNameCommand: Command = {
  summary:
    'Releases a name that belongs to a user of an outside issuer: the sessions of the user end, and the next user of the issuer who logs in with the name gets it.',
  examples: ['waybill outside-names release jane'],
  arguments: { name: 'The name in `waybill outside-names list`.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    await requestPlatform(invocation, releaseOutsideNameEndpoint, { params: { name } });
    printOne(invocation, { name, released: true }, [`The name ${name} is released`]);
  },
};

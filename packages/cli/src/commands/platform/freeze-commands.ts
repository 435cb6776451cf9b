import { listUserFreezesEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import type { Command } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

const options = { ...platformOptions, json: jsonOption };

/** Freezes in one answer. */
export const mostFreezes = 100_000;

/** Lists the users that are frozen. */
export const listFreezesCommand: Command = {
  summary: 'Lists the users that are frozen, with who froze them, since when and why, the last one first.',
  examples: ['waybill users freezes', 'waybill users freezes --actor acme --json'],
  options: { ...options, actor: textOption('name', 'Only users of this actor.') },
  run: async (invocation) => {
    const query = { ...givenTexts(invocation.values, ['actor']), maxItem: mostFreezes };
    const { freezes } = await requestPlatform(invocation, listUserFreezesEndpoint, { query });
    printRows(invocation, freezes, [
      ['USER', ({ userName }) => userName],
      ['ACTOR', ({ actor }) => actor ?? ''],
      ['SINCE', ({ frozenAt }) => frozenAt],
      ['BY', ({ frozenBy }) => frozenBy],
      ['REASON', ({ reason }) => reason ?? ''],
    ]);
  },
};

/** Freezes a user. */
export const freezeUserCommand: Command = {
  summary:
    'Freezes a user of an actor: logins fail, and open sessions end within a second. Who sees the freeze sees the reason.',
  examples: ['waybill users freeze acme', "waybill users freeze acme --reason 'a password was published'"],
  arguments: { user: 'The name of the user.' },
  options: { ...options, reason: textOption('text', 'The reason, shown with the freeze and in the audit log.') },
  run: async (invocation) => {
    const [userName = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = givenTexts(invocation.values, ['reason']);
    const { body } = await client.call(freezeUserEndpoint, { params: { userName }, query });
    const why = body.reason === null ? '' : `: ${body.reason}`;
    printOne(invocation, body, [
      `${body.userName} is frozen since ${body.frozenAt ?? ''} by ${body.frozenBy ?? ''}${why}`,
    ]);
  },
};

/** Thaws a user. */
export const thawUserCommand: Command = {
  summary: 'Thaws a frozen user, and lifts the bans of this user.',
  examples: ['waybill users thaw acme'],
  arguments: { user: 'The name of the user.' },
  options,
  run: async (invocation) => {
    const [userName = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(thawUserEndpoint, { params: { userName } });
    printOne(invocation, body, [`${body.userName} is not frozen`]);
  },
};

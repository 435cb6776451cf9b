import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { attemptedUserName } from '@waybill/contracts/values/user-name';
import { listUserKeys, type UsedKey } from '@waybill/directory/logins/list-user-keys';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import type { Command } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';

/** Shows the public keys of a partner user, with the last use of each. */
export const keysCommand: Command = {
  summary: 'Shows the SSH keys of a user, with the last use of each, from the database of DATABASE_URL.',
  examples: ['waybill keys acme'],
  arguments: { user: 'The name of the user.' },
  run: async (invocation) => {
    const [user = ''] = invocation.positionals;
    const userName = attemptedUserName(user);
    const instead = `\`waybill users keys ${user}\``;
    const keys = await withPreparedDatabase(invocation, (db) => listUserKeys(db, userName), { instead });
    if (keys === undefined) throw new CodedError('user_unknown', { detail: `There is no partner user '${user}'` });
    if (keys.length === 0) invocation.out(`${user} has no keys.`);
    for (const key of keys) invocation.out(describeKey(key, new Date()));
  },
};

function describeKey({ key, comment, expires, lastUsedAt }: UsedKey, now: Date): string {
  const [type, base64 = ''] = key.split(' ');
  const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt.toISOString()}`;
  const ends = expires === undefined ? [] : [describeEnd(expires, now)];
  return [type, keyFingerprint(Buffer.from(base64, 'base64')), comment ?? '(no comment)', ...ends, used].join('  ');
}

/** An expiry that was configured as a day is shown as that day. */
function describeEnd(end: string, now: Date): string {
  const at = new Date(end);
  const word = at > now ? 'expires' : 'expired';
  const day = lastDayOf(end);
  return day === undefined ? `${word} ${at.toISOString()}` : `${word} at the end of ${day}`;
}

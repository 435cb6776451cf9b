import { keyFingerprint } from '@waybill/directory/key-fingerprint';
import { listUserKeys, type UsedKey } from '@waybill/directory/list-user-keys';
import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { withDatabase } from '../with-database.ts';

/** Shows the public keys of a partner user, and when each was used last. */
export const keysCommand: Command = {
  summary: 'Shows the SSH keys of a user, and when each was used last.',
  usage: '<user>',
  positionals: ['user'],
  run: async (invocation) => {
    const [user = ''] = invocation.positionals;
    const keys = await withDatabase(invocation, (db) => listUserKeys(db, user));
    if (keys === undefined) throw new UsageError(`there is no partner user ${user}`);
    if (keys.length === 0) invocation.out(`${user} has no keys.`);
    for (const key of keys) invocation.out(describeKey(key, new Date()));
  },
};

function describeKey({ key, comment, expires, lastUsedAt }: UsedKey, now: Date): string {
  const [type, base64 = ''] = key.split(' ');
  const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt.toISOString()}`;
  const ends =
    expires === undefined ? [] : [`${Date.parse(expires) > now.getTime() ? 'expires' : 'expired'} ${expires}`];
  return [type, keyFingerprint(Buffer.from(base64, 'base64')), comment ?? '(no comment)', ...ends, used].join('  ');
}

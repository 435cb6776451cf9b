import { configuredUserNameSchema } from '@waybill/contracts/values/configured-names';
import { removeSecondFactor } from '@waybill/directory/accounts/remove-second-factor';
import { changedBy } from '../../changed-by.ts';
import { type Command, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { neededOption, recordedReason } from '../../platform/option-values.ts';

/** Removes the second factor of a manager user on the server, when no administrator can do it. */
export const resetSecondFactorCommand: Command = {
  summary:
    'Removes the second factor of a manager user who has lost the app and the recovery codes, in the database of DATABASE_URL.',
  arguments: { user: 'The name of the user.' },
  options: { reason: neededOption('text', 'Why; it is recorded in the audit log.') },
  examples: ["waybill recover-second-factor admin --reason 'the phone is lost, ticket 4712'"],
  run: async (invocation) => {
    const reason = recordedReason(invocation);
    const userName = configuredUserNameSchema.safeParse(invocation.positionals[0]);
    if (!userName.success) throw new UsageError('this cannot be the name of a user');
    const removal = { userName: userName.data, reason, by: changedBy(invocation.env) };
    const instead = `\`waybill managers reset-second-factor ${userName.data}\``;
    await withPreparedDatabase(invocation, (db) => removeSecondFactor(db, removal), { instead });
    invocation.out(`${userName.data} has no second factor any longer.`);
  },
};

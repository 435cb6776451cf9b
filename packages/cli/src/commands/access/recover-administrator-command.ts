import { configuredUserNameSchema } from '@waybill/contracts/values/configured-names';
import type { UserName } from '@waybill/contracts/values/user-name';
import { recoverAdministrator } from '@waybill/directory/administration/recover-administrator';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { changedBy } from '../../changed-by.ts';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { neededOption, recordedReason } from '../../platform/option-values.ts';
import { platformOfDatabase } from '../../platform/target.ts';
import { describeCode } from '../configuration/describe-code.ts';

/** Makes an administrator on the server, when no administrator can log in any longer. */
export const recoverAdministratorCommand: Command = {
  summary:
    'Makes a manager user an administrator with a one-time code, in the database of DATABASE_URL. A password, a second factor, logins and API keys of the user end. A user who does not exist is created, and the output says so.',
  arguments: { user: 'The name of the user.' },
  options: { reason: neededOption('text', 'Why; it is recorded in the audit log.') },
  examples: ["waybill recover-administrator admin --reason 'the password is lost, ticket 4711'"],
  run: async (invocation) => {
    const reason = recordedReason(invocation);
    const userName = userNameOf(invocation);
    const by = changedBy(invocation.env);
    await withPreparedDatabase(invocation, async (db) => {
      const files = { countFiles: (vfsIds: readonly string[]) => countFiles(db, vfsIds), setLimits };
      const code = await recoverAdministrator({ db, files, userName, reason, by });
      invocation.out(
        code.isNew
          ? `! There was no manager user ${userName}: a new administrator was created. If the name is wrong, delete it: \`waybill objects delete manager-users ${userName}\`.`
          : `${userName} is an administrator.`,
      );
      for (const line of describeCode(code, invocation.env[platformOfDatabase])) invocation.out(line);
    });
  },
};

function userNameOf({ positionals: [name] }: Invocation): UserName {
  const userName = configuredUserNameSchema.safeParse(name);
  if (!userName.success) throw new UsageError('this cannot be the name of a user');
  return userName.data;
}

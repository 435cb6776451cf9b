import type { Command } from '../../command.ts';
import { accountOf, accountOptions, oneTimeCodeOption } from '../../platform/account.ts';
import { createClient } from '../../platform/create-client.ts';
import { flagOption, jsonOption } from '../../platform/option-values.ts';
import { newPassword, openSecrets, presentPassword } from '../../platform/passwords.ts';
import { printOne } from '../../platform/print-rows.ts';
import { changePassword } from './change-password.ts';

/** Changes the password of the user who runs it. */
export const changePasswordCommand: Command = {
  summary:
    'Changes your password, as a manager user or with `--partner` as a partner, also when a login demands it. Asks for the present one and twice for the new one, or reads both from two lines of standard input; the present one may be in WAYBILL_PASSWORD. Your logins end.',
  examples: [
    'waybill password',
    'waybill password --url https://127.0.0.1:9443 --user admin',
    'waybill password --url https://files.example.org --user acme --partner < passwords.txt',
  ],
  options: {
    ...accountOptions,
    'one-time-code': oneTimeCodeOption,
    partner: flagOption('Changes the password of a partner.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const isPartner = invocation.values['partner'] === true;
    const { url, user, side, ca } = await accountOf(invocation, isPartner ? 'partner' : undefined);
    await using client = createClient({ url, ca });
    await using secrets = openSecrets(invocation);
    const present = await presentPassword(invocation, secrets, `Password of ${user}: `);
    const chosen = await newPassword(secrets, user);
    await changePassword(client, { side, user, present, chosen }, invocation);
    printOne(invocation, { user, changed: true }, [
      `The password of ${user} is changed, and the logins of the user have ended. Log in again: \`waybill login\``,
    ]);
  },
};

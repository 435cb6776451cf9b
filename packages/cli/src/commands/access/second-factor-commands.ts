import {
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  findSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { accountOf, accountOptions, oneTimeCodeOption } from '../../platform/account.ts';
import { createClient } from '../../platform/create-client.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { readOneTimeCode, readPassword } from '../../platform/passwords.ts';
import { printOne } from '../../platform/print-rows.ts';

const options = { ...accountOptions, 'one-time-code': oneTimeCodeOption, json: jsonOption };

/** Shows the caller's second factor. */
export const showSecondFactorCommand: Command = {
  summary: 'Shows whether your logins need a second factor, and how many recovery codes are left.',
  examples: ['waybill second-factor show'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(findSecondFactorEndpoint);
    const { active, required, since, recoveryCodesLeft } = body;
    const state = active
      ? `active since ${since ?? ''}, with ${recoveryCodesLeft} recovery codes left`
      : `none${required ? ', and the account policy demands one' : ''}`;
    printOne(invocation, body, [`Second factor: ${state}`]);
  },
};

/** Sets up a second factor. */
export const enableSecondFactorCommand: Command = {
  summary:
    'Sets up a second factor: shows the secret for an authenticator app (TOTP), asks for its first code, and shows the recovery codes. Ends your logins.',
  examples: ['waybill second-factor enable', 'waybill second-factor enable --url https://127.0.0.1:9443 --user admin'],
  options: { ...accountOptions, json: jsonOption },
  run: async (invocation) => {
    const { terminal } = invocation;
    if (!terminal) throw new UsageError('the code of the app is asked for: run the command at a terminal');
    await withAccount(invocation, async ({ call }, credentials) => {
      const { body: enrolment } = await call(beginSecondFactorEndpoint, { body: credentials });
      printOne(invocation, enrolment, [
        'Add the account to an authenticator app, by this secret or this address as a QR code:',
        `    ${enrolment.secret}`,
        `    ${enrolment.uri}`,
      ]);
      const code = await terminal.askSecretly('Code of the app: ');
      const { body } = await call(confirmSecondFactorEndpoint, { body: { ...credentials, code } });
      const next = 'Logins need a code of the app from now on. Log in again: `waybill login`';
      printOne(invocation, body, [...describeRecoveryCodes(body.recoveryCodes), next]);
    });
  },
};

/** Removes the caller's second factor. */
export const disableSecondFactorCommand: Command = {
  summary: 'Removes your second factor, with the password and a code of the app or a recovery code.',
  examples: ['waybill second-factor disable'],
  options,
  run: async (invocation) => {
    await withAccount(invocation, async ({ call }, credentials) => {
      const code = await readOneTimeCode(invocation);
      await call(removeSecondFactorEndpoint, { body: { ...credentials, code } });
      printOne(invocation, { user: credentials.username, removed: true }, ['The second factor was removed.']);
    });
  },
};

/** Replaces the caller's recovery codes. */
export const renewRecoveryCodesCommand: Command = {
  summary: 'Replaces your recovery codes, with the password and a code of the app or a recovery code.',
  examples: ['waybill second-factor new-codes'],
  options,
  run: async (invocation) => {
    await withAccount(invocation, async ({ call }, credentials) => {
      const code = await readOneTimeCode(invocation);
      const { body } = await call(renewRecoveryCodesEndpoint, { body: { ...credentials, code } });
      printOne(invocation, body, describeRecoveryCodes(body.recoveryCodes));
    });
  },
};

function describeRecoveryCodes(codes: readonly string[]): string[] {
  const head = 'Recovery codes, each of which replaces a code of the app once. They are not shown again:';
  return [head, ...codes.map((code) => `    ${code}`)];
}

/** Uses the platform and the user of the options or of a context, with the password. */
async function withAccount(
  invocation: Invocation,
  use: (client: PlatformClient, credentials: { username: string; password: string }) => Promise<void>,
): Promise<void> {
  const { url, user, ca } = await accountOf(invocation, 'manager');
  await using client = createClient({ url, ca });
  const password = await readPassword(invocation, `Password of ${user}: `);
  try {
    await use(client, { username: user, password });
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'second_factor_absent') throw error;
    throw new UsageError(`${user} has no second factor`);
  }
}

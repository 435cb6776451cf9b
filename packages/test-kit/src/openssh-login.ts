import { fileURLToPath } from 'node:url';

/** By password, by private key, or (with neither) in vain. */
export interface OpensshLogin {
  readonly password?: string;
  /** The answer to prompts for a new password, by keyboard-interactive. */
  readonly newPassword?: string;
  /** Of a second factor, in response to the prompt for one. */
  readonly code?: string;
  readonly identityFile?: string;
  /** Further `-o` options of ssh, as in `{ Ciphers: 'aes128-ctr' }`; they win over those set here. */
  readonly sshOptions?: Readonly<Record<string, string>>;
}

/** Arguments of `ssh` and its kin that keep the machine's own configuration, known hosts, agent and terminal out of it. */
export function opensshArguments({ identityFile, sshOptions }: OpensshLogin): string[] {
  const options: Record<string, string> = {
    // `-b` asks for batch mode, which forbids passwords; the first value given wins.
    BatchMode: 'no',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    GlobalKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
    NumberOfPasswordPrompts: '1',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: identityFile === undefined ? 'password' : 'publickey',
    ...(identityFile === undefined ? {} : { IdentityFile: identityFile }),
    ...sshOptions,
  };
  return ['-F', '/dev/null', ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

/** The variables that give `ssh` a password without typing it in. */
export function opensshEnvironment({
  password = '',
  newPassword = '',
  code = '',
}: OpensshLogin): Record<string, string> {
  return {
    SSH_ASKPASS: fileURLToPath(new URL('askpass.sh', import.meta.url)),
    SSH_ASKPASS_REQUIRE: 'force',
    WAYBILL_TEST_PASSWORD: password,
    WAYBILL_TEST_NEW_PASSWORD: newPassword,
    WAYBILL_TEST_CODE: code,
  };
}

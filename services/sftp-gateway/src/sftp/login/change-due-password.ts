import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { AuthContext } from 'ssh2';
import { sshClient } from '../../domain/sessions/server-session.ts';
import type { GatewayEvents } from '../../events.ts';
import { promptFor } from './prompt-for.ts';

/** What changing a password in the course of a login needs. */
export interface DuePasswordPorts {
  readonly passwords: Pick<PartnerPasswords, 'demandOn' | 'change'>;
  /** A choice was refused, or the password was changed. */
  passwordChange(user: PartnerUser, outcome: 'changed' | 'refused'): Promise<void>;
}

/** The passwords of users on one connection, with the records and the events of their changes. */
export function duePasswords(connection: {
  readonly passwords: PartnerPasswords;
  readonly address: string;
  readonly port: number;
  readonly banner: string;
  readonly events: Pick<GatewayEvents, 'passwordChange' | 'operationFailed'>;
}): DuePasswordPorts {
  const { passwords, address, port, banner, events } = connection;
  const client = sshClient(address, port, banner);
  return {
    passwords: {
      demandOn: (user) => passwords.demandOn(user),
      change: (user, password) => passwords.change(user, password, client),
    },
    passwordChange: async (user, outcome) => {
      events.passwordChange(outcome);
      if (outcome === 'changed') return;
      const notAudited = (error: unknown): void => events.operationFailed('audit', error);
      await passwords.noteRefusal(user, 'password_refused', client).catch(notAudited);
    },
  };
}

const tries = 3;
const longestPassword = 1024;

/**
 * Lets a user whose password is right, but has expired or must be changed, choose another one by keyboard-interactive
 * (RFC 4256). Returns the user as the login continues; the same one if nothing is to be changed.
 * @throws CodedError `password_change_required` for another method, and after three refused choices
 */
export async function changeDuePassword(
  context: AuthContext,
  user: PartnerUser,
  { passwords, passwordChange }: DuePasswordPorts,
): Promise<PartnerUser> {
  const demand = await passwords.demandOn(user);
  if (demand === undefined) return user;
  const why = explainDemand(demand);
  if (context.method === 'keyboard-interactive') {
    let said = why;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const [chosen, again] = await promptFor(context, ['New password: ', 'New password again: '], said);
      if (chosen === undefined) break;
      const outcome = await tryToChange(passwords, user, { chosen, again });
      if (typeof outcome === 'object') {
        await passwordChange(user, 'changed');
        return outcome;
      }
      await passwordChange(user, 'refused');
      said = outcome;
    }
  }
  const detail = `${why}: change it over HTTP, or log in with keyboard-interactive`;
  throw new CodedError('password_change_required', { detail });
}

/** The user with the new password, or why it was refused. */
async function tryToChange(
  passwords: Pick<PartnerPasswords, 'change'>,
  user: PartnerUser,
  { chosen, again }: { chosen: string; again: string | undefined },
): Promise<PartnerUser | string> {
  if (chosen !== again) return 'The two passwords differ';
  if (chosen.length > longestPassword) return `The new password needs ${longestPassword} characters or less`;
  try {
    return await passwords.change(user, chosen);
  } catch (error) {
    if (isCodedError(error, 'password_refused', 'invalid_credentials')) return error.message;
    throw error;
  }
}

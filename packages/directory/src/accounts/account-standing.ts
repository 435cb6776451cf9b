import {
  type AccountPolicy,
  accountPolicySchema,
  defaultAccountPolicy,
} from '@waybill/contracts/configuration/accounts/account-policy';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A user whose account is meant. */
export interface AccountUser {
  readonly kind: 'manager' | 'partner';
  /** Decimal. */
  readonly id: string;
}

/** Why a user has to change the password before anything else. */
export type PasswordDemand = 'expired' | 'required';

/** The policy of an account, and what it demands now. */
export interface AccountStanding {
  readonly policy: AccountPolicy;
  readonly passwordDemand: PasswordDemand | undefined;
}

/** What holds where no policy is configured. */
export const builtInPolicy: AccountPolicy = accountPolicySchema.parse({ name: defaultAccountPolicy });

const policyName = {
  manager: `'${defaultAccountPolicy}'`,
  partner: `(SELECT coalesce(a.definition ->> 'accountPolicy', '${defaultAccountPolicy}')
               FROM directory.actors a WHERE a.id = u.actor_id)`,
} as const;

const tables = { manager: 'manager_users', partner: 'partner_users' } as const;

/** The standing of an account; `undefined` if its user was removed. */
export async function findAccountStanding(
  on: Queryable,
  { kind, id }: AccountUser,
): Promise<AccountStanding | undefined> {
  const [row] = await queryRows<{ definition: unknown; required: boolean; expired: boolean | null }>(
    on,
    `SELECT p.definition, u.password_change_required AS required,
            u.password_changed_at <= now() - make_interval(days =>
              CAST(p.definition #>> '{passwords,expiresAfterDays}' AS integer)) AS expired
       FROM directory.${tables[kind]} u
       LEFT JOIN directory.account_policies p ON p.name = ${policyName[kind]}
      WHERE u.id = :id`,
    { id },
  );
  if (row === undefined) return undefined;
  const { definition, required, expired } = row;
  return {
    policy: definition === null ? builtInPolicy : accountPolicySchema.parse(definition),
    passwordDemand: demandOf(required, expired),
  };
}

function demandOf(required: boolean, expired: boolean | null): PasswordDemand | undefined {
  if (required) return 'required';
  return expired === true ? 'expired' : undefined;
}

/** The sentence for a user who has to change the password. */
export function explainDemand(demand: PasswordDemand): string {
  return demand === 'expired' ? 'Your password has expired' : 'You must change your password';
}

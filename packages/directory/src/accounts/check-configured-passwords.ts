import { passwordObjections } from '@waybill/access/passwords/password-objections';
import {
  accountPolicySchema,
  defaultAccountPolicy,
  type PasswordRules,
} from '@waybill/contracts/configuration/accounts/account-policy';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** Whether a configuration sets the password of a user, who may have it already. */
export type SetsPassword = (kind: 'manager' | 'partner', userName: string) => boolean;

/**
 * Objections to the passwords that a configuration sets, by their places. Only policies that are configured apply: without
 * one, operators set what they like. What users had before is not looked at.
 */
export async function checkConfiguredPasswords(
  on: Queryable,
  configuration: PlatformConfiguration,
  sets: SetsPassword = () => true,
): Promise<FieldError[]> {
  const { managerUsers, actors } = configuration;
  const passwords = [
    ...managerUsers.flatMap(({ name, password }, index) =>
      sets('manager', name) ? [{ name, password, place: `managerUsers[${index}]`, actor: undefined }] : [],
    ),
    ...actors.flatMap(({ name: actor, users }, a) =>
      users.flatMap(({ name, password }, u) =>
        sets('partner', name) ? [{ name, password, place: `actors[${a}].users[${u}]`, actor }] : [],
      ),
    ),
  ].flatMap(({ password, ...place }) => (typeof password === 'string' ? [{ ...place, password }] : []));
  if (passwords.length === 0) return [];
  const rulesFor = await readRules(on, configuration);
  return passwords.flatMap(({ name, password, place, actor }) => {
    const rules = rulesFor(actor);
    const objections = rules === undefined ? [] : passwordObjections(rules, name, password);
    return objections.length === 0 ? [] : [{ field: `${place}.password`, message: objections.join(', and ') }];
  });
}

/** The rules for users of an actor, or for manager users, as they will be with the configuration. */
async function readRules(
  on: Queryable,
  { source, accountPolicies, actors }: PlatformConfiguration,
): Promise<(actor: string | undefined) => PasswordRules | undefined> {
  const named = JSON.stringify(actors.map(({ name }) => name));
  const [stored, references] = await Promise.all([
    queryRows<{ definition: unknown }>(
      on,
      'SELECT definition FROM directory.account_policies WHERE source IS DISTINCT FROM :source',
      { source },
    ),
    queryRows<{ name: string; policy: string | null }>(
      on,
      `SELECT name, definition ->> 'accountPolicy' AS policy FROM directory.actors
        WHERE name IN (SELECT jsonb_array_elements_text(CAST(:named AS jsonb)))`,
      { named },
    ),
  ]);
  const policies = [...stored.map(({ definition }) => accountPolicySchema.parse(definition)), ...accountPolicies];
  const rules = new Map(policies.map(({ name, passwords }) => [name, passwords]));
  const chosen = new Map(references.map(({ name, policy }) => [name, policy]));
  for (const { name, type, accountPolicy } of actors) if (type !== undefined) chosen.set(name, accountPolicy ?? null);
  return (actor) => rules.get((actor === undefined ? undefined : chosen.get(actor)) ?? defaultAccountPolicy);
}

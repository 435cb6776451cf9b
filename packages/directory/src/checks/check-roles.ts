import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';
import { z } from 'zod';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { type DescribedFor, titleOfEntity, unnamed } from '../sources/with-others.ts';
import type { MayExist } from './hidden-names.ts';

/** The fault of a platform without an administrator. */
export const administratorFault: FieldError = {
  field: 'managerUsers',
  message: 'no enabled user has the role Administrators',
};

/** Manager users and approvals whose roles do not exist, roles whose actors do not, and a platform without an administrator. */
export function checkRoles(
  { managerUsers, roles, workflowTemplates, actors }: PlatformConfiguration,
  mayExist: MayExist = () => false,
): FieldError[] {
  const names = new Set<string>([...builtInRoleNames, ...roles.map(({ name }) => name)]);
  const isKnown = (name: string): boolean => names.has(name) || mayExist('Role', { name });
  const unknown = managerUsers.flatMap((user, u) =>
    user.roles.flatMap((role, r) =>
      isKnown(role) ? [] : [{ field: `managerUsers[${u}].roles[${r}]`, message: `there is no role ${role}` }],
    ),
  );
  unknown.push(...checkApprovers(workflowTemplates, isKnown), ...checkActorsOfRoles(roles, actors, mayExist));
  const hasAdministrator = managerUsers.some(({ enabled, roles: own }) => enabled && own.includes('Administrators'));
  if (hasAdministrator || mayExist('Internal User')) return unknown;
  return [...unknown, administratorFault];
}

/** A name without an actor would give rights over whatever gets this name later. An entry without a type creates no actor. */
function checkActorsOfRoles(
  roles: PlatformConfiguration['roles'],
  actors: PlatformConfiguration['actors'],
  mayExist: MayExist,
): FieldError[] {
  const known = new Set(actors.filter(({ type }) => type !== undefined).map(({ name }) => name));
  return roles.flatMap(({ actors: limits = [] }, r) =>
    limits.flatMap((actor, a) =>
      known.has(actor) || mayExist('Actor', { name: actor })
        ? []
        : [{ field: `roles[${r}].actors[${a}]`, message: `there is no actor ${actor}` }],
    ),
  );
}

/** `role:Managers` where no role Managers exists. What an expression yields is not known yet. */
function checkApprovers(
  templates: PlatformConfiguration['workflowTemplates'],
  isKnown: (role: string) => boolean,
): FieldError[] {
  return templates.flatMap((template, t) =>
    approversIn(template)
      .filter(({ name }) => name.startsWith('role:') && !isKnown(name.slice('role:'.length)))
      .map(({ name, setting }) => ({ field: `workflowTemplates[${t}].${setting}`, message: `${name} is no role` })),
  );
}

/**
 * Workflow templates whose approvals name users who are deleted. Users of an issuer of OpenID Connect need no entry of the
 * configuration: whether there is a user of a name cannot be checked otherwise.
 */
export function describeLostApprovers(
  entities: readonly StoredEntity[],
  lost: ReadonlySet<string>,
  { mayName = () => true }: DescribedFor,
): string[] {
  const templates = entities.filter(({ entityType }) => entityType === 'Workflow Template');
  return templates.flatMap((template) =>
    approversIn(templateSchema.parse(template.definition))
      .filter(({ name }) => lost.has(name))
      .map(({ name, setting }) => {
        if (!mayName(template)) return `${unnamed(template)} names the user ${name}`;
        return `${titleOfEntity(template)} names the user ${name} in ${setting}`;
      }),
  );
}

const stepsSchema = z
  .array(z.looseObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) }))
  .default([]);
const templateSchema = z.object({ steps: stepsSchema, onError: stepsSchema, finally: stepsSchema });

/** The users and roles that the approvals of a template name, with the settings. Expressions are left out. */
function approversIn(template: {
  readonly [Section in 'steps' | 'onError' | 'finally']?: z.infer<typeof stepsSchema> | undefined;
}): { readonly name: string; readonly setting: string }[] {
  return (['steps', 'onError', 'finally'] as const).flatMap((section) =>
    (template[section] ?? []).flatMap(({ uses, with: parameters }, s) => {
      const approvers = uses === 'wait-for-approval' ? parameters['approvers'] : undefined;
      const names: unknown[] = typeof approvers === 'string' ? approvers.split(',') : [approvers].flat();
      return names
        .map((name) => (typeof name === 'string' ? name.trim() : ''))
        .filter((name) => name !== '' && !name.includes('${{'))
        .map((name) => ({ name, setting: `${section}[${s}].with.approvers` }));
    }),
  );
}

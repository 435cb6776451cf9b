import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';

/** The fault of a platform without an administrator. */
export const administratorFault: FieldError = {
  field: 'managerUsers',
  message: 'no enabled user has the role Administrators',
};

/** Manager users and approvals whose roles do not exist, roles whose actors do not, and a platform without an administrator. */
export function checkRoles({ managerUsers, roles, workflowTemplates, actors }: PlatformConfiguration): FieldError[] {
  const known = new Set<string>([...builtInRoleNames, ...roles.map(({ name }) => name)]);
  const unknown = managerUsers.flatMap((user, u) =>
    user.roles.flatMap((role, r) =>
      known.has(role) ? [] : [{ field: `managerUsers[${u}].roles[${r}]`, message: `there is no role ${role}` }],
    ),
  );
  unknown.push(...checkApprovers(workflowTemplates, known), ...checkActorsOfRoles(roles, actors));
  const hasAdministrator = managerUsers.some(({ enabled, roles: own }) => enabled && own.includes('Administrators'));
  if (hasAdministrator) return unknown;
  return [...unknown, administratorFault];
}

/** A name without an actor would give rights over whatever gets this name later. An entry without a type creates no actor. */
function checkActorsOfRoles(
  roles: PlatformConfiguration['roles'],
  actors: PlatformConfiguration['actors'],
): FieldError[] {
  const known = new Set(actors.filter(({ type }) => type !== undefined).map(({ name }) => name));
  return roles.flatMap(({ actors: limits = [] }, r) =>
    limits.flatMap((actor, a) =>
      known.has(actor) ? [] : [{ field: `roles[${r}].actors[${a}]`, message: `there is no actor ${actor}` }],
    ),
  );
}

/** `role:Managers` where no role Managers exists. What an expression yields is not known yet. */
function checkApprovers(
  templates: PlatformConfiguration['workflowTemplates'],
  known: ReadonlySet<string>,
): FieldError[] {
  return templates.flatMap(({ steps }, t) =>
    steps.flatMap(({ uses, with: parameters }, s) => {
      const approvers = uses === 'wait-for-approval' ? parameters['approvers'] : undefined;
      const names: unknown[] = typeof approvers === 'string' ? approvers.split(',') : [approvers].flat();
      return names
        .map((name) => (typeof name === 'string' ? name.trim() : ''))
        .filter((name) => name.startsWith('role:') && !name.includes('${{') && !known.has(name.slice('role:'.length)))
        .map((name) => ({
          field: `workflowTemplates[${t}].steps[${s}].with.approvers`,
          message: `${name} is no role`,
        }));
    }),
  );
}

import { coverGrants, type Grant, limitGrants, type Principal, reachOf } from '@waybill/access/principal';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { type Permission, type PermissionPattern, permissionsOf } from '@waybill/contracts/roles/permissions';
import { findGrants } from '@waybill/directory/rights/find-rights';
import type { Transaction } from '@waybill/postgres/database';

/** What an API key is to have. */
interface WantedScope {
  readonly roles: readonly string[];
  readonly permissions: readonly PermissionPattern[];
  readonly actors: readonly string[] | undefined;
}

/** Refuses a scope that is wider than the rights of its owner. @throws CodedError `validation_failed` with each excess */
export async function assertScope(trx: Transaction, owner: Principal, wanted: WantedScope): Promise<void> {
  const errors = [...(await excessiveRoles(trx, owner, wanted)), ...excessivePermissions(owner, wanted)];
  const [first] = errors;
  if (!first) return;
  throw new CodedError('validation_failed', { detail: `${first.field}: ${first.message}`, fields: errors });
}

/** Roles that the owner does not have, and that allow more than the owner may do. Whether they exist is not disclosed. */
async function excessiveRoles(
  trx: Transaction,
  owner: Principal,
  { roles, actors }: WantedScope,
): Promise<FieldError[]> {
  const isWithin = async (role: string): Promise<boolean> =>
    owner.roles.includes(role) || isCovered(owner.grants, limitGrants(await findGrants(trx, [role]), actors));
  const errors: FieldError[] = [];
  for (const [index, role] of roles.entries()) {
    if (await isWithin(role)) continue;
    errors.push({ field: `roles[${index}]`, message: `there is no role ${role} within your rights` });
  }
  return errors;
}

function isCovered(grants: readonly Grant[], role: readonly Grant[]): boolean {
  return role.length > 0 && role.every(({ actors }) => actors?.length !== 0) && coverGrants(grants, role);
}

/** Each permission of a pattern has to be one of the owner, for all actors of the key if it is limited to some. */
function excessivePermissions({ grants }: Principal, { permissions, actors }: WantedScope): FieldError[] {
  const isOwn = (permission: Permission): boolean => {
    const reach = reachOf(grants, permission);
    if (reach === 'all' || actors === undefined) return reach.length > 0;
    return actors.every((actor) => reach.includes(actor));
  };
  return permissions.flatMap((pattern, index) => {
    const foreign = [...permissionsOf([pattern])].filter((permission) => !isOwn(permission));
    const message = `you do not have ${foreign.join(', ')}${actors === undefined ? '' : ' for all of the actors'}`;
    return foreign.length === 0 ? [] : [{ field: `permissions[${index}]`, message }];
  });
}

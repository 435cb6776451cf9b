import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '../database.ts';

/** The conditions on the database user of a service. */
export interface PrivilegeCheck {
  /** `allow` is for installations with a single role. */
  readonly privilegedUser: 'refuse' | 'allow';
  /** The schemas that the service uses. */
  readonly schemas: readonly string[];
}

interface UserRow {
  name: string;
  superuser: boolean;
  powerful: boolean;
  owns: string[];
}

/**
 * Refuses to work as a user who could bypass the privileges: a superuser, one who may create roles, or one who owns
 * the service's tables or can act as their owner.
 * @throws CodedError `configuration_invalid` with a sentence that names the setting
 */
export async function assertUnprivileged(db: Database, check: PrivilegeCheck): Promise<void> {
  if (check.privilegedUser === 'allow') return;
  const { rows } = await db.raw<{ rows: UserRow[] }>(
    `SELECT rolname AS name, rolsuper AS superuser, rolcreaterole OR rolreplication OR rolbypassrls AS powerful,
       ARRAY(SELECT nspname::text FROM pg_namespace
             WHERE nspname = ANY (CAST(? AS text[])) AND pg_has_role(current_user, nspowner, 'MEMBER')
             ORDER BY nspname) AS owns
     FROM pg_roles WHERE rolname = current_user`,
    [[...check.schemas]],
  );
  const [user] = rows;
  const fault = user && faultOf(user);
  if (fault === undefined) return;
  throw new CodedError('configuration_invalid', {
    detail:
      `the database user ${user?.name} of DATABASE_URL ${fault}: connect as the role of this service, which \`waybill migrate\` ` +
      'creates, or set DATABASE_PRIVILEGED_USER=allow',
  });
}

function faultOf({ superuser, powerful, owns }: UserRow): string | undefined {
  if (superuser) return 'is a superuser';
  if (powerful) return 'may create roles, replicate or bypass row security';
  return owns.length > 0 ? `owns ${owns.join(', ')}` : undefined;
}

import {
  type DatabaseRole,
  databaseRoles,
  defaultRolePrefix,
  roleNameOf,
  runtimeRoleNames,
} from '@waybill/postgres/roles/database-roles';
import { refusedToAll, refusedToOne, type RefusedStatement } from '@waybill/postgres/roles/refused-statements';
import { type ObjectGrants, tableGrants } from '@waybill/postgres/roles/table-grants';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/database-roles.md`: the roles that log in to PostgreSQL, and their privileges. */
export function renderDatabaseRolesPage(): GeneratedPage {
  return {
    path: 'docs/database-roles.md',
    text: `# Database roles

\`waybill migrate\` creates these roles and grants them exactly the privileges on this page; it revokes all others.
[Running Waybill](running.md#the-database) describes how to set their passwords. Names begin with \`${defaultRolePrefix}\`, or with
\`DATABASE_ROLE_PREFIX\` if several installations share one PostgreSQL server.

${markdownTable(['Role', 'Used by'], roles())}
None of them is a superuser, or may create roles or databases, replicate, or bypass row security. The runtime roles own nothing,
cannot create anything, not even temporary tables, and cannot become another role. Only the migrator can act as the owner.

A service refuses to start as a superuser or as a user who owns its tables, unless \`DATABASE_PRIVILEGED_USER=allow\` is set.

Two restrictions are of special importance:

- \`audit\` may insert into the audit log and read it. No role may change or delete a record. Only \`audit.tree_head\`, one row with the end of the log, is updated with
  every batch; a trigger prevents that it goes back.
- Producers of events may append to \`outbox.events\`, and read only the topic and the time of an event. Only the consumers, \`audit\` and
  \`job-manager\`, read and delete events.

## Privileges

A privilege on some columns only names these columns in brackets. \`EXECUTE\` is for functions, which run as the owner. Partitions of a
table have no privileges of their own. Every role with a privilege in a schema can read the schema's table
\`migrations\`, which shows the release of the database.

${Object.entries(tableGrants)
  .map(([schema, objects]) => `### ${schema}\n\n${rightsIn(objects)}`)
  .join('\n')}
## Refused statements

\`packages/cli/tests/database-roles.test.ts\` logs in to a migrated database as each of these roles, tries every statement below, and expects the
SQLSTATE of the refusal: 42501 is \`insufficient_privilege\`. Of several statements, those before the last one are allowed.

Refused to every runtime role:

${markdownTable(['What', 'Statements', 'SQLSTATE'], refusedToAll.map(refusal))}
Refused to one role, and allowed to another:

${markdownTable(
  ['Role', 'What', 'Statements', 'SQLSTATE'],
  refusedToOne.map((refused) => [`\`${roleNameOf(refused.role)}\``, ...refusal(refused)]),
)}`,
  };
}

function roles(): string[][] {
  return Object.entries(databaseRoles).map(([role, use]) => [`\`${roleNameOf(role as DatabaseRole)}\``, use]);
}

function refusal({ what, statements, sqlState }: RefusedStatement): string[] {
  return [what, statements.map((statement) => `\`${statement}\``).join('; '), sqlState];
}

function rightsIn(objects: Readonly<Record<string, ObjectGrants>>): string {
  const users = runtimeRoleNames.filter((role) => Object.values(objects).some((grants) => role in grants));
  const rows = Object.entries(objects).map(([object, grants]) => [
    `\`${object}\``,
    ...users.map((role) => (grants[role] ?? []).join(', ')),
  ]);
  return markdownTable(['Object', ...users.map((role) => `\`${roleNameOf(role)}\``)], rows);
}

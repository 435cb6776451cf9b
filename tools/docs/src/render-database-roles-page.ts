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

\`waybill migrate\` creates these roles and keeps their rights as this page has them: what somebody granted by hand is taken away
again. [Running Waybill](running.md#the-database) says how to give them passwords. Names begin with \`${defaultRolePrefix}\`, or with
\`DATABASE_ROLE_PREFIX\` where several installations share one PostgreSQL.

${markdownTable(['Role', 'Is used by'], roles())}
None of them is a superuser, may create roles or databases, replicate, or pass over row security. The runtime roles own nothing, can
create nothing, temporary tables included, and can become no other role. Only the migrator can act as the owner.

A service refuses to start as a superuser or as a user who owns its tables, unless \`DATABASE_PRIVILEGED_USER=allow\` says otherwise.

Two rights stand out:

- \`audit\` may insert into the audit log and read it. Nothing may change or delete a record; only \`audit.head\`, one row that says where the log ends,
  is updated with every batch, and a trigger refuses that it moves back.
- Producers of events may append to \`outbox.events\`, and read nothing of an event but its topic and time. Only the consumers, \`audit\` and
  \`job-manager\`, read and delete events.

## Rights

Columns are in brackets where a right is for these alone. Every role with a right in a schema can read the schema's table
\`migrations\`, which says what release the database is of.

${Object.entries(tableGrants)
  .map(([schema, objects]) => `### ${schema}\n\n${rightsIn(objects)}`)
  .join('\n')}
## Refused statements

\`packages/cli/tests/database-roles.test.ts\` logs in to a migrated database as each of these roles, tries every statement below, and expects the
SQLSTATE of the refusal: 42501 is \`insufficient_privilege\`. Of several statements, those before the last may be done.

To every runtime role:

${markdownTable(['What', 'Statements', 'SQLSTATE'], refusedToAll.map(refusal))}
To one, while another one may do it:

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
  return markdownTable(['Table', ...users.map((role) => `\`${roleNameOf(role)}\``)], rows);
}

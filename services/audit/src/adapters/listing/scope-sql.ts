import type { OwnedName } from '@waybill/directory/rights/names-of-actors';
import type { RecordScope } from '../../domain/log/record-log.ts';
import { indexedSql, type Sql } from './filter-sql.ts';
import { recordColumns } from './record-columns.ts';

/** That a record has one of some audit codes; no condition without them. */
export function codeConditions(codes: readonly string[] | undefined): Sql[] {
  return codes ? [{ text: 'audit_code = ANY (CAST(? AS text[]))', bindings: [[...codes]] }] : [];
}

/**
 * What a scope says about whose a record is. A record belongs to the owner of its virtual file system, and one without to the owner of
 * its user. The names by themselves are in indexes; the second condition leaves out records from before the names were owned.
 */
export function ownedConditions({ owned }: Partial<RecordScope> = {}): Sql[] {
  if (!owned) return [];
  const { virtualFileSystem: vfs, dataoneUser: user } = recordColumns;
  const { users, virtualFileSystems } = owned;
  return [
    {
      text: `${indexedSql('virtualFileSystem')} = ANY (CAST(? AS text[]))
        OR (${vfs} IS NULL AND ${indexedSql('dataoneUser')} = ANY (CAST(? AS text[])))`,
      bindings: [namesOf(virtualFileSystems), namesOf(users).map((name) => Array.from(name).slice(0, 100).join(''))],
    },
    {
      text: `CASE WHEN ${vfs} IS NULL THEN ${isOwned(user)} ELSE ${isOwned(vfs)} END`,
      bindings: [namesOf(users), timesOf(users), namesOf(virtualFileSystems), timesOf(virtualFileSystems)],
    },
  ];
}

function isOwned(column: string): string {
  return `EXISTS (SELECT FROM unnest(CAST(? AS text[]), CAST(? AS timestamptz[])) AS owned (name, since)
    WHERE owned.name = ${column} AND owned.since <= audit_time)`;
}

function namesOf(names: readonly OwnedName[]): string[] {
  return names.map(({ name }) => name);
}

function timesOf(names: readonly OwnedName[]): string[] {
  return names.map(({ since }) => since.toISOString());
}

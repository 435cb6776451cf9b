import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import type { Queryable } from '@waybill/postgres/database';
import type { RecordScope } from '../../domain/log/record-log.ts';
import type { Sql } from './filter-sql.ts';
import { findFormerPlaces, type FormerPlace } from './former-places.ts';
import { findConditions, type FoundConditions, newestOfFile, placeAfter } from './found-conditions.ts';

/** What has become of a file that is no longer at its path. */
const goneCodes = [auditCatalogue.fileDeleted.code, auditCatalogue.fileExpired.code];

/**
 * The conditions of a filter on the newest records of files, which exclude each other; the first one is that of the filter itself. The
 * others find files that are sought by their path, and to which nothing has happened since a folder above them was renamed.
 */
export async function findFiles(
  db: Queryable,
  filter: AuditFilter,
  scope: RecordScope | undefined,
): Promise<readonly FoundConditions[]> {
  const limits = { scope, files: true };
  const sought = await findConditions(db, filter, limits);
  if (!sought) return [];
  const byFilter = new Map([[filter, sought]]);
  const parts = [sought];
  // A place comes after those that are later.
  for (const place of await findFormerPlaces(db, filter, scope)) {
    const found = await findConditions(db, place.filter, limits);
    if (!found) continue;
    const unseen = place.later.flatMap((later) => unlessSeenAt(byFilter.get(later.filter), place.path, later.path));
    const others = [...found.others, isStillThere(place), ...unseen, ...parts.flatMap(isOutside)];
    byFilter.set(place.filter, found);
    parts.push({ ...found, others });
  }
  return parts;
}

/** That a file was at a place when the folder was renamed, as far as its newest record there tells. */
function isStillThere({ path, filter }: FormerPlace): Sql {
  const isAtPath = filter.exact.filePath === undefined ? `starts_with(${placeAfter}, ?)` : `${placeAfter} = ?`;
  return {
    text: `CASE WHEN audit_code <> ALL (CAST(? AS text[])) AND ${isAtPath} THEN true ELSE false END`,
    bindings: [[...goneCodes], path],
  };
}

/** That a record is not found by another part, as where a folder has got its name back. */
function isOutside({ matching }: FoundConditions): Sql[] {
  if (!matching) return [];
  return [{ text: `CASE WHEN ${matching.text} THEN false ELSE true END`, bindings: matching.bindings }];
}

/** That nothing which matches has happened to a file at a later place: it is found by that. */
function unlessSeenAt({ matching }: Partial<FoundConditions> = {}, former: string, later: string): Sql[] {
  if (!matching) return [];
  const rest = `substr(${placeAfter}, ${Array.from(former).length + 1})`;
  return [newestOfFile(matching, { text: `(CAST(? AS text) || ${rest})`, bindings: [later] })];
}

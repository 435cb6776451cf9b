import { allOf, type Sql, timeBoundsOf } from './filter-sql.ts';
import { type FoundConditions, whereSql } from './found-conditions.ts';

/** A page in the order of an id within a range of time. */
export interface IdPage {
  readonly found: FoundConditions;
  readonly field: 'id' | 'correlationId';
  readonly direction: 'asc' | 'desc';
  /** The part after a cursor, and the id in it. */
  readonly after: Sql | undefined;
  readonly afterId: string | undefined;
  readonly range: { readonly limit: number; readonly offset: number };
}

/** An id that is farther from the time of its record is a stray: see `audit.is_stray`. */
const toleranceMs = 60_000;

/**
 * The numbers of the records of a page, in the order of their ids or of those of the records before: the first of the
 * ids of the time, and the first of the strays, merged. By the index of all ids, PostgreSQL would read all records
 * before those of the time.
 */
export function idPageSql({ found, field, direction, after, afterId, range }: IdPage): Sql {
  const { limit, offset } = range;
  const end = `${direction} LIMIT ${limit + offset}`;
  const where = whereSql(found, after ? [after] : []);
  const within = idsWithin({ found, direction, afterId });
  const parts =
    field === 'id' ? [regularIds(where, within)] : [regularCorrelationIds(where, within), firstStored(where)];
  const column = field === 'id' ? 'id' : 'correlation_id';
  const strays = {
    ...where,
    text: `SELECT sequence, ${column} AS key FROM audit.records WHERE ${where.text} AND audit.is_stray(${column}, audit_time)`,
  };
  const all = [...parts, strays];
  return {
    text: `SELECT sequence FROM (${all.map(({ text }) => `(${text} ORDER BY key ${end})`).join(' UNION ALL ')}) AS page
      ORDER BY key ${direction} LIMIT ${limit} OFFSET ${offset}`,
    bindings: all.flatMap(({ bindings }) => bindings),
  };
}

/** The ids of records of the time that are no strays, for a statement on `audit.records`. */
function idsWithin({ found, direction, afterId }: Pick<IdPage, 'found' | 'direction' | 'afterId'>): Sql {
  const [lowest, highest] = timeBoundsOf(found.times);
  const bound = (sign: string, id: string): Sql => ({ text: `id ${sign} CAST(? AS uuid)`, bindings: [id] });
  return allOf([
    ...(lowest ? [bound('>=', idAt(lowest.getTime() - toleranceMs, '0'))] : []),
    ...(highest ? [bound('<=', idAt(highest.getTime() + toleranceMs, 'f'))] : []),
    ...(afterId === undefined ? [] : [bound(direction === 'asc' ? '>=' : '<=', afterId)]),
  ]);
}

function regularIds(where: Sql, within: Sql): Sql {
  return {
    text: `SELECT sequence, id AS key FROM audit.records
      WHERE ${within.text} AND ${where.text} AND NOT audit.is_stray(id, audit_time)`,
    bindings: [...within.bindings, ...where.bindings],
  };
}

/**
 * `correlation_id` is the id of the record before, whose index has the order. `OFFSET 0` and the CASE, of which PostgreSQL
 * assumes that half are true, keep it from another plan.
 */
function regularCorrelationIds(where: Sql, within: Sql): Sql {
  return {
    text: `SELECT sequence, previous_id AS key
      FROM (SELECT id AS previous_id, sequence + 1 AS next FROM audit.records WHERE ${within.text}) AS previous
      CROSS JOIN LATERAL (SELECT * FROM audit.records WHERE sequence = next OFFSET 0) AS records
      WHERE CASE WHEN correlation_id = previous_id THEN true ELSE false END AND ${where.text}
        AND NOT audit.is_stray(correlation_id, audit_time)`,
    bindings: [...within.bindings, ...where.bindings],
  };
}

/** The first stored record: the one before may be archived. */
function firstStored(where: Sql): Sql {
  return {
    text: `SELECT sequence, correlation_id AS key
      FROM (SELECT * FROM audit.records ORDER BY sequence LIMIT 1) AS records
      WHERE ${where.text} AND NOT audit.is_stray(correlation_id, audit_time)`,
    bindings: where.bindings,
  };
}

/** The lowest or the highest id of a millisecond. */
function idAt(ms: number, digit: '0' | 'f'): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  const rest = digit.repeat(20);
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}

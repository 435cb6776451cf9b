import type { SortSetting } from '@waybill/contracts/endpoints/administration/list-sorts';
import { type Kind, timeText } from './stored-entities.ts';

/** A value by which entities are sorted; null: the setting is absent. */
export type SortValue = string | number | boolean | null;

/** How entities are sorted before their names, in SQL. */
export interface ListOrder {
  /** The value of an entity `t`. */
  readonly value: string;
  /** What is shown of a value in `t.sorted`: null if it is absent. */
  readonly shown: string;
  /** The value of the last entity of the page before. */
  readonly last: string;
  readonly bindings: Readonly<Record<string, string>>;
  /** Whether the value is noted of the entity, and no setting. */
  readonly isNoted: boolean;
}

// PostgreSQL orders values of JSON of all types: objects are behind all others.
const absent = "CAST('{}' AS jsonb)";

/** The order of a list by a setting, or by what is noted. `after`: the value of the last entity of the page before, of a client. */
export function listOrder(
  { noted }: Kind,
  { setting, byDefault }: SortSetting,
  after: SortValue | undefined,
): ListOrder {
  const column = noted?.times[setting];
  if (column === undefined) {
    return {
      value: 'COALESCE(definition -> CAST(:sort AS text), CAST(:sortDefault AS jsonb))',
      shown: `NULLIF(t.sorted, ${absent})`,
      last: 'CAST(:afterValue AS jsonb)',
      bindings: {
        sort: setting,
        sortDefault: JSON.stringify(byDefault ?? {}),
        afterValue: JSON.stringify(after ?? {}),
      },
      isNoted: false,
    };
  }
  return {
    // With the precision of what is shown.
    value: `COALESCE(date_trunc('milliseconds', noted.${column}), 'infinity')`,
    shown: `CASE WHEN isfinite(t.sorted) THEN ${timeText('t.sorted')} END`,
    last: 'to_timestamp(CAST(:afterValue AS double precision))',
    bindings: { afterValue: secondsOf(after) },
    isNoted: true,
  };
}

/** An instant in seconds since 1970, as PostgreSQL reads it. No client makes it fail. */
function secondsOf(after: SortValue | undefined): string {
  const atMs = typeof after === 'string' ? Date.parse(after) : Number.NaN;
  return Number.isNaN(atMs) ? 'Infinity' : String(Math.max(0, atMs) / 1_000);
}

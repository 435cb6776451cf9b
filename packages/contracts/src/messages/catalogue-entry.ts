import type { AuditOperation } from '../values/audit-operation.ts';
import type { AuditEvent } from './audit-event.ts';

/** The code and the text of one kind of audited event. */
export interface CatalogueEntry {
  readonly code: `AUD${string}A`;
  readonly operation: AuditOperation;
  readonly clusterId: AuditEvent['clusterId'];
  /** `{user}`, `{path}`, `{fileset}`, ... are replaced by the given names. */
  readonly text: string;
}

/** An entry of a catalogue, whose code has this number. */
export function entry<O extends AuditOperation>(
  clusterId: AuditEvent['clusterId'],
  number: number,
  operation: O,
  text: string,
) {
  return { code: `AUD${String(number).padStart(4, '0')}A` as const, operation, clusterId, text };
}

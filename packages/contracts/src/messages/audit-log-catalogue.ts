import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** What is audited of the audit log itself. */
export const auditLogCatalogue = {
  auditConfigurationModified: entry(
    'MANAGER',
    100,
    'MODIFY',
    'User {user} has modified the Audit Configuration: {change}',
  ),
  auditEnabled: entry('MANAGER', 106, 'MODIFY', "User '{user}' has enabled {entityName} of Audit"),
  auditDisabled: entry('MANAGER', 107, 'MODIFY', "User '{user}' has disabled {entityName} of Audit"),
  auditLogImported: entry(
    'MANAGER',
    110,
    'CREATE',
    'The audit log continues a hash chain of {records} records that ends with {entityId}, its digest {entityName}, ' +
      'signed by {key}: {signature}. Records that were not as hashed: {faults}',
  ),
  auditKeyChanged: entry(
    'MANAGER',
    111,
    'MODIFY',
    'The audit log is signed by {entityName}. {entityId} signs nothing after record {size}',
  ),
  auditLogRestored: entry(
    'MANAGER',
    112,
    'MODIFY',
    'User {user} has accepted that the audit log continues after record {size}, although record {entityId} of ' +
      '{entityName} was signed with the root {root}: {reason}',
  ),
  auditRecordRedacted: entry(
    'MANAGER',
    113,
    'MODIFY',
    'User {user} has erased {entityName} of {count} audit records: {reason}',
  ),
  auditRecordsRemoved: entry(
    'MANAGER',
    114,
    'DELETE',
    'Audit records {entityId} were moved to the archive {file} with the SHA-256 {entityName}, kept for {days} days',
  ),
  auditAnchorFailed: entry(
    'MANAGER',
    115,
    'MODIFY',
    'The anchor {entityName} has failed since {since}, after the checkpoint of record {size}: {reason}',
  ),
  auditAnchorRecovered: entry(
    'MANAGER',
    116,
    'MODIFY',
    'The anchor {entityName} has the checkpoint of record {size}, after a failure since {since}',
  ),
  auditLogRead: entry('MANAGER', 117, 'MODIFY', 'User {user} has read the audit log: {request}'),
  auditLogExported: entry('MANAGER', 118, 'MODIFY', 'User {user} has exported the audit log: {request}'),
  auditLogVerified: entry('MANAGER', 119, 'MODIFY', 'User {user} has had the audit log verified'),
  auditReadsCounted: entry(
    'MANAGER',
    120,
    'MODIFY',
    'User {user} has read the audit log {count} more times between {first} and {last}',
  ),
  legalHoldSet: entry('MANAGER', 121, 'CREATE', 'User {user} has placed {entityName} on legal hold: {reason}'),
  legalHoldLifted: entry('MANAGER', 122, 'DELETE', 'User {user} has released the legal hold of {entityName}: {reason}'),
  stuckEventsRetried: entry('MANAGER', 123, 'MODIFY', 'User {user} has made {count} events due that were set aside'),
  auditForwardingFailed: entry(
    'MANAGER',
    124,
    'MODIFY',
    'The forwarding of audit records to {entityName} has failed since {since}, after record {size}: {reason}',
  ),
  auditForwardingRecovered: entry(
    'MANAGER',
    125,
    'MODIFY',
    'Audit records up to record {size} were forwarded to {entityName}, after a failure since {since}',
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** The codes of the records that the audit service adds itself; an event of another service with one is refused. */
export const auditLogCodes: ReadonlySet<string> = new Set([
  auditLogCatalogue.auditConfigurationModified.code,
  auditLogCatalogue.auditEnabled.code,
  auditLogCatalogue.auditDisabled.code,
  auditLogCatalogue.auditLogImported.code,
  auditLogCatalogue.auditKeyChanged.code,
  auditLogCatalogue.auditLogRestored.code,
  auditLogCatalogue.auditRecordRedacted.code,
  auditLogCatalogue.auditRecordsRemoved.code,
  auditLogCatalogue.legalHoldSet.code,
  auditLogCatalogue.legalHoldLifted.code,
  auditLogCatalogue.auditAnchorFailed.code,
  auditLogCatalogue.auditAnchorRecovered.code,
]);

import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** What is audited of configurations as a whole. Each object that they change is audited as well. */
export const configurationCatalogue = {
  configurationPlanned: entry(
    'MANAGER',
    80,
    'CREATE',
    'User {user} has planned to apply {file} of the source {entityName}',
  ),
  configurationApplied: entry('MANAGER', 81, 'MODIFY', 'User {user} has applied {file} of the source {entityName}'),
  configurationExported: entry('MANAGER', 82, 'CREATE', 'User {user} has exported the configuration of {entityName}'),
  entityAdopted: entry(
    'MANAGER',
    83,
    'MODIFY',
    'The source {source} has taken over the {entityType} {entityName}, as user {user} has asked',
  ),
  entityReleased: entry(
    'MANAGER',
    84,
    'MODIFY',
    'The source {source} has given the {entityType} {entityName} to the API, as user {user} has asked',
  ),
  entityForced: entry(
    'MANAGER',
    85,
    'MODIFY',
    'User {user} has changed the {entityType} {entityName} of the source {source} by force: {reason}',
  ),
} as const satisfies Record<string, CatalogueEntry>;

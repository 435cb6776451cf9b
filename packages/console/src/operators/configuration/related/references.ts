import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { isRecord } from '../changes/records.ts';
import { findCollection } from '../stored/collection.ts';
import type { ConfiguredObject } from '../stored/objects.ts';

/** A list that has what refers to objects of a kind, with its filter by their names: what the filter reads are the references. */
export type Use = readonly [collection: string, filter: string];

const uses: Readonly<Record<string, readonly Use[]>> = {
  clusters: [['connection-contracts', 'cluster']],
  'account-policies': [['actors', 'accountPolicy']],
  'storage-classes': [['virtual-file-systems', 'storageClass']],
  roles: [['manager-users', 'role']],
  queues: [['contracts', 'queue']],
  'workflow-templates': [
    ['contracts', 'workflow'],
    ['workflow-templates', 'workflow'],
  ],
  users: [['connection-contracts', 'user']],
  groups: [
    ['users', 'group'],
    ['connection-contracts', 'group'],
  ],
  'virtual-file-systems': [
    ['connection-contracts', 'vfs'],
    ['contracts', 'vfs'],
  ],
  'client-connections': [['workflow-templates', 'connection']],
  'pgp-keys': [['workflow-templates', 'pgpKey']],
};

/** Kinds whose names workflows often take from a variable or an expression; PGP keys may be several in a text. */
export const namedByVariables: ReadonlySet<string> = new Set(['client-connections', 'pgp-keys']);

/** The lists that have what refers to an object of a kind. */
export function usesOf({ collection }: AdministeredResource): readonly Use[] {
  return uses[collection] ?? [];
}

/** What an object refers to. */
export interface Reference {
  readonly kind: AdministeredResource;
  readonly name: string;
  /** Where the name alone does not say which object it is. */
  readonly actor: string | undefined;
}

/** What the settings of an object refer to, each once. Names that only a run of a workflow knows are left out. */
export function referencesOf(resource: AdministeredResource, object: ConfiguredObject): readonly Reference[] {
  return Object.entries(uses).flatMap(([collection, lists]) => {
    const kind = findCollection(collection);
    if (kind === undefined) return [];
    const values = lists
      .filter(([source]) => source === resource.collection)
      .flatMap(([, filter]) => resource.filters?.filter(({ name }) => name === filter) ?? [])
      .flatMap(({ setting, or = [] }) => [setting, ...or])
      .flatMap((setting) => valuesAt(object, setting.split('.')));
    const names = namedByVariables.has(collection) ? values.flatMap(namesIn) : values;
    const actor = collection === 'groups' ? object.actor : undefined;
    return [...new Set(names)].map((name) => ({ kind, name, actor }));
  });
}

/** The texts at a setting, such as `clauses[].vfs`: that of each clause. */
function valuesAt(value: unknown, [part, ...rest]: readonly string[]): readonly string[] {
  if (part === undefined) return typeof value === 'string' ? [value] : [];
  const isList = part.endsWith('[]');
  const member = isRecord(value) ? value[isList ? part.slice(0, -2) : part] : undefined;
  if (!isList) return valuesAt(member, rest);
  return Array.isArray(member) ? member.flatMap((one: unknown) => valuesAt(one, rest)) : [];
}

function namesIn(text: string): readonly string[] {
  if (text.includes('${{')) return [];
  return text.split(',').flatMap((name) => name.trim() || []);
}

import { useQuery } from '@tanstack/react-query';
import { addressOf, findCollection } from '../stored/collection.ts';
import { type ConfiguredObject, listObjects } from '../stored/objects.ts';

/** An object whose settings refer to a secret. */
export interface SecretUse {
  readonly title: string;
  readonly href: string;
}

/** Kinds of objects that can refer to secrets. */
const collections = ['client-connections', 'pgp-keys'];

const pagesAtMost = 50;

/** What refers to secrets. An object uses the secrets of its actor, or those of the platform. */
export function useSecretUses() {
  const { data, error } = useQuery({
    queryKey: ['configuration', 'secret uses'],
    queryFn: async ({ signal }) => (await Promise.all(collections.map((name) => readAll(name, signal)))).flat(),
  });
  return {
    error,
    of: ({ name, actor }: { readonly name: string; readonly actor: string | null }): readonly SecretUse[] =>
      (data ?? []).filter((use) => use.secrets.has(name) && use.actor === (actor ?? undefined)),
  };
}

async function readAll(collection: string, signal: AbortSignal) {
  const resource = findCollection(collection);
  if (resource === undefined) return [];
  const found: (SecretUse & { actor: string | undefined; secrets: ReadonlySet<string> })[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost; page += 1) {
    const { rows, next } = await listObjects(resource, {}, { cursor, signal });
    found.push(
      ...rows.map((object) => ({
        title: object.name,
        href: addressOf(resource, object),
        actor: object.actor,
        secrets: secretsIn(object),
      })),
    );
    if (next === undefined) break;
    cursor = next;
  }
  return found;
}

function secretsIn(object: ConfiguredObject): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('secret://')) names.add(value.slice('secret://'.length));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(object);
  return names;
}

import { partEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import { type AdministeredPart, administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import type { CursorPage } from '../../lists/use-cursor-rows.ts';
import { type ConfiguredObject, listByEndpoint } from '../stored/objects.ts';

/** A part of an object of the configuration. */
export interface ConfiguredPart {
  readonly name: string;
  /** The object that it is part of, and the actor of that. */
  readonly parent: string;
  readonly actor: string | undefined;
  readonly source: string | null;
  readonly settings: ConfiguredObject;
}

/** The kind of parts of this part of an address; undefined if there is none. */
export function findPart(name: string | undefined): AdministeredPart | undefined {
  return administeredParts.find(({ collection }) => collection === name);
}

/** Reads a page of parts, by name. @throws RequestFailure */
export async function listParts(
  part: AdministeredPart,
  filters: Readonly<Record<string, string | undefined>>,
  page: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<CursorPage<ConfiguredPart>> {
  const { rows, next } = await listByEndpoint(partEndpoints(part).list, filters, page);
  return {
    rows: rows.map((settings) => {
      const { name, actor, source, [part.member]: parent } = settings;
      return { name, parent: typeof parent === 'string' ? parent : '', actor, source, settings };
    }),
    next,
  };
}

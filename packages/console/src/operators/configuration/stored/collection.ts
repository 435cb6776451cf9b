import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { texts } from '../../texts/texts.ts';

/** The kind of objects of this part of an address; undefined if there is none. */
export function findCollection(name: string | undefined): AdministeredResource | undefined {
  return administeredResources.find(({ collection }) => collection === name);
}

/** The name of a kind, in the plural: `Virtual file systems`. */
export function titleOf(resource: Pick<AdministeredResource, 'collection' | 'titles'>): string {
  const [, many] = texts.configuration.kindsOf(resource);
  return many.charAt(0).toUpperCase() + many.slice(1);
}

/** Where an object is shown. */
export function addressOf(
  { collection }: AdministeredResource,
  { name, actor }: { readonly name: string; readonly actor?: string | undefined },
): string {
  const scope = actor === undefined ? '' : `?${new URLSearchParams({ actor }).toString()}`;
  return `/configuration/${collection}/${encodeURIComponent(name)}${scope}`;
}

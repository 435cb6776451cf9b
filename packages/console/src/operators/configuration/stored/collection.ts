import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { texts } from '../../texts/texts.ts';

type Kind = Pick<AdministeredResource, 'collection' | 'titles'>;

/** The kind of objects of this part of an address; undefined if there is none. */
export function findCollection(name: string | undefined): AdministeredResource | undefined {
  return administeredResources.find(({ collection }) => collection === name);
}

/** The name of a kind, in the plural: `Virtual file systems`. */
export function titleOf(kind: Kind): string {
  return capitalized(texts.configuration.kindsOf(kind)[1]);
}

/** The title of an object: `Virtual file system: acme-files`. A user and a partner can have one name. */
export function titleOfObject(kind: Kind, name: string): string {
  return texts.configuration.titleOfObject(capitalized(texts.configuration.kindsOf(kind)[0]), name);
}

/** The name of a kind at the beginning of a sentence, in the language of the page. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where an object is shown. */
export function addressOf(
  { collection }: AdministeredResource,
  { name, actor }: { readonly name: string; readonly actor?: string | undefined },
): string {
  const scope = actor === undefined ? '' : `?${new URLSearchParams({ actor }).toString()}`;
  return `/configuration/${collection}/${encodeURIComponent(name)}${scope}`;
}

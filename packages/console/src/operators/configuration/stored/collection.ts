import {
  type AdministeredResource,
  isOfActors,
  permissionOn,
} from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { Permissions } from '../../api/permissions.ts';
import { texts } from '../../texts/texts.ts';

type Kind = Pick<AdministeredResource, 'collection' | 'titles'>;

/** The kind of objects of this part of an address; undefined if there is none. */
export function findCollection(name: string | undefined): AdministeredResource | undefined {
  return administeredResources.find(({ collection }) => collection === name);
}

/** Whether a user may do something with objects of a kind: with those of some actor at least, if they belong to actors. */
export function mayOn(
  { may, mayForAll }: Pick<Permissions, 'may' | 'mayForAll'>,
  resource: AdministeredResource,
  verb: 'read' | 'write',
): boolean {
  return (isOfActors(resource) ? may : mayForAll)(permissionOn(resource, verb));
}

/** Whether a user may create objects of a kind. A new actor is none of those that a role is limited to. */
export function mayCreate(permissions: Pick<Permissions, 'may' | 'mayForAll'>, resource: AdministeredResource) {
  if (resource.collection === 'actors') return permissions.mayForAll(permissionOn(resource, 'write'));
  return mayOn(permissions, resource, 'write');
}

/** The name of a kind, in the plural: `Virtual file systems`. */
export function titleOf(kind: Kind): string {
  return capitalized(texts.configuration.kindsOf(kind)[1]);
}

/** The title of an object: `Virtual file system: acme-files`. A user and a partner can have one name. */
export function titleOfObject(kind: Kind, name: string): string {
  return texts.configuration.titleOfObject(capitalized(texts.configuration.kindsOf(kind)[0]), name);
}

function capitalized(text: string): string {
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

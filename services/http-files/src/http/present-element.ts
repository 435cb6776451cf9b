import { type FileAttributeName, fileAttributeNameSchema } from '@waybill/contracts/endpoints/files/file-attributes';
import type { FileElement } from '@waybill/contracts/endpoints/files/file-element';
import { nameOf } from '@waybill/contracts/virtual-path';
import type { ListedElement } from '../domain/listed-element.ts';
import { attributesOf } from './attributes-of.ts';
import { elementAddress } from './element-address.ts';

/** An element as a listing shows it, with the attributes that were asked for. */
export function presentElement(
  { path, entry }: ListedElement,
  { baseUrl, attributes }: { baseUrl: string; attributes: readonly FileAttributeName[] },
): FileElement {
  const known = attributesOf(entry);
  // Pages are long: what shows everything is not put together anew for each element.
  const isWhole = attributes === fileAttributeNameSchema.options;
  const shown = isWhole ? known : Object.fromEntries(attributes.map((name) => [name, known[name]]));
  const file = entry?.kind === 'file' ? entry : undefined;
  return {
    id: path,
    uri: elementAddress(baseUrl, file === undefined ? 'directories' : 'files', path),
    ...(file !== undefined && { metaUri: elementAddress(baseUrl, 'metadata', path) }),
    filename: nameOf(path),
    ...(file !== undefined && { fileset: Number(file.fileset) }),
    owner: entry?.owner ?? '',
    directory: file === undefined,
    attributes: shown,
  };
}

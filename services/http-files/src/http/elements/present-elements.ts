import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import {
  type FileAttributeName,
  fileAttributeNameSchema,
} from '@waybill/contracts/endpoints/files/shapes/file-attributes';
import { rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FolderPage } from '../../domain/elements/list-folder.ts';
import type { ListedElement } from '../../domain/elements/listed-element.ts';
import { attributesOf } from './attributes-of.ts';

/**
 * The elements of a page in the form of a listing, with the requested attributes. Pages are long: what all elements
 * share is composed once.
 */
export function presentElements(
  { path, elements }: FolderPage,
  { baseUrl, attributes }: { baseUrl: string; attributes: readonly FileAttributeName[] },
): FileElement[] {
  const above = path === rootPath ? '' : path;
  const files = elementAddress(baseUrl, 'files', path);
  const metadata = elementAddress(baseUrl, 'metadata', path);
  const directories = elementAddress(baseUrl, 'directories', path);
  const shown = attributesShown(attributes);
  return elements.map(({ name, entry }) => {
    const id = `${above}/${name}`;
    const inAddress = encodeURIComponent(name);
    const owner = entry?.owner ?? '';
    if (entry?.kind !== 'file') {
      const uri = `${directories}/${inAddress}`;
      return { id, uri, filename: name, owner, directory: true, attributes: shown(entry) };
    }
    return {
      id,
      uri: `${files}/${inAddress}`,
      metaUri: `${metadata}/${inAddress}`,
      filename: name,
      fileset: Number(entry.fileset),
      owner,
      directory: false,
      attributes: shown(entry),
    };
  });
}

function attributesShown(
  names: readonly FileAttributeName[],
): (entry: ListedElement['entry']) => FileElement['attributes'] {
  if (names === fileAttributeNameSchema.options) return attributesOf;
  return (entry) => {
    const known = attributesOf(entry);
    return Object.fromEntries(names.map((name) => [name, known[name]]));
  };
}

/** The absolute address of an element of the tree below an endpoint such as `files`. */
export function elementAddress(
  baseUrl: string,
  endpoint: 'files' | 'metadata' | 'directories',
  path: VirtualPath,
): string {
  return [`${baseUrl}/2.0/${endpoint}`, ...segmentsOf(path).map(encodeURIComponent)].join('/');
}

import { segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** The absolute address of an element of the tree below an endpoint such as `files`. */
export function elementAddress(
  baseUrl: string,
  endpoint: 'files' | 'metadata' | 'directories',
  path: VirtualPath,
): string {
  return [`${baseUrl}/2.0/${endpoint}`, ...segmentsOf(path).map(encodeURIComponent)].join('/');
}

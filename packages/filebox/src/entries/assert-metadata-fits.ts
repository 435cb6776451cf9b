import { CodedError } from '@waybill/contracts/errors/coded-error';
import { metadataLimits } from '@waybill/contracts/values/metadata-limits';

type Values = Readonly<Record<string, string>>;

/**
 * Limits the metadata of one file, so that repeated requests cannot accumulate it without bound.
 * @throws CodedError `metadata_key_refused`
 */
export function assertMetadataFits(...classes: readonly Values[]): void {
  const pairs = classes.flatMap((values) => Object.entries(values));
  if (pairs.length > metadataLimits.keys) refuse(`${metadataLimits.keys} metadata keys`);
  const bytes = pairs.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (bytes > metadataLimits.bytes) refuse(`${metadataLimits.bytes} bytes of metadata, keys and values together`);
}

function refuse(limit: string): never {
  throw new CodedError('metadata_key_refused', { detail: `A file has at most ${limit}` });
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { mediaTypeOf } from '@waybill/http-kit/body/parse-body';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { ContentChecksum, UploadPart } from '../../domain/resumable/upload-part.ts';
import { bodyChunks } from '../bodies/body-chunks.ts';
import { checksumAlgorithms } from './tus-protocol.ts';

/** A request whose body is a part of a file. */
export interface PartRequest {
  readonly headers: IncomingHttpHeaders;
  readonly principal: Pick<TransferringCaller, 'hold'>;
  openStream(): Readable;
}

/** The type of a body that is a part of a file. */
const partType = 'application/offset+octet-stream';

/** Requires the content type of a part. @throws CodedError `unsupported_media_type` */
export function assertPartType({
  'content-type': contentType,
  'content-encoding': encoding,
}: IncomingHttpHeaders): void {
  if (mediaTypeOf(contentType).mediaType === partType && (encoding ?? 'identity') === 'identity') return;
  throw new CodedError('unsupported_media_type', { detail: `The content type must be ${partType}` });
}

/** What a request adds to an upload at an offset. @throws CodedError `file_request_invalid` */
export function uploadPartOf({ openStream, headers, principal }: PartRequest, offset: number): UploadPart {
  const { 'content-length': size, 'upload-checksum': checksum, 'upload-length': length } = headers;
  return {
    offset,
    size: size === undefined ? undefined : Number(size),
    length: typeof length === 'string' ? Number(length) : undefined,
    checksum: typeof checksum === 'string' ? parseChecksum(checksum) : undefined,
    content: { [Symbol.asyncIterator]: () => bodyChunks(openStream(), principal.hold.signal) },
  };
}

function parseChecksum(text: string): ContentChecksum {
  const [name = '', encoded = ''] = text.split(' ');
  const digest = Buffer.from(encoded, 'base64');
  if (!isKnown(name) || digest.length !== checksumAlgorithms[name]) {
    const known = Object.keys(checksumAlgorithms).join(' or ');
    throw new CodedError('file_request_invalid', { detail: `upload-checksum: must be ${known}, and its digest` });
  }
  return { algorithm: name, digest };
}

function isKnown(name: string): name is keyof typeof checksumAlgorithms {
  return Object.hasOwn(checksumAlgorithms, name);
}

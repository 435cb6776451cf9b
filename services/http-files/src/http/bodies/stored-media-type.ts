import { CodedError } from '@waybill/contracts/errors/coded-error';
import { mediaTypeOf } from '@waybill/http-kit/body/media-type-of';

/** The syntax of a media type (RFC 9110 section 8.3.1). */
const mediaTypeSyntax = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/u;

/** The media type to store a file with, as its client sent it. @throws CodedError `file_request_invalid` */
export function storedMediaType(text = 'application/octet-stream'): string {
  const { mediaType } = mediaTypeOf(text);
  if (mediaTypeSyntax.test(mediaType)) return mediaType;
  throw new CodedError('file_request_invalid', { detail: 'The media type of the file is invalid' });
}

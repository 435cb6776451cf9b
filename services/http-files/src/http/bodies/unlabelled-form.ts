import { CodedError } from '@waybill/contracts/errors/coded-error';

/** The number of bytes that are checked: a boundary line and the headers of a first part fit. */
const lookedAtBytes = 1024;

/** A boundary line (RFC 2046 section 5.1.1), then the headers of a part of a form (RFC 7578 section 4.2). */
const formStart = /^--[^\r\n]{1,70}\r?\n(?:[\w-]{1,60}:[^\r\n]*\r?\n){0,8}?content-disposition:[ \t]*form-data/iu;

/**
 * Content of a request without a content type. A form that lost its content type must not be stored as a file.
 * @throws CodedError `file_request_invalid` if the content begins like a multipart form
 */
export async function* refuseUnlabelledForm(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of content) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < lookedAtBytes) continue;
    yield assertNoForm(start);
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield assertNoForm(start);
}

function assertNoForm(start: Buffer): Buffer {
  if (!formStart.test(start.toString('latin1', 0, lookedAtBytes))) return start;
  throw new CodedError('file_request_invalid', {
    detail: 'content-type: is missing, and the body is a multipart form',
  });
}

import { Readable } from 'node:stream';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FormFile, receiveForm } from '../src/http/bodies/receive-form.ts';

const headers = { 'content-type': 'multipart/form-data; boundary=b' };

/** Pieces that a form is made of, and pieces that look like them. */
const pieces = fc.oneof(
  fc
    .constantFrom(
      '--b\r\n',
      '--b--\r\n',
      '\r\n--b\r\n',
      '\r\n--b--',
      '--b',
      '\r\n',
      '\n',
      '\r',
      '-',
      'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
      'Content-Disposition: form-data; name="metadata"\r\n\r\n',
      'Content-Disposition: form-data; name="metadata"; filename="blob"\r\n\r\n{}',
      'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%c5%99\r\n',
      'Content-Disposition: form-data; name=file; filename="..\\\\..\\\\x"\r\n',
      'Content-Disposition: attachment\r\n\r\n',
      'Content-Type: text/csv; charset=utf-16\r\n',
      'Content-Type: multipart/mixed; boundary=c\r\n\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      'X: \0\r\n',
      '{"k":"v"}',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="ř.bin"\r\n\r\ncontent\r\n',
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const wellMade = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"k":"v"}\r\n' +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: a/b\r\n\r\ncontent\r\n--b--\r\n',
);
const damaged = fc
  .tuple(fc.nat(wellMade.length), fc.uint8Array({ maxLength: 6 }), fc.nat(6))
  .map(([at, inserted, removed]) =>
    Buffer.concat([wellMade.subarray(0, at), inserted, wellMade.subarray(at + removed)]),
  );
const bodies = fc.oneof(
  fc.array(pieces, { maxLength: 10 }).map((parts) => Buffer.concat(parts)),
  damaged,
);
const cutSizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 });

function* chunksOf(body: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

async function readFile({ filename, mediaType, content, fields }: FormFile) {
  let size = 0;
  for await (const chunk of content) size += chunk.length;
  return { filename, mediaType, size, fields: await fields };
}

test('whatever is sent as a form, it is received or refused, within its own size and never hanging', async () => {
  let received = 0;
  const property = fc.asyncProperty(bodies, cutSizes, async (body, sizes) => {
    const stream = Readable.from(chunksOf(body, sizes), { objectMode: false });
    try {
      const file = await receiveForm(stream, headers, readFile);
      if (file.size > body.length) throw new Error(`${file.size} bytes of a body of ${body.length}`);
      if (file.mediaType.length > 255) throw new Error('the media type is too long');
      received += 1;
    } catch (error) {
      if (!isCodedError(error, 'file_request_invalid', 'filename_missing')) throw error;
    }
  });
  await fc.assert(property, { numRuns: 100_000, plugins: [fc.timeout(20_000)], endOnFailure: true });
  expect(received).toBeGreaterThan(5_000);
});

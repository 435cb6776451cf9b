import { PassThrough, Readable } from 'node:stream';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FormFile, receiveForm } from './receive-form.ts';

const headers = { 'content-type': 'multipart/form-data; boundary=b' };

const collect = async ({ filename, content, fields }: FormFile) => {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { filename, content: Buffer.concat(chunks), fields: Object.fromEntries(await fields) };
};

const receive = (chunks: Uint8Array[]) => receiveForm(Readable.from(chunks, { objectMode: false }), headers, collect);

function chunksOf(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const size of sizes) {
    if (position >= bytes.length) break;
    chunks.push(bytes.subarray(position, position + size));
    position += size;
  }
  return position < bytes.length ? [...chunks, bytes.subarray(position)] : chunks;
}

const formWith = (content: Uint8Array) =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="ř.bin"\r\n\r\n'),
    content,
    Buffer.from('\r\n--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"ř":1}\r\n--b--\r\n'),
  ]);

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });

test('content, file name and fields arrive complete however the network splits them', async () => {
  const contents = fc.uint8Array({ maxLength: 400 }).filter((bytes) => !Buffer.from(bytes).includes('\r\n--b'));
  await fc.assert(
    fc.asyncProperty(contents, sizes, async (content, cuts) => {
      const received = await receive(chunksOf(formWith(content), cuts));
      expect(received).toEqual({ filename: 'ř.bin', content: Buffer.from(content), fields: { metadata: '{"ř":1}' } });
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['no type', '', 'application/octet-stream'],
  ['a type', 'Content-Type: text/plain\r\n', 'text/plain'],
])('a file whose part has %s, after a field that looks like its header, is %s', async (_what, line, mediaType) => {
  const field = '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\nContent-Type: text/csv\r\n\r\nx--b';
  const file = `\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n${line}\r\n--c\r\n--b--\r\n`;
  const bytes = Buffer.from(field + file);
  const typeOf = async (form: FormFile) => {
    await collect(form);
    return form.mediaType;
  };
  for (const size of [1, 7, bytes.length]) {
    const chunks = chunksOf(bytes, Array<number>(bytes.length).fill(size));
    expect(await receiveForm(Readable.from(chunks, { objectMode: false }), headers, typeOf)).toBe(mediaType);
  }
});

test('a media type that is longer than allowed is refused', async () => {
  const formOf = (type: string) =>
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: ${type}\r\n\r\nx\r\n--b--\r\n`,
    );
  const longest = `${'a'.repeat(127)}/${'b'.repeat(127)}`;
  await expect(receive([formOf(longest)])).resolves.toMatchObject({ filename: 'a' });
  await expect(receive([formOf(`${longest}b`)])).rejects.toSatisfy((error) =>
    isCodedError(error, 'file_request_invalid'),
  );
});

test('a file name that is not UTF-8 is refused', async () => {
  const form = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('.csv"\r\n\r\nx\r\n--b--\r\n'),
  ]);
  await expect(receive([form])).rejects.toSatisfy((error) => isCodedError(error, 'file_request_invalid'));
});

test('a failure of the receiver is passed to the caller', async () => {
  const failure = new Error('no room');
  const body = new PassThrough();
  body.write(formWith(Buffer.alloc(1_000_000)));
  await expect(receiveForm(body, headers, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(body.destroyed).toBe(false);
});

test('a truncated body is an invalid request', async () => {
  const whole = formWith(Buffer.alloc(100_000));
  const body = Readable.from(
    (async function* () {
      yield whole.subarray(0, 50_000);
      throw new Error('aborted');
    })(),
  );
  await expect(receiveForm(body, headers, collect)).rejects.toSatisfy((error) =>
    isCodedError(error, 'file_request_invalid'),
  );
});

test.each([
  ['after the end of the form', '--b--\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx'],
  [
    'whose header runs into the end of the form',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n--b\r\n-\r\n--b--\tx',
  ],
])('a file %s is refused without waiting for its end', async (_what, body) => {
  await expect(receive([Buffer.from(body)])).rejects.toSatisfy((error) => isCodedError(error, 'file_request_invalid'));
});

test('metadata that is sent as a file is read only up to the maximum size of metadata', async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="metadata"; filename="blob"\r\n\r\n';
  const body = Readable.from(
    (async function* endless() {
      yield Buffer.from(head);
      for (;;) yield Buffer.alloc(100_000);
    })(),
  );
  await expect(receiveForm(body, headers, collect)).rejects.toThrow('more than 1048576 bytes');
  body.destroy();
});

test('text after the end of the form is ignored', async () => {
  const form = formWith(Buffer.from('content'));
  await expect(receive([Buffer.concat([form, Buffer.from('an epilogue')])])).resolves.toMatchObject({
    content: Buffer.from('content'),
  });
});

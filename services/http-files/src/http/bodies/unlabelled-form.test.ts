import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { expect, test } from 'vitest';
import { refuseUnlabelledForm } from './unlabelled-form.ts';

async function read(text: string, chunkBytes: number): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text, 'latin1');
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const taken: Buffer[] = [];
  try {
    for await (const chunk of refuseUnlabelledForm(chunks())) taken.push(chunk);
  } catch (error) {
    if (isCodedError(error, 'file_request_invalid')) return 'refused';
    throw error;
  }
  return Buffer.concat(taken).toString('latin1');
}

const disposition = 'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n';

test.each([
  ['as clients send it', `--b\r\n${disposition}`],
  ['with another header first', `--b\r\nContent-Type: text/csv\r\n${disposition}`],
  ['with bare line feeds', `--b\n${disposition.replaceAll('\r', '')}`],
  ['with a big file', `--b\r\n${disposition}${'x'.repeat(10_000)}`],
])('a multipart form is refused: %s, in chunks of any size', async (_how, body) => {
  for (const chunkBytes of [1, 7, 1024, 100_000]) expect(await read(body, chunkBytes)).toBe('refused');
});

test.each([
  ['nothing', ''],
  ['one byte', '-'],
  ['a YAML document', '---\nname: a\n'],
  ['a multipart message that is not a form', '--b\r\nContent-Type: text/plain\r\n\r\nContent-Disposition: form-data'],
  ['a form after other text', `x\r\n--b\r\n${disposition}`],
  ['hyphens alone', '-'.repeat(5_000)],
  ['many header lines', `--b\r\n${'a: b\r\n'.repeat(2_000)}`],
  ['binary', Buffer.from(Array.from({ length: 3_000 }, (_, at) => at % 256)).toString('latin1')],
])('any other content passes unchanged: %s', async (_what, body) => {
  for (const chunkBytes of [1, 1023, 1024, 100_000]) expect(await read(body, chunkBytes)).toBe(body);
});

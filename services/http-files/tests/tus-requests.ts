import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';

/** The header that every request of tus carries. */
export const tusResumable = { 'tus-resumable': '1.0.0' };

/** `Upload-Metadata` of some values. */
export function describedAs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** `Upload-Checksum` of some content. */
export function checksumOf(content: string | Uint8Array, algorithm = 'sha1'): { 'upload-checksum': string } {
  return { 'upload-checksum': `${algorithm} ${createHash(algorithm).update(content).digest('base64')}` };
}

/** Begins an upload, and returns the response with the path of its address. */
export async function begin(
  client: HttpClient,
  values: Readonly<Record<string, string>>,
  length: number,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<HttpResponse & { path: string }> {
  const sent = { ...tusResumable, 'upload-length': String(length), 'upload-metadata': describedAs(values), ...headers };
  const type = body === undefined ? {} : { 'content-type': 'application/offset+octet-stream' };
  const options = { headers: { ...type, ...sent }, ...(body === undefined ? {} : { body }) };
  const answer = await client.post('/2.0/uploads', options);
  return { ...answer, path: new URL(answer.headers.get('location') ?? 'http://none/none').pathname };
}

/** Continues an upload. */
export function append(
  client: HttpClient,
  path: string,
  offset: number,
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const own = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
  return client.request('PATCH', path, { headers: { ...own, ...tusResumable, ...headers }, body: content });
}

/** A partial upload with its content, in the form of clients: without a description. */
export async function beginPart(client: HttpClient, content: string, length = content.length): Promise<string> {
  const headers = { ...tusResumable, 'upload-concat': 'partial', 'upload-length': String(length) };
  const answer = await client.post('/2.0/uploads', { headers });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  const { pathname } = new URL(answer.headers.get('location') ?? '');
  if (content !== '') await append(client, pathname, 0, content);
  return pathname;
}

/** Joins partial uploads into the file of a path. */
export function joinParts(
  client: HttpClient,
  parts: readonly string[],
  path: string,
  more: object = {},
): Promise<HttpResponse> {
  const concat = { 'upload-concat': `final;${parts.join(' ')}`, 'upload-metadata': describedAs({ path }) };
  return client.post('/2.0/uploads', { headers: { ...tusResumable, ...concat, ...more } });
}

/** Queries the progress of an upload. */
export function inspect(client: HttpClient, path: string): Promise<HttpResponse> {
  return client.request('HEAD', path, { headers: tusResumable });
}

/** Discards an upload. */
export function terminate(client: HttpClient, path: string): Promise<HttpResponse> {
  return client.delete(path, { headers: tusResumable });
}

/** Sends some bytes of an incomplete part, and waits until they are on their way; `cut` closes the connection. */
export async function appendSlowly(
  { url, client, path }: { url: string; client: HttpClient; path: string },
  { offset, content, size }: { offset: number; content: string; size: number },
): Promise<{ cut(): void }> {
  const sending = request(`${url}${path}`, {
    method: 'PATCH',
    headers: {
      ...tusResumable,
      cookie: client.cookies.header() ?? '',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(size),
      'upload-offset': String(offset),
    },
  });
  sending.on('error', () => {});
  const socket = once(sending, 'socket');
  sending.write(content);
  await socket;
  return { cut: () => void sending.destroy() };
}

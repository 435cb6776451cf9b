import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { z } from 'zod';
import type { Door, OperationName, Outcome } from './door.ts';

const listingSchema = z.object({ files: z.array(z.object({ filename: z.string() })) });
const content = { body: 'x', headers: { 'content-type': 'text/plain' } };

/** The HTTP door, for a client that has logged in. */
export function createHttpDoor(http: HttpClient): Door {
  return {
    run: async (operation, path, spare) => {
      const answer = await prepare[operation]?.(http, spare);
      if (answer !== undefined && answer.status !== 201) throw new Error(`${spare}: ${answer.status} ${answer.text}`);
      return outcomeOf(await requests[operation](http, path, spare));
    },
    namesIn: async (path) => {
      const answer = await http.get(`/2.0/directories${path}?limit=10000`);
      if (outcomeOf(answer) !== 'done') return undefined;
      return listingSchema.parse(answer.json()).files.map(({ filename }) => filename);
    },
  };
}

const prepare: Partial<Record<OperationName, (http: HttpClient, spare: string) => Promise<HttpResponse>>> = {
  'move a file in': (http, spare) => http.put(`/2.0/files${spare}`, content),
  'move a file in, replacing': (http, spare) => http.put(`/2.0/files${spare}`, content),
  'move a folder in': (http, spare) => http.put(`/2.0/folders${spare}`),
};

const requests: Record<OperationName, (http: HttpClient, path: string, spare: string) => Promise<HttpResponse>> = {
  look: (http, path) => http.get(`/2.0/metadata${path}`),
  list: (http, path) => http.get(`/2.0/directories${path}`),
  archive: (http, path) => http.get(`/2.0/archive${path}`),
  download: (http, path) => http.get(`/2.0/files${path}`),
  upload: (http, path) => http.put(`/2.0/files${path}`, content),
  'upload where nothing is': (http, path) =>
    http.put(`/2.0/files${path}`, { ...content, headers: { ...content.headers, 'if-none-match': '*' } }),
  'write on': (http, path) =>
    http.put(`/2.0/files${path}`, { ...content, headers: { ...content.headers, 'if-match': '*' } }),
  'make folder': (http, path) => http.put(`/2.0/folders${path}`),
  'remove file': (http, path) => http.delete(`/2.0/files${path}`),
  'remove folder': (http, path) => http.delete(`/2.0/folders${path}`),
  'rename in its folder': (http, path) => move(http, path, `${path}-renamed`),
  'move out': (http, path, spare) => move(http, path, spare),
  'move a file in': (http, path, spare) => move(http, spare, path),
  'move a file in, replacing': (http, path, spare) => move(http, spare, path, true),
  'move a folder in': (http, path, spare) => move(http, spare, path),
  'set metadata': (http, path) => http.post(`/2.0/metadata${path}`, { json: { A: '1' } }),
  'set time': (http, path) => http.post(`/2.0/metadata${path}`, { json: { MTIME: '1' } }),
};

function move(http: HttpClient, from: string, to: string, overwrite = false): Promise<HttpResponse> {
  return http.post('/2.0/move', { json: { from: from.slice(1), to: to.slice(1), overwrite } });
}

const outcomes: Readonly<Record<number, Outcome>> = {
  200: 'done',
  201: 'done',
  403: 'refused',
  404: 'missing',
  409: 'other',
  412: 'other',
};

/** Failures with the status 400 that are about what is there: the others are a fault of the test. */
const otherKinds = ['No filename specified', 'missing param or syntax error', 'The path is not a folder'];

function outcomeOf({ status, text }: HttpResponse): Outcome {
  if (status === 400 && otherKinds.some((message) => text.includes(`"message":"${message}"`))) return 'other';
  const outcome = outcomes[status];
  if (outcome === undefined) throw new Error(`${status} ${text}`);
  return outcome;
}

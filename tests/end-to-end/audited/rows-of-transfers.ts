import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { type Doors, rowOf, type Rows, settle } from './row.ts';

const row = rowOf('http', 'acme');
const overSftp = rowOf('sftp', 'acme');
const body = 'content';

/** Stores a file, which another row has. */
const store = (partner: HttpClient, name: string) => partner.put(`/2.0/files/inbox/${name}`, { body });

function form(content: string): FormData {
  const sent = new FormData();
  sent.append('metadata', JSON.stringify({ color: 'red' }));
  sent.append('file', new Blob([content]), 'form');
  return sent;
}

/** Begins a resumable upload. */
function begin(partner: HttpClient, path: string, length = body.length) {
  const described = Buffer.from(path).toString('base64');
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': String(length),
    'upload-metadata': `path ${described}`,
  };
  return partner.post('/2.0/uploads', { headers });
}

async function uploadInParts({ other: partner }: Doors): Promise<void> {
  const begun = await begin(partner, '/inbox/tus');
  const address = new URL(begun.headers.get('location') ?? '').pathname;
  for (const [offset, part] of [
    [0, body.slice(0, 3)],
    [3, body.slice(3)],
  ] as const) {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
    const answer = await partner.request('PATCH', address, { headers, body: part });
    if (answer.status !== 204) throw new Error(`the part at ${offset} was answered with ${answer.status}`);
  }
}

const range = async (partner: HttpClient, name: string, bytes: string) => {
  await store(partner, name);
  return partner.get(`/2.0/files/inbox/${name}`, { headers: { range: `bytes=${bytes}` } });
};

/** Copies inside the gateway. */
async function copy({ other: partner, sftp }: Doors): Promise<void> {
  await store(partner, 'original');
  const open = (path: string, mode: 'r' | 'w') =>
    new Promise<Buffer>((resolve, reject) => {
      sftp.open(path, mode, (error, handle) => (error ? reject(error) : resolve(handle)));
    });
  const [from, to] = [await open('/inbox/original', 'r'), await open('/inbox/copy', 'w')];
  await settle((done) => sftp.ext_copy_data(from, 0, 0, to, 0, done));
  await settle((done) => sftp.close(from, done));
  await settle((done) => sftp.close(to, done));
}

/** Uploads, downloads and copies in their special forms, in this order. */
export const rowsOfTransfers: Rows = {
  'a file is uploaded with metadata, as a form': row('AUD0041A SERVER_UPLOAD_FILE /inbox/form', ({ other: partner }) =>
    partner.post('/2.0/files/inbox', { multipart: form(body) }),
  ),
  'a form is not uploaded without the permission': row(
    'AUD0048A SERVER_UPLOAD_FILE /outbox no_write_permission',
    ({ other: partner }) => partner.post('/2.0/files/outbox', { multipart: form(body) }),
  ),
  'a resumable upload is completed': row('AUD0041A SERVER_UPLOAD_FILE /inbox/tus', uploadInParts),
  'a resumable upload is not begun without the permission': row(
    'AUD0048A SERVER_UPLOAD_FILE /outbox/tus no_write_permission',
    ({ other: partner }) => begin(partner, '/outbox/tus'),
  ),
  'a file is downloaded by a range': row('AUD0042A SERVER_DOWNLOAD_FILE /inbox/ranged', ({ other: partner }) =>
    range(partner, 'ranged', '0-'),
  ),
  'a range beyond the end of a file is not downloaded': row(
    'AUD0064A SERVER_DOWNLOAD_FILE /inbox/short range_not_satisfiable',
    ({ other: partner }) => range(partner, 'short', '100-'),
  ),
  'a folder is downloaded as an archive': row(
    'AUD0042A SERVER_DOWNLOAD_FILE /inbox/z/1',
    async ({ other: partner }) => {
      await partner.put('/2.0/folders/inbox/z');
      await store(partner, 'z/1');
      await partner.get('/2.0/archive/inbox/z');
    },
  ),
  'a missing folder is not downloaded as an archive': row(
    'AUD0064A SERVER_DOWNLOAD_FILE /inbox/nothing path_not_found',
    ({ other: partner }) => partner.get('/2.0/archive/inbox/nothing'),
  ),
  'a file is copied: it is downloaded': overSftp('AUD0042A SERVER_DOWNLOAD_FILE /inbox/original', copy),
  'a file is copied: the copy is uploaded': overSftp('AUD0041A SERVER_UPLOAD_FILE /inbox/copy', () =>
    Promise.resolve(),
  ),
};

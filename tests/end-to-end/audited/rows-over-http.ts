import { rowOf, type Rows } from './row.ts';

const row = rowOf('http', 'acme');
const ofGlobex = rowOf('http', 'globex');
const body = 'content';

/** Operations over HTTP, in this order. */
export const rowsOverHttp: Rows = {
  'a folder is created': row('AUD0051A SERVER_CREATE_DIR /inbox/h', ({ partner }) =>
    partner.put('/2.0/folders/inbox/h'),
  ),
  'an existing folder is not created': row('AUD0061A SERVER_CREATE_DIR /inbox/h already_exists', ({ partner }) =>
    partner.put('/2.0/folders/inbox/h'),
  ),
  'a folder is not created without the permission': row(
    'AUD0061A SERVER_CREATE_DIR /outbox/h no_create_folder_permission',
    ({ partner }) => partner.put('/2.0/folders/outbox/h'),
  ),
  'a file is uploaded': row('AUD0041A SERVER_UPLOAD_FILE /inbox/h/a', ({ partner }) =>
    partner.put('/2.0/files/inbox/h/a', { body }),
  ),
  'a file is not uploaded without the permission': row(
    'AUD0048A SERVER_UPLOAD_FILE /outbox/h no_write_permission',
    ({ partner }) => partner.put('/2.0/files/outbox/h', { body }),
  ),
  'a file is not uploaded to a missing folder': row(
    'AUD0048A SERVER_UPLOAD_FILE /inbox/none/h path_not_found',
    ({ partner }) => partner.put('/2.0/files/inbox/none/h', { body }),
  ),
  'a file is downloaded': row('AUD0042A SERVER_DOWNLOAD_FILE /inbox/h/a', ({ partner }) =>
    partner.get('/2.0/files/inbox/h/a'),
  ),
  'a missing file is not downloaded': row('AUD0064A SERVER_DOWNLOAD_FILE /inbox/none file_not_found', ({ partner }) =>
    partner.get('/2.0/files/inbox/none'),
  ),
  'a missing folder is not listed': row('AUD0060A SERVER_CHANGE_DIR /inbox/nowhere path_not_found', ({ partner }) =>
    partner.get('/2.0/directories/inbox/nowhere'),
  ),
  'metadata is changed': row('AUD0047A MODIFY /inbox/h/a', ({ partner }) =>
    partner.post('/2.0/metadata/inbox/h/a', { json: { color: 'red' } }),
  ),
  'metadata of a missing file is not changed': row('AUD0066A MODIFY /inbox/h/none file_not_found', ({ partner }) =>
    partner.post('/2.0/metadata/inbox/h/none', { json: { color: 'red' } }),
  ),
  // Of a session ten refusals of a minute are recorded each by itself: those of the other one are as many.
  'metadata of a missing file is not read': ofGlobex(
    'AUD0068A SERVER_DOWNLOAD_FILE /data/none file_not_found',
    ({ limited }) => limited.get('/2.0/metadata/data/none'),
  ),
  'a file is moved': row('AUD0040A SERVER_RENAME_FILE /inbox/h/a', ({ partner }) =>
    partner.post('/2.0/move', { json: { from: 'inbox/h/a', to: 'inbox/h/b' } }),
  ),
  'a missing file is not moved': row('AUD0063A SERVER_RENAME_FILE /inbox/none file_not_found', ({ partner }) =>
    partner.post('/2.0/move', { json: { from: 'inbox/none', to: 'inbox/x' } }),
  ),
  'a folder is moved': row('AUD0052A SERVER_RENAME_DIR /inbox/h', ({ partner }) =>
    partner.post('/2.0/move', { json: { from: 'inbox/h', to: 'inbox/i' } }),
  ),
  'a folder with files is not deleted': row('AUD0062A SERVER_DELETE_DIR /inbox/i folder_not_empty', ({ partner }) =>
    partner.delete('/2.0/folders/inbox/i'),
  ),
  'a file is deleted': row('AUD0043A SERVER_DELETE_FILE /inbox/i/b', ({ partner }) =>
    partner.delete('/2.0/files/inbox/i/b'),
  ),
  'a missing file is not deleted': row('AUD0065A SERVER_DELETE_FILE /inbox/i/b file_not_found', ({ partner }) =>
    partner.delete('/2.0/files/inbox/i/b'),
  ),
  'an empty folder is deleted': row('AUD0053A SERVER_DELETE_DIR /inbox/i', ({ partner }) =>
    partner.delete('/2.0/folders/inbox/i'),
  ),
  'a file is uploaded within the limit': ofGlobex('AUD0041A SERVER_UPLOAD_FILE /data/1', ({ limited }) =>
    limited.put('/2.0/files/data/1', { body }),
  ),
  'a file is not uploaded beyond the limit': ofGlobex(
    'AUD0048A SERVER_UPLOAD_FILE /data/2 file_limit_reached',
    ({ limited }) => limited.put('/2.0/files/data/2', { body }),
  ),
  'a folder is not created beyond the limit': ofGlobex(
    'AUD0061A SERVER_CREATE_DIR /data/f folder_limit_reached',
    ({ limited }) => limited.put('/2.0/folders/data/f'),
  ),
};

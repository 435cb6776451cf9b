import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { makeFolder, storeFile } from '../two-doors/sftp-door.ts';
import { rowOf, type Rows, settle } from './row.ts';

const toWrite = openFlag.write | openFlag.create;

const row = rowOf('sftp', 'acme');

/** Operations of acme over SFTP, in this order. */
export const rowsOverSftp: Rows = {
  'a folder is created': row('AUD0051A SERVER_CREATE_DIR /inbox/s', ({ sftp }) => makeFolder(sftp, '/inbox/s')),
  'an existing folder is not created': row('AUD0061A SERVER_CREATE_DIR /inbox/s already_exists', ({ sftp }) =>
    settle((done) => sftp.mkdir('/inbox/s', done)),
  ),
  'a folder is not created without the permission': row(
    'AUD0061A SERVER_CREATE_DIR /outbox/s no_create_folder_permission',
    ({ sftp }) => settle((done) => sftp.mkdir('/outbox/s', done)),
  ),
  'a file is uploaded': row('AUD0041A SERVER_UPLOAD_FILE /inbox/s/a', ({ sftp }) => storeFile(sftp, '/inbox/s/a')),
  'a file is not uploaded to a missing folder': row(
    'AUD0048A SERVER_UPLOAD_FILE /inbox/none/a path_not_found',
    ({ sftp }) => settle((done) => sftp.open('/inbox/none/a', toWrite, done)),
  ),
  'a file with a bad name is not uploaded': row('AUD0048A SERVER_UPLOAD_FILE /inbox/a?b path_invalid', ({ sftp }) =>
    settle((done) => sftp.open('/inbox/a\0b', toWrite, done)),
  ),
  'a file is not uploaded without the permission': row(
    'AUD0048A SERVER_UPLOAD_FILE /outbox/a no_write_permission',
    ({ sftp }) => settle((done) => sftp.open('/outbox/a', toWrite, done)),
  ),
  'a file is downloaded': row('AUD0042A SERVER_DOWNLOAD_FILE /inbox/s/a', ({ sftp }) =>
    settle((done) => sftp.readFile('/inbox/s/a', (error) => done(error))),
  ),
  'a missing file is not downloaded': row('AUD0064A SERVER_DOWNLOAD_FILE /inbox/s/none file_not_found', ({ sftp }) =>
    settle((done) => sftp.open('/inbox/s/none', openFlag.read, done)),
  ),
  'a folder is listed': row('AUD0050A SERVER_CHANGE_DIR /inbox/s', ({ sftp }) =>
    settle((done) => sftp.opendir('/inbox/s', done)),
  ),
  'a missing folder is not listed': row('AUD0060A SERVER_CHANGE_DIR /inbox/none file_not_found', ({ sftp }) =>
    settle((done) => sftp.opendir('/inbox/none', done)),
  ),
  'a file is renamed': row('AUD0040A SERVER_RENAME_FILE /inbox/s/a', ({ sftp }) =>
    settle((done) => sftp.rename('/inbox/s/a', '/inbox/s/b', done)),
  ),
  'a missing file is not renamed': row('AUD0063A SERVER_RENAME_FILE /inbox/s/a file_not_found', ({ sftp }) =>
    settle((done) => sftp.rename('/inbox/s/a', '/inbox/s/c', done)),
  ),
  'a folder with files is not deleted': row('AUD0062A SERVER_DELETE_DIR /inbox/s folder_not_empty', ({ sftp }) =>
    settle((done) => sftp.rmdir('/inbox/s', done)),
  ),
  'a file is deleted': row('AUD0043A SERVER_DELETE_FILE /inbox/s/b', ({ sftp }) =>
    settle((done) => sftp.unlink('/inbox/s/b', done)),
  ),
  'a missing file is not deleted': row('AUD0065A SERVER_DELETE_FILE /inbox/s/b file_not_found', ({ sftp }) =>
    settle((done) => sftp.unlink('/inbox/s/b', done)),
  ),
  'a folder is renamed': row('AUD0052A SERVER_RENAME_DIR /inbox/s', ({ sftp }) =>
    settle((done) => sftp.rename('/inbox/s', '/inbox/t', done)),
  ),
  'an empty folder is deleted': row('AUD0053A SERVER_DELETE_DIR /inbox/t', ({ sftp }) =>
    settle((done) => sftp.rmdir('/inbox/t', done)),
  ),
};

import { CodedError } from '@waybill/contracts/errors/coded-error';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createFile } from '../../domain/files/create-file.ts';
import { GrowingFile } from '../../domain/files/handles/growing-file.ts';
import { openSeenFile } from '../../domain/files/open-file-to-read.ts';
import { openFileToWrite } from '../../domain/files/open-file-to-write.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

/**
 * OPEN (draft-ietf-secsh-filexfer-02, section 6.3). A file opened for both is a copy that replaces it when it is
 * closed, if it was written to. CREAT creates the file even if it is only opened to be read.
 */
export const openFile: Operation<RequestOf<'open'>> = async (
  { id, path, flags },
  { files, handles, openReadAhead },
) => {
  const has = (flag: number) => (flags & flag) !== 0;
  handles.requireRoom();
  const userPath = pathOfRequest(path);
  if (has(openFlag.write) || has(openFlag.append)) {
    const file = await openFileToWrite(files, userPath, {
      read: has(openFlag.read),
      create: has(openFlag.create),
      exclusive: has(openFlag.exclusive),
      truncate: has(openFlag.truncate),
      append: has(openFlag.append),
    });
    return { type: 'handle', id, handle: handles.add({ kind: 'writing', file }) };
  }
  if (!has(openFlag.read)) {
    throw new CodedError('validation_failed', { detail: 'A file is opened to read it, to write it, or both' });
  }
  if (has(openFlag.create)) await createFile(files, userPath, { exclusive: has(openFlag.exclusive) });
  const file = await openSeenFile(files, userPath);
  if (file instanceof GrowingFile) return { type: 'handle', id, handle: handles.add({ kind: 'growing', file }) };
  const ahead = openReadAhead({ size: file.description.size, readInto: file.readInto });
  return { type: 'handle', id, handle: handles.add({ kind: 'reading', file, ahead }) };
};

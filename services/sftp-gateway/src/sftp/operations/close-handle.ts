import type { WritableFile } from '../../domain/files/handles/writable-file.ts';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import { okResponse, type Operation, type RequestOf } from './operation.ts';

/** CLOSE. For a written file this commits it; the response has the first failure, including those of the writes. */
export const closeHandle: Operation<RequestOf<'close'>> = async (request, { files, handles }) => {
  const open = handles.take(request.handle);
  if (open.kind === 'folder') files.openFiles.close(open.place);
  if (open.kind === 'growing') await open.file.close();
  if (open.kind === 'writing') await commit(open.file, files);
  if (open.kind === 'reading') {
    open.ahead.forget();
    await open.file.close();
  }
  return okResponse(request);
};

/** Its audit record follows those of the downloads before it. */
async function commit(file: WritableFile, { records }: FileSession): Promise<void> {
  try {
    await records.settled();
  } catch (error) {
    await file.suspend();
    throw error;
  }
  await file.close();
}

import { deleteUnfinishedUploadEndpoint } from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { callEndpoint } from '../api/call-endpoint.ts';
import { EachDialog } from '../lists/each-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { type ListedUpload, placeInWords, sizeInWords } from './upload-filters.ts';

const { uploads: words } = texts;

/** Asks before it deletes uploads, and shows the result for each. */
export function DeleteDialog({
  uploads,
  onClose,
}: {
  readonly uploads: readonly ListedUpload[];
  readonly onClose: () => void;
}) {
  return (
    <EachDialog
      rows={uploads}
      title={words.deleteTitle(uploads.length)}
      words={{ ...words, action: words.delete, done: words.deleted }}
      nameOf={(upload) => words.nameOf(placeInWords(upload), upload.userName, sizeInWords(upload))}
      act={({ id }, signal) => callEndpoint(deleteUnfinishedUploadEndpoint, { params: { uploadId: id }, signal })}
      queryKey={['uploads']}
      onClose={onClose}
    >
      <p>{words.deleteEffect}</p>
    </EachDialog>
  );
}

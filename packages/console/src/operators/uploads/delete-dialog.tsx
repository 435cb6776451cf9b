import { deleteUnfinishedUploadEndpoint } from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { callEndpoint } from '../api/call-endpoint.ts';
import { EachDialog } from '../lists/each-dialog.tsx';
import type { BulkTarget } from '../lists/use-selectable-list.ts';
import { texts } from '../texts/texts.ts';
import {
  deletedAtMost,
  findMatchingUploads,
  type ListedUpload,
  placeInWords,
  sizeInWords,
  type UploadFilters,
} from './upload-filters.ts';

const { uploads: words } = texts;

/** Finds out which uploads would be deleted, deletes exactly these when told to, and shows the result for each. */
export function DeleteDialog({
  target,
  onClose,
}: {
  readonly target: BulkTarget<ListedUpload, UploadFilters>;
  readonly onClose: () => void;
}) {
  return (
    <EachDialog
      target={target}
      find={findMatchingUploads}
      most={deletedAtMost}
      title={words.deleteTitle('rows' in target ? target.rows.length : undefined)}
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

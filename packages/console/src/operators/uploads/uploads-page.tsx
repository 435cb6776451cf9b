import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { BulkBar } from '../lists/bulk-bar.tsx';
import { type BulkTarget, useSelectableList } from '../lists/use-selectable-list.ts';
import { texts } from '../texts/texts.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { UploadFilterBar } from './upload-filter-bar.tsx';
import {
  deletedAtMost,
  findFaultyUploadFilters,
  type ListedUpload,
  type UploadFilterName,
  uploadFilterNames,
  type UploadFilters,
} from './upload-filters.ts';
import { UploadTable } from './upload-table.tsx';

const { uploads: words } = texts;

/** The uploads that are not files yet, as the filters in the address say, and the deletion of some or all of them. */
export function UploadsPage() {
  const list = useSelectableList<ListedUpload, UploadFilterName>(uploadFilterNames, findFaultyUploadFilters);
  const { filters, changeFilters, faulty, selected } = list;
  // The dialog keeps those that were selected when it was opened.
  const [asked, setAsked] = useState<BulkTarget<ListedUpload, UploadFilters>>();
  const mayDelete = usePermissions().may('sessions:delete');
  const close = (): void => {
    setAsked(undefined);
    selected.clear();
  };
  return (
    <PageFrame title={words.title}>
      <UploadFilterBar filters={filters} onChange={changeFilters} />
      {mayDelete && (
        <BulkBar list={list} words={words} matching={words.matchingBound(deletedAtMost)}>
          {(target) => (
            <Button className="button" onPress={() => setAsked(target)}>
              {words.delete}
            </Button>
          )}
        </BulkBar>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <UploadTable
          key={JSON.stringify(filters)}
          filters={filters}
          selected={mayDelete ? selected : undefined}
          onEmpty={list.noteEmpty}
        />
      )}
      {asked !== undefined && <DeleteDialog target={asked} onClose={close} />}
    </PageFrame>
  );
}

import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { UploadFilterBar } from './upload-filter-bar.tsx';
import { findFaultyUploadFilters, type ListedUpload, uploadFilterNames } from './upload-filters.ts';
import { type UploadSelection, UploadTable } from './upload-table.tsx';

const { uploads: words } = texts;

/** The uploads that are not files yet, as the filters in the address say, and the deletion of some. */
export function UploadsPage() {
  const [filters, changeFilters] = useFilters(uploadFilterNames);
  const [selection, setSelection] = useState<UploadSelection>(new Map());
  // The dialog keeps those that were selected when it was opened.
  const [asked, setAsked] = useState<readonly ListedUpload[]>();
  const mayDelete = usePermissions().may('sessions:delete');
  const faulty = findFaultyUploadFilters(filters);
  const clear = (): void => setSelection(new Map());
  const change: typeof changeFilters = (values) => {
    clear();
    changeFilters(values);
  };
  const close = (): void => {
    setAsked(undefined);
    clear();
  };
  return (
    <PageFrame title={words.title}>
      <UploadFilterBar filters={filters} onChange={change} />
      {selection.size > 0 && (
        <div className="buttons">
          <span role="status">{words.selected(selection.size)}</span>
          <Button className="button" onPress={() => setAsked([...selection.values()])}>
            {words.delete}
          </Button>
          <Button className="button" onPress={clear}>
            {words.clearSelection}
          </Button>
        </div>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <UploadTable
          key={JSON.stringify(filters)}
          filters={filters}
          selection={selection}
          onSelect={mayDelete ? setSelection : undefined}
        />
      )}
      {asked !== undefined && <DeleteDialog uploads={asked} onClose={close} />}
    </PageFrame>
  );
}

import { type DragEvent, type ReactNode, useState } from 'react';
import { usePermissions } from '../api/use-permissions.ts';
import { texts } from '../texts.ts';
import { entriesOf, readDroppedEntries } from '../transfers/dropped-files.ts';
import { TreeUploadState, useTreeUpload } from './tree-upload.tsx';

interface DropTargetProps {
  readonly folder: string;
  readonly children: ReactNode;
}

/**
 * Takes files and folders that are dropped on the page, where the user may upload. They are read completely before the first one is
 * uploaded.
 */
export function DropTarget({ folder, children }: DropTargetProps) {
  const [isOver, setOver] = useState(false);
  const { upload, ...state } = useTreeUpload(folder);
  const mayUpload = usePermissions(folder).has('upload');

  const onDrop = (event: DragEvent): void => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (!mayUpload) return;
    const entries = entriesOf(event.dataTransfer.items);
    upload((options) => readDroppedEntries(entries, folder, options));
  };
  /** Leaving one element for another inside is not leaving. */
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
  };
  const onDragOver = (event: DragEvent): void => {
    if (!bringsFiles(event)) return;
    // Also where nothing may be dropped: otherwise the browser would leave the page for the file.
    event.preventDefault();
    event.dataTransfer.dropEffect = mayUpload ? 'copy' : 'none';
    setOver(mayUpload);
  };
  return (
    <main
      id="files"
      tabIndex={-1}
      className={isOver ? 'browse over' : 'browse'}
      onDragEnter={onDragOver}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      {isOver && <p className="drop-hint">{texts.dropHere}</p>}
      <TreeUploadState {...state} />
      {children}
    </main>
  );
}

/** Texts are dragged, too, into fields. */
function bringsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}

import { type DragEvent, type ReactNode, useState } from 'react';
import { messages } from '../../page-kit/messages/messages.ts';
import { entriesOf, readDroppedEntries } from '../transfers/dropped-files.ts';
import { TreeUploadState, useTreeUpload } from './tree-upload.tsx';

interface DropTargetProps {
  readonly folder: string;
  readonly children: ReactNode;
}

/** Takes files and folders that are dropped on the page. They are read completely before the first one is uploaded. */
export function DropTarget({ folder, children }: DropTargetProps) {
  const [isOver, setOver] = useState(false);
  const { found, failure, upload } = useTreeUpload(folder);

  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const entries = entriesOf(event.dataTransfer.items);
    upload((report) => readDroppedEntries(entries, folder, report));
  };
  /** Leaving one element for another inside is not leaving. */
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
  };
  const onDragOver = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
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
      {isOver && <p className="drop-hint">{messages.dropHere}</p>}
      <TreeUploadState found={found} failure={failure} />
      {children}
    </main>
  );
}

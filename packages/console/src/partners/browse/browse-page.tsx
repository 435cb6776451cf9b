import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useEffect, useState } from 'react';
import { messages } from '../../page-kit/messages/messages.ts';
import type { ListingOrder } from '../api/elements.ts';
import { addressOf } from '../api/request-files.ts';
import { onStored } from '../transfers/transfer-queue.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { DropTarget } from './drop-target.tsx';
import { FileGrid } from './file-grid.tsx';
import { NewFolderDialog } from './new-folder-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { Toolbar } from './toolbar.tsx';
import { useRefresh } from './use-listing.ts';

/** A folder, and how it is shown: both stand in the address of the page. */
export interface BrowsePageProps {
  /** The virtual path, `/` for the root. */
  readonly path: string;
  readonly order: ListingOrder;
  readonly onGo: (path: string) => void;
  readonly onOrder: (order: ListingOrder) => void;
}

type OpenDialog = 'new-folder' | 'rename' | 'remove' | undefined;

/** The files of one folder. */
export function BrowsePage({ path, order, onGo, onOrder }: BrowsePageProps) {
  const refresh = useRefresh();
  const [selection, setSelection] = useState<ReadonlyMap<string, FileElement>>(new Map());
  const [dialog, setDialog] = useState<OpenDialog>();
  const { opened, open } = useOpened(onGo);
  useEffect(() => setSelection(new Map()), [path]);
  useEffect(() => onStored((folder) => refresh(folder)), [refresh]);

  const chosen = [...selection.values()];
  const done = (): void => {
    setDialog(undefined);
    setSelection(new Map());
    refresh(path);
  };
  return (
    <DropTarget folder={path}>
      <Spoken path={path} selected={chosen.length} />
      <Breadcrumbs path={path} onGo={onGo} />
      <Toolbar
        path={path}
        chosen={chosen}
        order={order}
        onOrder={onOrder}
        onNewFolder={() => setDialog('new-folder')}
        onRename={() => setDialog('rename')}
        onRemove={() => setDialog('remove')}
      />
      <FileGrid
        key={path}
        path={path}
        order={order}
        selection={selection}
        onOrder={onOrder}
        onSelect={setSelection}
        takesFocus={opened === path}
        onOpen={open}
        onRemove={() => chosen.length > 0 && setDialog('remove')}
      />
      <Dialogs
        open={dialog}
        path={path}
        chosen={chosen}
        onDone={done}
        onChanged={() => refresh(path)}
        onClose={() => setDialog(undefined)}
      />
    </DropTarget>
  );
}

/** What only screen readers say. */
function Spoken({ path, selected }: { readonly path: string; readonly selected: number }) {
  return (
    <>
      <h1 className="visually-hidden">{path === '/' ? messages.allFolders : path}</h1>
      <p className="visually-hidden" role="status">
        {messages.selected(selected)}
      </p>
    </>
  );
}

interface DialogsProps {
  readonly open: OpenDialog;
  readonly path: string;
  readonly chosen: readonly FileElement[];
  readonly onDone: () => void;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function Dialogs({ open, path, chosen, onDone, onChanged, onClose }: DialogsProps) {
  const [only] = chosen;
  if (open === 'new-folder') return <NewFolderDialog path={path} onDone={onDone} onClose={onClose} />;
  if (open === 'rename' && only !== undefined) return <RenameDialog element={only} onDone={onDone} onClose={onClose} />;
  if (open !== 'remove') return null;
  return <RemoveDialog elements={chosen} onDone={onDone} onChanged={onChanged} onClose={onClose} />;
}

/** What opens an element, and the path of the last one: the focus follows into a folder. */
function useOpened(onGo: (path: string) => void) {
  const [opened, setOpened] = useState<string>();
  const open = ({ id, directory }: FileElement): void => {
    setOpened(id);
    if (directory) onGo(id);
    else download(id);
  };
  return { opened, open };
}

/** Lets the browser save a file. */
function download(path: string): void {
  const link = document.createElement('a');
  link.href = addressOf('files', path);
  link.download = path.split('/').at(-1) ?? '';
  link.click();
}

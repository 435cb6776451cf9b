import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { LazyPart } from '../../page-kit/components/failure.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { useDocumentTitle } from '../../page-kit/use-document-title.ts';
import type { ListingOrder } from '../api/elements.ts';
import type { DetailsDialogProps } from '../details/details-dialog.tsx';
import { Dialogs, type OpenDialog } from '../dialogs/element-dialogs.tsx';
import type { SearchResultsProps } from '../search/search-results.tsx';
import { texts } from '../texts.ts';
import { onStored } from '../transfers/transfer-queue.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { DropTarget } from './drop-target.tsx';
import { FileGrid, type FileGridFocus } from './file-grid.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFolder, useRefresh } from './use-listing.ts';
import { useSelection } from './use-selection.ts';

const SearchResults = lazy(async () => ({ default: (await import('../search/search-results.tsx')).SearchResults }));
const DetailsDialog = lazy(async () => ({ default: (await import('../details/details-dialog.tsx')).DetailsDialog }));

/** A folder, and how it is shown: all of it stands in the address of the page. */
export interface BrowsePageProps {
  /** The virtual path, `/` for the root. */
  readonly path: string;
  readonly order: ListingOrder;
  /** The element whose details are shown; the path of a folder ends with a slash. */
  readonly details: string | undefined;
  readonly onGo: (path: string) => void;
  /** `isTyping`: a filter is changed further, which is no step that Back returns to. */
  readonly onOrder: (order: ListingOrder, isTyping?: boolean) => void;
  readonly onDetails: (path: string | undefined) => void;
}

/** The files of one folder. */
export function BrowsePage({ path, order, details, onGo, onOrder, onDetails }: BrowsePageProps) {
  useDocumentTitle(titleOf({ path, order, details }));
  const { round, changed } = useChanges();
  const { selection, chosen, permissions, toggle, add, clear, keepOnly } = useSelection(path, order);
  // As long as they are not known, the platform decides.
  const { dialog, setDialog, remove } = useDialog(permissions?.has('delete') ?? true);
  const { opened, open } = useOpened(onGo, onDetails);
  const grid = useRef<FileGridFocus>(null);
  useFocusInList(dialog !== undefined || details !== undefined, grid);

  const clearAndFocus = (): void => {
    clear();
    focusList(grid.current);
  };
  const done = (changedPath?: string): void => {
    setDialog(undefined);
    clear();
    focusChanged(changed(path), () => focusList(grid.current, changedPath));
  };
  const onWhole = dialog === undefined ? keepOnly : undefined;
  const list = { path, selection, onToggle: toggle, onAdd: add, onClear: clear, onOpen: open, onWhole };
  return (
    <DropTarget folder={path}>
      <Spoken path={path} order={order} selected={chosen.length} />
      <Breadcrumbs path={path} onGo={onGo} />
      <Toolbar
        {...{ path, chosen, permissions, order, onOrder, onDialog: setDialog }}
        onClear={clearAndFocus}
        onDetails={() => onDetails(detailsPathOf(chosen[0], path))}
      />
      {order.isDeep && order.filter !== '' ? (
        <Found {...list} order={order} onOrder={onOrder} round={round} />
      ) : (
        <FileGrid
          key={path}
          ref={grid}
          {...{ ...list, order, onOrder, onRemove: remove }}
          takesFocus={opened === path}
          onLeave={onGo}
        />
      )}
      <Dialogs
        {...{ open: dialog, path, chosen, onDone: done }}
        onChanged={(folder) => void changed(folder)}
        onClose={() => setDialog(undefined)}
      />
      {details !== undefined && <Details path={details} onClose={() => onDetails(undefined)} />}
    </DropTarget>
  );
}

function Found(props: SearchResultsProps) {
  return (
    <LazyPart>
      <SearchResults {...props} />
    </LazyPart>
  );
}

function Details(props: DetailsDialogProps) {
  return (
    <LazyPart>
      <DetailsDialog {...props} />
    </LazyPart>
  );
}

/** Shows a folder that has changed: its listing, and the results of a search, which has a round for each change. */
function useChanges() {
  const refresh = useRefresh();
  const [round, setRound] = useState(0);
  useEffect(() => onStored((folder) => void refresh(folder)), [refresh]);
  const changed = (folder: string): Promise<void> => {
    setRound((before) => before + 1);
    return refresh(folder);
  };
  return { round, changed };
}

function useDialog(mayRemove: boolean) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const remove = useCallback(() => mayRemove && setDialog('remove'), [mayRemove]);
  return { dialog, setDialog, remove };
}

/** What only screen readers say. */
function Spoken({ path, order, selected }: Pick<BrowsePageProps, 'path' | 'order'> & { readonly selected: number }) {
  const { isMissing, count } = useFolder(path, order);
  const isListed = order.filter === '' || !order.isDeep;
  return (
    <>
      <h1 className="visually-hidden">
        <OutsideText text={path === '/' ? texts.allFolders : path} />
      </h1>
      <p className="visually-hidden" role="status">
        {isListed && count === undefined && !isMissing && texts.loading}
        {isListed && count === 0 && order.filter !== '' && texts.nothingMatches}
      </p>
      <p className="visually-hidden" role="status">
        {texts.selected(selected)}
      </p>
    </>
  );
}

/** What opens an element, and the path of the last one: the focus follows into a folder. */
function useOpened(onGo: BrowsePageProps['onGo'], onDetails: BrowsePageProps['onDetails']) {
  const [opened, setOpened] = useState<string>();
  const open = useCallback(
    ({ id, directory }: FileElement): void => {
      setOpened(id);
      if (directory) onGo(id);
      else onDetails(id);
    },
    [onGo, onDetails],
  );
  return { opened, open };
}

/** When a dialog has closed, and what it was opened with is gone, the focus goes to the list. */
function useFocusInList(isDialogOpen: boolean, grid: { readonly current: FileGridFocus | null }): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isDialogOpen) afterFrames(3, () => isFocusLost() && focusList(grid.current));
    wasOpen.current = isDialogOpen;
  }, [isDialogOpen, grid]);
}

/** Search results have no active row: the page has the focus then. */
function focusList(grid: FileGridFocus | null, path?: string): void {
  if (grid === null) document.querySelector<HTMLElement>('#files')?.focus();
  else grid.focus(path);
}

/** The dialog itself gives the focus back in the next frame, and a list shows what has been read after one or two. */
function afterFrames(frames: number, act: () => void): void {
  if (frames === 0) act();
  else requestAnimationFrame(() => afterFrames(frames - 1, act));
}

/** Focuses what was changed once it is read again, unless the user has moved the focus by a key meanwhile. */
function focusChanged(read: Promise<unknown>, focus: () => void): void {
  let isPressed = false;
  addEventListener('keydown', () => void (isPressed = true), { once: true, capture: true });
  void read.then(() => afterFrames(3, () => (!isPressed || isFocusLost()) && focus()));
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** What is shown and where: the details of an element, the results of a search, or a folder. */
function titleOf({ path, order, details }: Pick<BrowsePageProps, 'path' | 'order' | 'details'>): string {
  const folder = path === '/' ? texts.allFolders : path;
  if (details !== undefined) return texts.titleOfDetails(details);
  if (order.isDeep && order.filter !== '') return texts.titleOfSearch(order.filter, folder);
  return folder;
}

function detailsPathOf(chosen: FileElement | undefined, path: string): string {
  if (chosen === undefined) return path === '/' ? '/' : `${path}/`;
  return chosen.directory ? `${chosen.id}/` : chosen.id;
}

import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { Button } from 'react-aria-components';
import { Failure } from '../../page-kit/components/failure.tsx';
import { PrintedRows } from '../../page-kit/components/printed-rows.tsx';
import { useLastFailure } from '../../page-kit/use-last-failure.ts';
import type { ListingOrder } from '../api/elements.ts';
import { usePermissions } from '../api/use-permissions.ts';
import { texts } from '../texts.ts';
import { FileRow } from './file-row.tsx';
import { GridHeader } from './grid-header.tsx';
import type { Listing } from './use-listing.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';
import { rowHeight, type Rows, useRows } from './use-rows.ts';

/** Gives the focus to a row of the list. */
export interface FileGridFocus {
  /** To the row of a path, or to the row that was the last one to have the focus, or the nearest that is left. */
  focus(path?: string): void;
}

/** The elements of a folder, and what a user does with them. */
export interface FileGridProps {
  readonly ref?: Ref<FileGridFocus>;
  readonly path: string;
  readonly order: ListingOrder;
  readonly selection: ReadonlyMap<string, FileElement>;
  /** Whether the first row gets the focus once it is there. */
  readonly takesFocus: boolean;
  readonly onOrder: (order: ListingOrder) => void;
  readonly onToggle: (element: FileElement) => void;
  readonly onAdd: (elements: readonly FileElement[]) => void;
  readonly onClear: () => void;
  readonly onOpen: (element: FileElement) => void;
  readonly onRemove: () => void;
  /** Leads to another folder. */
  readonly onLeave: (path: string) => void;
  /** All elements of the folder have been read, which have these paths. Undefined while a dialog shows the selection. */
  readonly onWhole: ((paths: ReadonlySet<string>) => void) | undefined;
}

/**
 * A grid of a folder's elements (WAI-ARIA grid pattern). Only the rows in sight are in the page, and only their pages are
 * read from the server, so that a folder may have any number of elements.
 */
export function FileGrid(props: FileGridProps) {
  const { ref, path, order, selection, takesFocus, onOpen, onOrder, onClear, onLeave, onWhole } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(path, order, scroller);
  const rowSelection = useRowSelection({ ...props, rows });
  const { listing, shown, height, active, activate } = rows;
  // The Tab key leads into the list also when its active row has been scrolled out of sight.
  const tabStop = shown.some(({ index }) => index === active) ? active : shown[0]?.index;
  const { total, failure, whole } = listing;
  useEffect(() => {
    if (whole !== undefined) onWhole?.(new Set(whole.map(({ id }) => id)));
  }, [whole, onWhole]);
  useFirstFocus(scroller, takesFocus && shown.length > 0);
  useImperativeHandle(ref, () => ({
    focus(wanted) {
      const row = shown.find(({ index }) => listing.elementAt(index)?.id === wanted);
      if (total !== undefined && total > 0) rows.moveTo(row?.index ?? active);
      else document.querySelector<HTMLElement>('#files')?.focus();
    },
  }));
  const onKeyDown = (event: KeyboardEvent): void => {
    const pageRows = Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight);
    if (actOn(event, { ...props, rows, rowSelection, pageRows })) event.preventDefault();
  };
  if (total === undefined) return <Unread failure={failure} {...{ path, onLeave }} />;
  return (
    <div className="grid" role="grid" aria-label={texts.files} aria-rowcount={total + 1} aria-multiselectable="true">
      {failure !== null && <Failure>{failure.message}</Failure>}
      {rowSelection.failure !== undefined && <Failure>{rowSelection.failure}</Failure>}
      <GridHeader {...{ order, total, onOrder, onClear }} selected={selection.size} onSelectAll={rowSelection.addAll} />
      {total === 0 && <Empty path={path} isFiltered={order.filter !== ''} />}
      <div className="grid-rows" role="rowgroup" ref={scroller} onKeyDown={onKeyDown}>
        <div role="presentation" style={{ height, position: 'relative' }}>
          {shown.map(({ index, start }) => {
            const element = listing.elementAt(index);
            const isSelected = element !== undefined && selection.has(element.id);
            const row = { index, top: start, element, isActive: index === tabStop, isSelected };
            return (
              <FileRow key={index} {...row} onActivate={activate} onToggle={rowSelection.toggleRow} onOpen={onOpen} />
            );
          })}
        </div>
      </div>
      <PrintedRows rows={shown} total={total} />
    </div>
  );
}

/** Focuses the first row when it is wanted and there. */
function useFirstFocus(scroller: { readonly current: HTMLDivElement | null }, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted) scroller.current?.querySelector<HTMLElement>('[data-row="0"]')?.focus();
  }, [scroller, isWanted]);
}

/** That the list is being read, or why there is none, and a way to where there is one. */
function Unread({ path, onLeave, ...props }: Pick<FileGridProps, 'path' | 'onLeave'> & Pick<Listing, 'failure'>) {
  const failure = useLastFailure(props.failure);
  if (failure === null) return <p role="status">{texts.loading}</p>;
  return (
    <>
      <Failure>{failure.message}</Failure>
      {path !== '/' && (
        <p className="empty">
          <Button className="button" onPress={() => onLeave('/')}>
            {texts.toAllFolders}
          </Button>
        </p>
      )}
    </>
  );
}

/** Why there is no row. Only a user who may upload is told to drop files. */
function Empty({ path, isFiltered }: { readonly path: string; readonly isFiltered: boolean }) {
  const mayUpload = usePermissions(path).has('upload');
  const text = mayUpload ? texts.emptyFolderForUploads : texts.emptyFolder;
  return <p className="empty">{isFiltered ? texts.nothingMatches : text}</p>;
}

interface GridKeys extends FileGridProps {
  readonly rows: Rows;
  readonly rowSelection: RowSelection;
  /** Rows that fit into the window. */
  readonly pageRows: number;
}

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** Does what a key means; false if it means nothing. */
function actOn({ key, shiftKey, ctrlKey, metaKey }: Keys, grid: GridKeys): boolean {
  const { rows, rowSelection, pageRows, selection, onToggle, onOpen, onRemove } = grid;
  const { active, listing } = rows;
  const element = listing.elementAt(active);
  const all = listing.total ?? 0;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows, Home: -all, End: all };
  const step = Object.entries(steps).find(([name]) => name === key)?.[1];
  if (step !== undefined) {
    const target = Math.max(0, Math.min(active + step, all - 1));
    if (shiftKey) rowSelection.addRows(Math.min(active, target), Math.max(active, target));
    rows.moveTo(target);
  } else if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) rowSelection.addAll();
  else if (key === 'Delete' && (selection.size > 0 || element !== undefined)) {
    if (selection.size === 0 && element !== undefined) onToggle(element);
    onRemove();
  } else if (key === ' ' && element !== undefined) rowSelection.toggleRow(element, active, shiftKey);
  else if (key === 'Enter' && element !== undefined) onOpen(element);
  else return false;
  return true;
}

import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useEffect, useMemo, useState } from 'react';
import { Failure } from '../../page-kit/components/failure.tsx';
import { SelectAllBox } from '../../page-kit/components/select-all-box.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import type { ListingOrder } from '../api/elements.ts';
import { SortButton, sortStateOf } from '../order/sort-button.tsx';
import { texts } from '../texts.ts';
import { mostFound, searchTree, type SearchState } from './search-tree.ts';
import { folderOf, sortHits } from './sort-hits.ts';

/** A search below a folder. */
export interface SearchResultsProps {
  readonly path: string;
  /** Its filter is the pattern of names. */
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder) => void;
  /** Another number searches again. */
  readonly round: number;
  /** By their paths. */
  readonly selection: ReadonlyMap<string, FileElement>;
  readonly onToggle: (element: FileElement) => void;
  readonly onAdd: (elements: readonly FileElement[]) => void;
  readonly onClear: () => void;
  /** Everything has been found, and has these paths. Undefined while a dialog shows the selection. */
  readonly onWhole: ((paths: ReadonlySet<string>) => void) | undefined;
  readonly onOpen: (element: FileElement) => void;
}

const columns = [
  { sort: 'name', title: texts.columnName },
  { sort: 'folder', title: texts.columnFolder },
  { sort: 'size', title: texts.columnSize },
  { sort: 'put_date', title: texts.columnStored },
] as const;

const nothingYet: SearchState = { found: [], folders: 0, failures: [], status: 'running' };

/** What a search below a folder has found so far. It ends with the page. */
export function SearchResults(props: SearchResultsProps) {
  const { path, order, onOrder, round, selection, onAdd, onClear, onWhole } = props;
  const { filter: pattern } = order;
  const [state, setState] = useState(nothingYet);
  useEffect(() => {
    const ending = new AbortController();
    setState(nothingYet);
    void searchTree({ path, pattern }, setState, ending.signal);
    return () => ending.abort();
  }, [path, pattern, round]);
  const { found, failures, status } = state;
  const sorted = useMemo(() => sortHits(found, order), [found, order]);
  useEffect(() => {
    if (status === 'complete') onWhole?.(new Set(found.map(({ id }) => id)));
  }, [found, status, onWhole]);
  return (
    <section className="results" aria-label={texts.searchResults}>
      <p role="status">{describe(state)}</p>
      {failures.length > 0 && <Failure>{texts.notSearched(failures.length, failures[0]?.reason ?? '')}</Failure>}
      <table>
        <thead>
          <tr>
            <th scope="col">
              <SelectAllBox
                selected={selection.size}
                total={found.length}
                onSelectAll={() => onAdd(found)}
                onClear={onClear}
              />
            </th>
            {columns.map(({ sort, title }) => (
              <th key={sort} scope="col" aria-sort={sortStateOf(order, sort)}>
                <SortButton {...{ order, onOrder, sort }}>{title}</SortButton>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((element) => (
            <Hit key={element.id} {...props} element={element} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type HitProps = Pick<SearchResultsProps, 'selection' | 'onToggle' | 'onOpen'> & { readonly element: FileElement };

function Hit({ element, selection, onToggle, onOpen }: HitProps) {
  const { id, filename, directory, attributes } = element;
  return (
    <tr data-place={id}>
      <td>
        <input
          type="checkbox"
          checked={selection.has(id)}
          aria-label={texts.selectElement(visibleText(id))}
          onChange={() => onToggle(element)}
        />
      </td>
      <td>
        <button type="button" className="name" onClick={() => onOpen(element)}>
          <OutsideText text={filename} />
        </button>
      </td>
      <td>
        <OutsideText text={folderOf(element)} />
      </td>
      <td>{directory ? texts.folderKind : formatBytes(Number(attributes.size ?? 0))}</td>
      <td>{formatTime(attributes.putDate)}</td>
    </tr>
  );
}

function describe({ found, folders, status }: SearchState): string {
  if (status === 'too-many') return texts.searchTooMany(mostFound);
  const describeState = status === 'running' ? texts.searchRunning : texts.searchComplete;
  return describeState(found.length, folders);
}

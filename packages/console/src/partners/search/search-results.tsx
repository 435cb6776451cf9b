import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useEffect, useState } from 'react';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { mostFound, searchTree, type SearchState } from './search-tree.ts';

/** A search below a folder. */
export interface SearchResultsProps {
  readonly path: string;
  readonly pattern: string;
  readonly onOpen: (element: FileElement) => void;
}

const nothingYet: SearchState = { found: [], folders: 0, failures: [], status: 'running' };

/** What a search below a folder has found so far. It ends with the page. */
export function SearchResults({ path, pattern, onOpen }: SearchResultsProps) {
  const [state, setState] = useState(nothingYet);
  useEffect(() => {
    const ending = new AbortController();
    setState(nothingYet);
    void searchTree({ path, pattern }, setState, ending.signal);
    return () => ending.abort();
  }, [path, pattern]);
  const { found, failures } = state;
  return (
    <section className="results" aria-label={messages.searchResults}>
      <p role="status">{describe(state)}</p>
      {failures.length > 0 && <Failure>{messages.notSearched(failures.length, failures[0]?.reason ?? '')}</Failure>}
      <table>
        <thead>
          <tr>
            <th scope="col">{messages.columnName}</th>
            <th scope="col">{messages.columnFolder}</th>
            <th scope="col">{messages.columnSize}</th>
            <th scope="col">{messages.columnStored}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((element) => (
            <tr key={element.id}>
              <td>
                <button type="button" className="name" onClick={() => onOpen(element)}>
                  <bdi>{element.filename}</bdi>
                </button>
              </td>
              <td>
                <bdi>{element.id.slice(0, element.id.lastIndexOf('/')) || '/'}</bdi>
              </td>
              <td>{element.directory ? messages.folderKind : formatBytes(Number(element.attributes.size ?? 0))}</td>
              <td>{formatTime(element.attributes.putDate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function describe({ found, folders, status }: SearchState): string {
  if (status === 'too-many') return messages.searchTooMany(mostFound);
  const describeState = status === 'running' ? messages.searchRunning : messages.searchComplete;
  return describeState(found.length, folders);
}

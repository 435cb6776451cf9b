import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Filters } from '../address/use-filters.ts';
import type { BulkTarget, Row, SelectableList } from './use-selectable-list.ts';

/** What can be done to the selected rows of a list; without one, to all that match, if there are filters and some match. */
export function BulkBar<T extends Row, K extends string>(props: {
  readonly list: SelectableList<T, K>;
  readonly words: { selected(count: number): string; readonly clearSelection: string };
  /** Says that it is done to all that match, and to how many at most. */
  readonly matching: string;
  /** Whether it can be done to some of those that match. Default: it can. */
  readonly isMatchable?: boolean;
  /** The buttons. */
  readonly children: (target: BulkTarget<T, Filters<K>>) => ReactNode;
}) {
  const { list, words, matching, isMatchable = true, children } = props;
  const { filters, faulty, selected, isEmpty } = list;
  if (selected.rows.length > 0) {
    return (
      <div className="buttons">
        <span role="status">{words.selected(selected.rows.length)}</span>
        {children({ rows: selected.rows })}
        <Button className="button" onPress={selected.clear}>
          {words.clearSelection}
        </Button>
      </div>
    );
  }
  if (!isMatchable || faulty.length > 0 || Object.keys(filters).length === 0) return null;
  return (
    // A dialog that a button has opened stays when nothing matches any more.
    <div hidden={isEmpty}>
      <div className="buttons">
        <span>{matching}:</span>
        {children({ filters })}
      </div>
    </div>
  );
}

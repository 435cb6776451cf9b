import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { expectationFilterNames } from './expectation-filters.ts';
import { ExpectationTable } from './expectation-table.tsx';
import { FilterBar } from './filter-bar.tsx';

const { expectations: words } = texts;

type Selection = ReadonlyMap<number, ExpectationView>;

/** Which files were expected and what came of it, as the filters in the address say, and the acknowledgement of several. */
export function ExpectationsPage() {
  const [filters, changeFilters] = useFilters(expectationFilterNames);
  const [selection, setSelection] = useState<Selection>(new Map());
  // The dialog keeps those that were selected when it was opened.
  const [asked, setAsked] = useState<readonly ExpectationView[]>();
  const mayChange = usePermissions().may('expectations:write');
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
      <FilterBar filters={filters} onChange={change} />
      {selection.size > 0 && (
        <div className="buttons">
          <span role="status">{words.selected(selection.size)}</span>
          <Button className="button" onPress={() => setAsked([...selection.values()])}>
            {words.acknowledge}
          </Button>
          <Button className="button" onPress={clear}>
            {words.clearSelection}
          </Button>
        </div>
      )}
      <ExpectationTable
        key={JSON.stringify(filters)}
        filters={filters}
        selection={selection}
        onSelect={mayChange ? setSelection : undefined}
      />
      {asked !== undefined && <AcknowledgeDialog states={asked} onClose={close} />}
    </PageFrame>
  );
}

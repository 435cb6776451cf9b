import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { BulkBar } from '../lists/bulk-bar.tsx';
import { type BulkTarget, useSelectableList } from '../lists/use-selectable-list.ts';
import { texts } from '../texts/texts.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { acknowledgedAtMost, canBeOpen } from './acknowledge-states.ts';
import {
  type ExpectationFilterName,
  expectationFilterNames,
  type ExpectationFilters,
  findFaultyExpectationFilters,
} from './expectation-filters.ts';
import { ExpectationTable } from './expectation-table.tsx';
import { FilterBar } from './filter-bar.tsx';

const { expectations: words } = texts;

/** Which files were expected and what came of it, as the filters in the address say, and the acknowledgement of some or all of them. */
export function ExpectationsPage() {
  const list = useSelectableList<ExpectationView, ExpectationFilterName>(
    expectationFilterNames,
    findFaultyExpectationFilters,
  );
  const { filters, changeFilters, faulty, selected } = list;
  // The dialog keeps those that were selected when it was opened.
  const [asked, setAsked] = useState<BulkTarget<ExpectationView, ExpectationFilters>>();
  const mayChange = usePermissions().may('expectations:write');
  const close = (): void => {
    setAsked(undefined);
    selected.clear();
  };
  return (
    <PageFrame title={words.title}>
      <FilterBar filters={filters} onChange={changeFilters} />
      {mayChange && (
        <BulkBar
          list={list}
          words={words}
          matching={words.matchingBound(acknowledgedAtMost)}
          isMatchable={canBeOpen(filters)}
        >
          {(target) => (
            <Button className="button" onPress={() => setAsked(target)}>
              {words.acknowledge}
            </Button>
          )}
        </BulkBar>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <ExpectationTable
          key={JSON.stringify(filters)}
          filters={filters}
          selected={mayChange ? selected : undefined}
          onEmpty={list.noteEmpty}
        />
      )}
      {asked !== undefined && <AcknowledgeDialog target={asked} onClose={close} />}
    </PageFrame>
  );
}

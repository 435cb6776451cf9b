import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { acknowledgedAtMost, type AcknowledgeTarget, canBeOpen } from './acknowledge-states.ts';
import {
  expectationFilterNames,
  type ExpectationFilters,
  findFaultyExpectationFilters,
} from './expectation-filters.ts';
import { ExpectationTable } from './expectation-table.tsx';
import { FilterBar } from './filter-bar.tsx';

const { expectations: words } = texts;

type Selection = ReadonlyMap<number, ExpectationView>;

/** Which files were expected and what came of it, as the filters in the address say, and the acknowledgement of some or all of them. */
export function ExpectationsPage() {
  const [filters, changeFilters] = useFilters(expectationFilterNames);
  const [selection, setSelection] = useState<Selection>(new Map());
  // The dialog keeps those that were selected when it was opened.
  const [asked, setAsked] = useState<AcknowledgeTarget>();
  const mayChange = usePermissions().may('expectations:write');
  const faulty = findFaultyExpectationFilters(filters);
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
      {mayChange && (
        <Actions
          states={[...selection.values()]}
          filters={filters}
          isFaulty={faulty.length > 0}
          onAcknowledge={setAsked}
          onClear={clear}
        />
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <ExpectationTable
          key={JSON.stringify(filters)}
          filters={filters}
          selection={selection}
          onSelect={mayChange ? setSelection : undefined}
        />
      )}
      {asked !== undefined && <AcknowledgeDialog target={asked} onClose={close} />}
    </PageFrame>
  );
}

/** What can be done to the states that are selected, or to all that match the filters. */
function Actions(props: {
  readonly states: readonly ExpectationView[];
  readonly filters: ExpectationFilters;
  readonly isFaulty: boolean;
  readonly onAcknowledge: (target: AcknowledgeTarget) => void;
  readonly onClear: () => void;
}) {
  const { states, filters, isFaulty, onAcknowledge, onClear } = props;
  const isSelected = states.length > 0;
  if (!isSelected && (isFaulty || Object.keys(filters).length === 0 || !canBeOpen(filters))) return null;
  return (
    <div className="buttons">
      {isSelected ? (
        <span role="status">{words.selected(states.length)}</span>
      ) : (
        <span>{words.matchingBound(acknowledgedAtMost)}:</span>
      )}
      <Button className="button" onPress={() => onAcknowledge(isSelected ? { states } : { filters })}>
        {words.acknowledge}
      </Button>
      {isSelected && (
        <Button className="button" onPress={onClear}>
          {words.clearSelection}
        </Button>
      )}
    </div>
  );
}

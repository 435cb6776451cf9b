import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryFilterBar } from './delivery-filter-bar.tsx';
import {
  deliveryFilterNames,
  type DeliveryFilters,
  findFaultyDeliveryFilters,
  replayedAtMost,
} from './delivery-filters.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { ReplayDialog, ReplayMatchingDialog } from './replay-dialog.tsx';

const { webhooks: words } = texts;

/** The deliveries of webhooks that match the filters in the address, and the replay of some. */
export function DeliveriesPage() {
  const [filters, changeFilters] = useFilters(deliveryFilterNames);
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set());
  const [replayed, setReplayed] = useState<readonly number[]>();
  // The filters stay those of the moment at which the dialog was opened.
  const [matching, setMatching] = useState<DeliveryFilters>();
  const mayReplay = usePermissions().may('jobs:write');
  const isFiltered = Object.keys(filters).length > 0;
  const faulty = findFaultyDeliveryFilters(filters);
  const change: typeof changeFilters = (values) => {
    setSelection(new Set());
    changeFilters(values);
  };
  return (
    <PageFrame title={words.title}>
      <DeliveryFilterBar filters={filters} onChange={change} />
      {mayReplay && selection.size > 0 && (
        <div className="buttons">
          <span role="status">{words.selected(selection.size)}</span>
          <Button className="button" onPress={() => setReplayed([...selection])}>
            {words.replay}
          </Button>
          <Button className="button" onPress={() => setSelection(new Set())}>
            {words.clearSelection}
          </Button>
        </div>
      )}
      {mayReplay && selection.size === 0 && isFiltered && faulty.length === 0 && (
        <div className="buttons">
          <span>{words.allMatching(replayedAtMost)}:</span>
          <Button className="button" onPress={() => setMatching(filters)}>
            {words.replay}
          </Button>
        </div>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <DeliveryTable
          key={JSON.stringify(filters)}
          filters={filters}
          selection={selection}
          onSelect={mayReplay ? setSelection : undefined}
        />
      )}
      {replayed !== undefined && <ReplayDialog ids={replayed} onClose={() => setReplayed(undefined)} />}
      {matching !== undefined && <ReplayMatchingDialog filters={matching} onClose={() => setMatching(undefined)} />}
    </PageFrame>
  );
}

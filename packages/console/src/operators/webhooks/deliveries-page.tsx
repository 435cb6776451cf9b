import { useState } from 'react';
import { Button } from 'react-aria-components';
import { FaultyFilters } from '../address/faulty-filters.tsx';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { BulkBar } from '../lists/bulk-bar.tsx';
import { type BulkTarget, useSelectableList } from '../lists/use-selectable-list.ts';
import { texts } from '../texts/texts.ts';
import { DeliveryFilterBar } from './delivery-filter-bar.tsx';
import {
  type Delivery,
  type DeliveryFilterName,
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
  const list = useSelectableList<Delivery, DeliveryFilterName>(deliveryFilterNames, findFaultyDeliveryFilters);
  const { filters, changeFilters, faulty, selected } = list;
  // What is replayed stays that of the moment at which the dialog was opened.
  const [asked, setAsked] = useState<Asked>();
  const mayReplay = usePermissions().may('jobs:write');
  const ask = (target: BulkTarget<Delivery, DeliveryFilters>): void =>
    setAsked('rows' in target ? { ids: target.rows.map(({ id }) => id) } : target);
  const close = (): void => setAsked(undefined);
  return (
    <PageFrame title={words.title}>
      <DeliveryFilterBar filters={filters} onChange={changeFilters} />
      {mayReplay && (
        <BulkBar list={list} words={words} matching={words.allMatching(replayedAtMost)}>
          {(target) => (
            <Button className="button" onPress={() => ask(target)}>
              {words.replay}
            </Button>
          )}
        </BulkBar>
      )}
      {faulty.length > 0 ? (
        <FaultyFilters faulty={faulty} />
      ) : (
        <DeliveryTable key={JSON.stringify(filters)} filters={filters} selected={mayReplay ? selected : undefined} />
      )}
      {asked !== undefined && 'ids' in asked && <ReplayDialog ids={asked.ids} onClose={close} />}
      {asked !== undefined && 'filters' in asked && <ReplayMatchingDialog filters={asked.filters} onClose={close} />}
    </PageFrame>
  );
}

type Asked = { readonly ids: readonly number[] } | { readonly filters: DeliveryFilters };

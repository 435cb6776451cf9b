import { useMemo } from 'react';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { emptyText } from '../lists/empty-text.ts';
import { LongText } from '../lists/long-text.tsx';
import { withSelection } from '../lists/select-column.tsx';
import type { SelectedRows } from '../lists/use-selectable-list.ts';
import { type Column, exactTimeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';
import { ConnectionLink, OutcomeBadge, responseInWords } from './delivery-facts.tsx';
import {
  type Delivery,
  type DeliveryFilters,
  deliveryPageSize,
  listDeliveries,
  refreshDeliveriesEveryMs,
} from './delivery-filters.ts';

const { webhooks: words } = texts;

const columns: readonly Column<Delivery>[] = [
  { name: 'id', title: words.number, rem: 5, cell: ({ id }) => <Link href={`/webhooks/${id}`}>{id}</Link> },
  {
    name: 'outcome',
    title: words.outcomeTitle,
    rem: 6.5,
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
  },
  {
    name: 'response',
    title: words.response,
    rem: 13,
    share: 3,
    cell: (delivery) => <LongText title={words.response} text={responseInWords(delivery)} />,
  },
  {
    name: 'connection',
    title: words.connection,
    rem: 10,
    share: 2,
    cell: ({ connection }) => <ConnectionLink connection={connection} />,
  },
  {
    name: 'job',
    title: words.job,
    rem: 6,
    cell: ({ job }) => <Link href={`/jobs/${job}`}>{job}</Link>,
  },
  {
    name: 'step',
    title: words.step,
    rem: 10,
    share: 2,
    cell: ({ step, attempt, replayOf }) => (
      <>
        {words.attemptOf(step, attempt)}{' '}
        {replayOf !== null && (
          <span className="quiet">
            {words.replayOf} <Link href={`/webhooks/${replayOf}`}>{replayOf}</Link>
          </span>
        )}
      </>
    ),
  },
  {
    name: 'begun',
    title: words.begun,
    rem: exactTimeRem,
    cell: ({ begunAt }) => <time dateTime={begunAt}>{formatExactTime(begunAt)}</time>,
  },
];

/** The deliveries that match filters. */
export function DeliveryTable(props: {
  readonly filters: DeliveryFilters;
  /** Undefined: none can be selected. */
  readonly selected: SelectedRows<Delivery> | undefined;
}) {
  const { filters, selected } = props;
  const shown = useMemo(() => withSelection(columns, { selected, nameOf: ({ id }) => words.select(id) }), [selected]);
  return (
    <VirtualTable
      label={words.list}
      columns={shown}
      empty={emptyText(words, filters)}
      keyOf={({ id }) => id}
      source={{
        queryKey: ['webhooks', 'list', filters],
        pageSize: deliveryPageSize,
        refreshEveryMs: refreshDeliveriesEveryMs,
        read: (cursor, signal) => listDeliveries(filters, cursor, signal),
      }}
    />
  );
}

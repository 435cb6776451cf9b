import { useMemo } from 'react';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { emptyText } from '../lists/empty-text.ts';
import { LongText } from '../lists/long-text.tsx';
import { withSelection } from '../lists/select-column.tsx';
import type { SelectedRows } from '../lists/use-selectable-list.ts';
import { type Column, timeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { UserLink } from '../now/sessions/user-link.tsx';
import { texts } from '../texts/texts.ts';
import {
  type ListedUpload,
  listUploads,
  placeInWords,
  refreshUploadsEveryMs,
  sizeInWords,
  type UploadFilters,
  uploadPageSize,
} from './upload-filters.ts';

const { uploads: words } = texts;

const columns: readonly Column<ListedUpload>[] = [
  {
    name: 'file',
    title: words.file,
    rem: 14,
    share: 3,
    cell: (upload) => <LongText title={words.file} text={placeInWords(upload)} />,
  },
  {
    name: 'user',
    title: words.user,
    rem: 8,
    share: 1,
    // Who submits a job is no user of a partner.
    cell: ({ userName, protocol }) =>
      protocol === null ? <OutsideText text={userName} /> : <UserLink userName={userName} />,
  },
  {
    name: 'partner',
    title: words.partner,
    rem: 7,
    share: 1,
    cell: ({ actor }) => actor !== null && <OutsideText text={actor} />,
  },
  { name: 'arrived', title: words.arrived, rem: 11, share: 1, cell: sizeInWords },
  { name: 'state', title: words.state, rem: 6.5, cell: ({ state }) => words.states[state] },
  { name: 'protocol', title: words.protocol, rem: 5, cell: ({ protocol }) => protocol ?? words.job },
  {
    name: 'since',
    title: words.since,
    rem: timeRem,
    cell: ({ startedAt }) => <time dateTime={startedAt}>{formatTime(startedAt)}</time>,
  },
  {
    name: 'kept',
    title: words.keptUntil,
    rem: timeRem,
    cell: ({ keptUntil }) => keptUntil !== null && <time dateTime={keptUntil}>{formatTime(keptUntil)}</time>,
  },
];

/** The unfinished uploads that match filters. */
export function UploadTable(props: {
  readonly filters: UploadFilters;
  /** Undefined: none can be selected. */
  readonly selected: SelectedRows<ListedUpload> | undefined;
  readonly onEmpty: (isEmpty: boolean) => void;
}) {
  const { filters, selected, onEmpty } = props;
  const shown = useMemo(
    () =>
      withSelection(columns, {
        selected,
        nameOf: (upload) => words.select(placeInWords(upload), upload.userName, formatTime(upload.startedAt)),
      }),
    [selected],
  );
  return (
    <VirtualTable
      label={words.list}
      columns={shown}
      empty={emptyText(words, filters)}
      onEmpty={onEmpty}
      keyOf={({ id }) => id}
      source={{
        queryKey: ['uploads', filters],
        pageSize: uploadPageSize,
        refreshEveryMs: refreshUploadsEveryMs,
        read: (cursor, signal) => listUploads(filters, { cursor, maxItems: uploadPageSize }, signal),
      }}
    />
  );
}

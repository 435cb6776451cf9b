import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { useMemo } from 'react';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { number } from '../../texts/numbers.ts';
import { usePermissions } from '../api/permissions.ts';
import { OptionalLink } from '../frame/optional-link.tsx';
import { emptyText } from '../lists/empty-text.ts';
import { LongText, WithWhole } from '../lists/long-text.tsx';
import { withSelection } from '../lists/select-column.tsx';
import type { SelectedRows } from '../lists/use-selectable-list.ts';
import { type Column, timeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';
import {
  type ExpectationFilters,
  expectationPageSize,
  isOpen,
  listExpectations,
  refreshExpectationsEveryMs,
} from './expectation-filters.ts';
import { ExpectationBadge } from './state-badge.tsx';

const { expectations: words } = texts;

/** Names of so many characters fit in the column of partners. */
const partnerFits = 12;

const columns: readonly Column<ExpectationView>[] = [
  { name: 'state', title: words.state, rem: 8.5, cell: ({ state }) => <ExpectationBadge state={state} /> },
  {
    name: 'partner',
    title: words.partner,
    rem: 8,
    share: 1,
    cell: ({ actor }) => actor !== null && <Partner actor={actor} />,
  },
  { name: 'expectation', title: words.expectation, rem: 12, share: 2, cell: (view) => <Definition view={view} /> },
  {
    name: 'expected',
    title: words.expected,
    rem: 10,
    share: 2,
    cell: ({ expected }) =>
      expected === null ? (
        <span className="quiet">{words.gone}</span>
      ) : (
        <LongText title={words.expected} text={words.place(expected.virtualPath, expected.filePattern)} />
      ),
  },
  {
    name: 'due',
    title: words.due,
    rem: timeRem,
    cell: ({ dueAt }) => <time dateTime={dueAt}>{formatTime(dueAt)}</time>,
  },
  { name: 'files', title: words.files, rem: 4, cell: ({ files }) => number(files) },
  {
    name: 'last',
    title: words.lastFile,
    rem: 10,
    share: 2,
    cell: (view) => view.lastPath !== null && <LastFile view={view} path={view.lastPath} />,
  },
  {
    name: 'acknowledgement',
    title: words.acknowledgement,
    rem: 14,
    share: 2,
    cell: ({ acknowledgement }) =>
      acknowledgement !== null && (
        <LongText
          title={words.acknowledgement}
          text={words.acknowledgedBy(acknowledgement.by, acknowledgement.reason, formatTime(acknowledgement.at))}
        />
      ),
  },
];

/** The states that match filters. Those that are not open have no box. */
export function ExpectationTable(props: {
  readonly filters: ExpectationFilters;
  /** Undefined: none can be selected. */
  readonly selected: SelectedRows<ExpectationView> | undefined;
  readonly onEmpty: (isEmpty: boolean) => void;
}) {
  const { filters, selected, onEmpty } = props;
  const shown = useMemo(
    () =>
      withSelection(columns, {
        selected,
        nameOf: (view) => words.select(view.contract, view.expectation, formatTime(view.dueAt)),
        isOffered: isOpen,
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
        queryKey: ['expectations', 'list', filters],
        pageSize: expectationPageSize,
        refreshEveryMs: refreshExpectationsEveryMs,
        read: (cursor, signal) => listExpectations(filters, { cursor, maxItems: expectationPageSize }, signal),
      }}
    />
  );
}

/** The contract has the definition. */
function Definition({ view: { actor, contract, expectation } }: { readonly view: ExpectationView }) {
  const isLink = usePermissions().may('configuration:read');
  const scope = actor === null ? '' : `?${new URLSearchParams({ actor }).toString()}`;
  const href = `/configuration/contracts/${encodeURIComponent(contract)}${scope}`;
  return (
    <WithWhole title={words.expectation} text={`${contract} / ${expectation}`}>
      <OptionalLink {...{ href, isLink }} text={contract} /> / <OutsideText text={expectation} />
    </WithWhole>
  );
}

function Partner({ actor }: { readonly actor: string }) {
  const isLink = usePermissions().may('configuration:read');
  return (
    <WithWhole title={words.partner} text={actor} fits={partnerFits}>
      <OptionalLink href={`/partners/${encodeURIComponent(actor)}`} isLink={isLink} text={actor} />
    </WithWhole>
  );
}

/** The file that came last, which leads to its story. */
function LastFile({ view: { actor, expected }, path }: { readonly view: ExpectationView; readonly path: string }) {
  const { may, mayForAll } = usePermissions();
  const query = new URLSearchParams({
    path,
    ...(actor !== null && { actor }),
    ...(expected !== null && { vfs: expected.vfs }),
  });
  const isLink = may('activity:read') || mayForAll('audit:read');
  return (
    <WithWhole title={words.lastFile} text={path}>
      <OptionalLink href={`/files?${query.toString()}`} isLink={isLink} text={path} />
    </WithWhole>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  acknowledgeExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { Link } from 'react-aria-components';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { isOpen } from '../../expectations/expectation-filters.ts';
import { ExpectationBadge } from '../../expectations/state-badge.tsx';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { Since } from '../since.tsx';

const { now } = texts;

/** What operators look at: what is open, and what is due. */
const shownStates = ['missed', 'late', 'unexpected', 'pending'] as const;

/** States of each kind that are shown. */
const shownOfState = 50;

const columns: readonly SmallColumn<ExpectationView>[] = [
  { title: now.expectation, cell: ({ contract, expectation }) => `${contract} / ${expectation}` },
  {
    title: now.state,
    cell: ({ state }) => <ExpectationBadge state={state} />,
  },
  {
    title: now.due,
    cell: (view) =>
      isOpen(view) ? <Since time={view.dueAt} /> : <time dateTime={view.dueAt}>{formatTime(view.dueAt)}</time>,
  },
  { title: now.files, isNumber: true, cell: ({ files }) => number(files) },
];

/** Files that are due or were missed. */
export function ExpectationList() {
  const mayChange = usePermissions().may('expectations:write');
  const { data, error } = useQuery({
    queryKey: ['expectations'],
    queryFn: ({ signal }) => readExpectations(signal),
    refetchInterval: refreshEveryMs.live,
  });
  const change: SmallColumn<ExpectationView> = {
    title: <span className="visually-hidden">{texts.actions}</span>,
    text: 'actions',
    cell: (view) => isOpen(view) && <AcknowledgeButton view={view} />,
  };
  return (
    <Panel title={now.expectations} hint={now.expectationOrder} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={now.expectations}
        columns={mayChange ? [...columns, change] : columns}
        rows={data?.states}
        empty={now.noExpectations}
        keyOf={({ id }) => id}
      />
      {data?.isCut === true && <p className="quiet">{now.expectationsCut(shownOfState)}</p>}
      <p>
        <Link href="/expectations">{texts.expectations.history}</Link>
      </p>
    </Panel>
  );
}

/** The states that are shown: what is open first, then by the due time. */
async function readExpectations(
  signal: AbortSignal,
): Promise<{ readonly states: readonly ExpectationView[]; readonly isCut: boolean }> {
  const pages = await Promise.all(
    shownStates.map((state) =>
      callEndpoint(listExpectationsEndpoint, { query: { state, maxItems: shownOfState }, signal }),
    ),
  );
  const states = pages
    .flatMap(({ expectations }) => expectations)
    .toSorted(
      (one, other) =>
        Number(isOpen(other)) - Number(isOpen(one)) || one.dueAt.localeCompare(other.dueAt) || one.id - other.id,
    );
  return { states, isCut: pages.some(({ next }) => next !== undefined) };
}

function AcknowledgeButton({ view: { id, contract, expectation } }: { readonly view: ExpectationView }) {
  const client = useQueryClient();
  const name = `${contract} / ${expectation}`;
  const acknowledge = async (reason: string): Promise<void> => {
    await callEndpoint(acknowledgeExpectationEndpoint, { params: { id }, body: { reason } });
    await client.invalidateQueries({ queryKey: ['expectations'] });
  };
  return (
    <ConfirmButton
      label={now.acknowledge}
      name={`${now.acknowledge}: ${name}`}
      title={now.acknowledgeTitle(name)}
      reason={now.reason}
      act={acknowledge}
    />
  );
}

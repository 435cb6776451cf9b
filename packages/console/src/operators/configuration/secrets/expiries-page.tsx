import { useQuery } from '@tanstack/react-query';
import { type Expiry, listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { FaultyFilters } from '../../address/faulty-filters.tsx';
import { type ChangeFilters, type Filters, useFilters } from '../../address/use-filters.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { readAllItems } from '../../api/pages.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { FilterText } from '../../lists/filter-fields.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { expiryColumns } from '../objects/expiry-columns.tsx';
import { ExpiringName } from './expiring-name.tsx';
import { countEnding, type ExpiryFilterName, expiryFilterNames, findFaultyExpiryFilters } from './expiry-filters.ts';

const { secrets, configuration } = texts;

/** Rows that are shown: those that expire first. */
const shownAtMost = 1_000;

/** What expires, the first to expire first, with warnings. */
export function ExpiriesPage() {
  const [filters, change] = useFilters(expiryFilterNames);
  const { actor, withinDays } = filters;
  const faulty = findFaultyExpiryFilters(filters);
  const { data, error } = useQuery({
    queryKey: ['configuration', 'expiries', actor, withinDays],
    queryFn: ({ signal }) =>
      readAllItems((page) => callEndpoint(listExpiriesEndpoint, { query: { actor, withinDays, ...page }, signal })),
    refetchInterval: unlessRefused(60_000),
    enabled: faulty.length === 0,
    retry: false,
  });
  const isUrgent = data?.some(({ state }) => state !== 'valid') === true;
  return (
    <PageFrame title={secrets.expiries}>
      <ExpiryFilters {...{ filters, change, faulty }} />
      <Failure error={error} isRead={data !== undefined} />
      {data !== undefined && (
        <p role="status" className={isUrgent ? 'failure' : ''}>
          {secrets.urgent(countEnding(data, filters))}
        </p>
      )}
      <SmallTable
        label={secrets.expiries}
        rows={data?.slice(0, shownAtMost)}
        empty={secrets.nothingExpires}
        keyOf={({ expiresAt, ...thing }) => `${JSON.stringify(thing)} ${expiresAt ?? ''}`}
        columns={[
          ...expiryColumns,
          { title: configuration.name, cell: (expiry) => <ExpiringName expiry={expiry} /> },
          { title: configuration.actor, cell: ({ actor: owner }) => <OutsideText text={owner ?? ''} /> },
          { title: secrets.process, cell: ProcessName },
          { title: secrets.detail, cell: ({ detail }) => <OutsideText text={detail} /> },
        ]}
      />
      <p className="quiet">{secrets.reported}</p>
    </PageFrame>
  );
}

function ExpiryFilters(props: {
  readonly filters: Filters<ExpiryFilterName>;
  readonly change: ChangeFilters<ExpiryFilterName>;
  readonly faulty: readonly string[];
}) {
  const { filters, change, faulty } = props;
  const { actor = '', withinDays = '' } = filters;
  return (
    <>
      <section className="filters" aria-label={configuration.filters}>
        <FilterText label={configuration.actor} value={actor} onChange={(value) => change({ actor: value })} />
        <FilterText label={secrets.withinDays} value={withinDays} onChange={(value) => change({ withinDays: value })} />
      </section>
      {faulty.length > 0 && (
        <>
          <FaultyFilters faulty={faulty} />
          <p className="quiet">{secrets.daysHint}</p>
        </>
      )}
    </>
  );
}

function ProcessName({ process }: Expiry) {
  return (
    process && (
      <>
        <OutsideText text={process.service} /> <OutsideText text={process.node} />
      </>
    )
  );
}

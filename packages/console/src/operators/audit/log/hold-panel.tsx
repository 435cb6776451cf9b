import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditHold } from '@waybill/contracts/endpoints/audit-logs/audit-hold';
import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { audit } = texts;

const shownAtOnce = 50;

/** The legal holds, and with permission what places and releases them. */
export function HoldPanel({ mayChange }: { readonly mayChange: boolean }) {
  const client = useQueryClient();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useHolds();
  const refresh = () => client.invalidateQueries({ queryKey: ['audit', 'holds'] });
  const release = (id: string) => async (reason: string) => {
    await callEndpoint(releaseAuditHoldEndpoint, { params: { id }, body: { reason } });
    await refresh();
  };
  return (
    <Panel title={audit.holds} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={audit.holds}
        rows={data?.pages.flatMap(({ holds }) => holds)}
        empty={audit.noHolds}
        keyOf={({ id }) => id}
        columns={[
          { title: audit.records, cell: rangeOf },
          { title: audit.holdReason, cell: ({ reason }) => <OutsideText text={reason} /> },
          { title: audit.placedBy, cell: ({ placedBy, placedAt }) => `${placedBy}, ${formatTime(placedAt)}` },
          ...(mayChange
            ? [
                {
                  title: audit.release,
                  cell: ({ id, reason }: AuditHold) => (
                    <ConfirmButton
                      label={audit.release}
                      name={`${audit.release}: ${reason}`}
                      title={audit.releaseTitle}
                      reason={audit.why}
                      isDangerous
                      act={release(id)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {audit.moreHolds}
        </button>
      )}
      {mayChange && <PlaceButton refresh={refresh} />}
    </Panel>
  );
}

function useHolds() {
  return useInfiniteQuery({
    queryKey: ['audit', 'holds'],
    refetchInterval: 1_500,
    queryFn: ({ signal, pageParam: cursor }) =>
      callEndpoint(listAuditHoldsEndpoint, { query: { limit: shownAtOnce, ...(cursor !== '' && { cursor }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ holds, next }) => (next === undefined ? undefined : holds.at(-1)?.id),
  });
}

function PlaceButton({ refresh }: { readonly refresh: () => Promise<void> }) {
  return (
    <ConfirmButton
      label={audit.placeHold}
      title={audit.placeHoldTitle}
      reason={audit.why}
      act={async (reason) => {
        await callEndpoint(placeAuditHoldEndpoint, { body: { reason } });
        await refresh();
      }}
    >
      <p>{audit.placeHoldEffect}</p>
    </ConfirmButton>
  );
}

function rangeOf({ first, last, from, to }: AuditHold): string {
  const parts = [
    first === undefined && last === undefined ? '' : `${first ?? 1} – ${last ?? '…'}`,
    from === undefined && to === undefined ? '' : `${formatTime(from)} – ${formatTime(to)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? audit.allRecords : parts.join(', ');
}

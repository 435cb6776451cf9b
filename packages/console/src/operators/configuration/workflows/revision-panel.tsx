import { skipToken, useQuery } from '@tanstack/react-query';
import {
  findWorkflowRevisionEndpoint,
  listWorkflowRevisionsEndpoint,
} from '@waybill/contracts/endpoints/administration/workflow-revision-endpoints';
import { Button } from 'react-aria-components';
import { formatExactTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Failure } from '../../frame/page-frame.tsx';
import { Panel } from '../../frame/panel.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { differencesBetween } from '../changes/differences-between.ts';
import { Differences } from '../changes/differences.tsx';
import { settingsText } from '../text/settings-text.ts';

const { configuration } = texts;
const filterNames = ['revision'] as const;

/** Revisions that are shown, the newest first. */
const shownAtMost = 200;

/** The revisions of a workflow template. The one that is shown is part of the address: a page of a job leads to that of the job. */
export function RevisionPanel({ name }: { readonly name: string }) {
  const [{ revision }, change] = useFilters(filterNames);
  const { data, error } = useQuery({
    queryKey: ['configuration', 'revisions', name],
    queryFn: ({ signal }) =>
      callEndpoint(listWorkflowRevisionsEndpoint, { params: { name }, query: { maxItems: shownAtMost }, signal }),
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
  const current = data?.items.find((one) => one.current)?.revision;
  return (
    <Panel title={configuration.revisions} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={configuration.revisions}
        rows={data?.items}
        empty={configuration.noneMatches}
        keyOf={(one) => one.revision}
        columns={[
          { title: configuration.revision, isNumber: true, cell: (one) => one.revision },
          { title: configuration.status, cell: (one) => (one.current ? configuration.inForce : '') },
          {
            title: configuration.appliedAt,
            cell: ({ appliedAt }) => <time dateTime={appliedAt}>{formatExactTime(appliedAt)}</time>,
          },
          { title: configuration.appliedBy, cell: ({ appliedBy }) => <OutsideText text={appliedBy ?? ''} /> },
          {
            title: <span className="visually-hidden">{texts.actions}</span>,
            text: 'actions',
            cell: (one) => (
              <Button
                className="button small"
                aria-label={configuration.showRevision(one.revision)}
                onPress={() => change({ revision: String(one.revision) })}
              >
                {texts.partners.show}
              </Button>
            ),
          },
        ]}
      />
      {revision !== undefined && <Revision name={name} revision={Number(revision)} current={current} />}
    </Panel>
  );
}

/** A revision as it was, and how the one in force differs from it. */
function Revision(props: { readonly name: string; readonly revision: number; readonly current: number | undefined }) {
  const { name, revision, current } = props;
  const shown = useRevision(name, revision);
  const inForce = useRevision(name, current);
  if (shown.data === undefined) return <Failure error={shown.error} />;
  const differences = inForce.data && differencesBetween(shown.data.document, inForce.data.document);
  return (
    <>
      <pre className="note" role="region" tabIndex={0} aria-label={configuration.revisionTitle(revision)}>
        {settingsText(shown.data.document)}
      </pre>
      {differences !== undefined && differences.length > 0 && (
        <>
          <p>{configuration.sinceRevision(revision)}</p>
          <Differences label={configuration.sinceRevision(revision)} differences={differences} />
        </>
      )}
    </>
  );
}

/** A revision; revisions never change. */
function useRevision(name: string, revision: number | undefined) {
  return useQuery({
    queryKey: ['workflow revision', name, revision],
    queryFn:
      revision === undefined
        ? skipToken
        : ({ signal }) => callEndpoint(findWorkflowRevisionEndpoint, { params: { name, revision }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

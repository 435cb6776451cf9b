import { skipToken, useQuery } from '@tanstack/react-query';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Reading } from '../../page-kit/components/reading.tsx';
import { usePermissions } from '../api/permissions.ts';
import { unlessRefused } from '../api/refusals.ts';
import { type Json, membersOf } from '../audit/proof/canonical-json.ts';
import { Failure, PageFrame } from '../frame/page-frame.tsx';
import type { PageProps } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';
import { JobList } from './job-list.tsx';
import { readStory, type Story } from './read-story.ts';
import { RecordList } from './record-list.tsx';
import { useRecordSource } from './record-source.ts';

const { story } = texts;

/** Each reading of the audit log is a record in it. */
const refreshEveryMs = 60_000;

/** The way of one file: login, upload, receipt, jobs with their steps, deliveries, downloads, and the proofs of all that. */
export function StoryPage({ params: { dfiid = '' } }: PageProps) {
  const mayReadJobs = usePermissions().may('jobs:read');
  const source = useRecordSource();
  const { data, error } = useQuery({
    queryKey: ['story', source?.name, dfiid],
    queryFn: source ? ({ signal }) => readStory(source, dfiid, signal) : skipToken,
    refetchInterval: unlessRefused(refreshEveryMs),
  });
  const path = textOf(data?.upload?.['entityName']);
  return (
    <PageFrame title={path === '' ? story.title : story.titleOf(path)}>
      {data === undefined ? (
        <Reading key={dfiid} error={error} />
      ) : (
        <>
          <Failure error={error} isRead />
          <UploadFacts dfiid={dfiid} story={data} />
          {data.records.length === 0 ? (
            <p>{story.noRecords}</p>
          ) : (
            <RecordList records={data.records} keys={data.keys} />
          )}
        </>
      )}
      {mayReadJobs && <JobList dfiid={dfiid} />}
    </PageFrame>
  );
}

function UploadFacts({
  dfiid,
  story: { upload, newPath, hasReceipt },
}: {
  readonly dfiid: string;
  readonly story: Story;
}) {
  const { fileSize, fileHash } = Object.fromEntries(membersOf(upload?.['context']));
  const fileset = textOf(upload?.['entityId']);
  const content = [
    [story.kinds.fileset, fileset],
    [story.size, typeof fileSize === 'number' ? texts.bytes(fileSize) : ''],
    [story.kinds.hash, textOf(fileHash)],
  ] as const;
  return (
    <>
      <Facts facts={[[story.kinds.dfiid, dfiid], [story.renamedTo, newPath], ...(hasReceipt ? [] : content)]} />
      {hasReceipt && (
        <section aria-label={story.receipt}>
          <h2>{story.receipt}</h2>
          <p className="quiet">{story.receiptAt(fileset)}</p>
          <Facts
            facts={[
              [story.receiptUser, textOf(upload?.['dataoneUser'])],
              [story.kinds.path, textOf(upload?.['entityName'])],
              ...content,
            ]}
          />
        </section>
      )}
    </>
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

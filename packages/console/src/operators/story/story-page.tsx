import { skipToken, useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { usePermissions } from '../api/permissions.ts';
import { type JsonObject, membersOf } from '../audit/proof/canonical-json.ts';
import { Failure, PageFrame } from '../frame/page-frame.tsx';
import type { PageProps } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';
import { JobList } from './job-list.tsx';
import { readStory } from './read-story.ts';
import { RecordList } from './record-list.tsx';
import { useRecordSource } from './record-source.ts';

const { story } = texts;

const refreshEveryMs = 10_000;

/** The way of one file: login, upload, receipt, jobs with their steps, deliveries, downloads, and the proofs of all that. */
export function StoryPage({ params: { dfiid = '' } }: PageProps) {
  const mayReadJobs = usePermissions().may('jobs:read');
  const source = useRecordSource();
  const { data, error } = useQuery({
    queryKey: ['story', source?.name, dfiid],
    queryFn: source ? ({ signal }) => readStory(source, dfiid, signal) : skipToken,
    refetchInterval: refreshEveryMs,
  });
  const upload = data?.records.find(({ auditOperation }) => auditOperation === 'SERVER_UPLOAD_FILE');
  const path = upload?.['entityName'];
  return (
    <PageFrame title={typeof path === 'string' ? story.titleOf(path) : story.title}>
      <Failure error={error} />
      {data === undefined && error === null && <p role="status">{texts.loading}</p>}
      {data !== undefined && (
        <>
          <Facts dfiid={dfiid} upload={upload} />
          {data.records.length === 0 ? <p>{story.noRecords}</p> : <RecordList {...data} />}
        </>
      )}
      {mayReadJobs && <JobList dfiid={dfiid} />}
    </PageFrame>
  );
}

function Facts({ dfiid, upload }: { readonly dfiid: string; readonly upload: JsonObject | undefined }) {
  const fileset = upload?.['entityId'];
  const { fileSize, fileHash } = Object.fromEntries(membersOf(upload?.['context']));
  return (
    <dl className="facts">
      <div>
        <dt>{story.kinds.dfiid}</dt>
        <dd>{dfiid}</dd>
      </div>
      {typeof fileset === 'string' && (
        <>
          <div>
            <dt>{story.kinds.fileset}</dt>
            <dd>{fileset}</dd>
          </div>
          {typeof fileSize === 'number' && (
            <div>
              <dt>{story.size}</dt>
              <dd>{formatBytes(fileSize)}</dd>
            </div>
          )}
          {typeof fileHash === 'string' && (
            <div>
              <dt>{story.kinds.hash}</dt>
              <dd>{fileHash}</dd>
            </div>
          )}
          <div>
            <dt>{story.receipt}</dt>
            <dd>{story.receiptAt(fileset)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { Reading } from '../../../page-kit/components/reading.tsx';
import { usePermissions } from '../../api/permissions.ts';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import type { PageProps } from '../../frame/page.ts';
import { texts } from '../../texts/texts.ts';
import { canonicalJson, type JsonObject, membersOf } from '../proof/canonical-json.ts';
import { RedactButton } from '../redaction/redact-button.tsx';
import { ProofPanel } from './proof-panel.tsx';
import { readRecord } from './read-record.ts';
import { RecordFacts } from './record-facts.tsx';

const { audit } = texts;

/** One record of the audit log, and its proof, which the page verifies itself. */
export function RecordPage({ params: { id = '' } }: PageProps) {
  const { data, error } = useQuery({
    queryKey: ['audit', 'record', id],
    queryFn: ({ signal }) => readRecord(id, signal),
  });
  const mayRedact = usePermissions().may('audit:write');
  return (
    <PageFrame
      title={audit.recordTitle(data === undefined ? id : canonicalJson(data.record['sequence'] ?? null))}
      actions={<div className="buttons">{mayRedact && data && <RedactButton target={{ ids: [id] }} />}</div>}
    >
      {data === undefined ? (
        <Reading key={id} error={error} />
      ) : (
        <>
          <Failure error={error} isRead />
          <ProofPanel id={id} {...data} />
          <RecordFacts record={data.record} />
          <Related record={data.record} />
        </>
      )}
    </PageFrame>
  );
}

/** Links to what else the log has of the same things. */
function Related({ record }: { readonly record: JsonObject }) {
  const values = { ...Object.fromEntries(membersOf(record['context'])), ...record };
  const links = (['dfiid', 'fileHash', 'dataoneUser', 'entityName'] as const).flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return (
    <nav aria-label={audit.related}>
      <ul>
        {links.map(([name, value]) => (
          <li key={name}>
            <Link href={`/audit?${new URLSearchParams({ [name]: value }).toString()}`}>
              {audit.sameAs(audit.fields[name])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

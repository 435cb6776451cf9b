import { useMutation } from '@tanstack/react-query';
import { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import { Button, Link } from 'react-aria-components';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { JsonObject } from '../audit/proof/canonical-json.ts';
import { isVerified, verifyRecord } from '../audit/proof/verify-record.ts';
import { Failure } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import type { Story } from './read-story.ts';

const { story } = texts;

/** What has happened, one record after the other. The page verifies their proofs when told to. */
export function RecordList({ records, keys }: Story) {
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => verifyAll({ records, keys }) });
  return (
    <section aria-label={story.events}>
      <div className="page-head">
        <h2>{story.events}</h2>
        <Button className="button" isDisabled={isPending} onPress={() => mutate()}>
          {story.verify}
        </Button>
      </div>
      <Failure error={error} />
      {data !== undefined && (
        <p role="status">
          <strong className={data.every((one) => one) ? 'good' : 'failure'}>
            {story.verified(data.filter((one) => one).length, data.length)}
          </strong>
        </p>
      )}
      <ol className="steps">
        {records.map((record, index) => (
          <Event key={textIn(record, 'id')} record={record} verified={data?.[index]} />
        ))}
      </ol>
    </section>
  );
}

function Event({ record, verified }: { readonly record: JsonObject; readonly verified: boolean | undefined }) {
  const time = textIn(record, 'auditTime');
  return (
    <li className="step" data-status={verified === false ? 'ERROR' : 'COMPLETED'}>
      <time dateTime={time}>{formatTime(time)}</time>{' '}
      <Link href={`/audit/${encodeURIComponent(textIn(record, 'id'))}`}>{textIn(record, 'auditOperation')}</Link>{' '}
      <bdi>{textIn(record, 'dataoneUser')}</bdi>: <bdi>{textIn(record, 'auditMessage')}</bdi>
      {verified !== undefined && (
        <span className={verified ? 'badge good' : 'badge failure'}>{verified ? story.proven : story.notProven}</span>
      )}
    </li>
  );
}

/** Whether each record is proven. */
async function verifyAll({ records, keys }: Story): Promise<boolean[]> {
  if (!isSecureContext) throw new Error(texts.audit.needsHttps);
  const outcomes: boolean[] = [];
  for (const record of records) {
    const proof = await callEndpoint(proveAuditRecordEndpoint, { params: { id: textIn(record, 'id') } });
    const verification = await verifyRecord(record, proof, keys);
    outcomes.push(verification !== undefined && isVerified(verification));
  }
  return outcomes;
}

function textIn(record: JsonObject, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

import { useMutation } from '@tanstack/react-query';
import { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import { Link } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { JsonObject } from '../audit/proof/canonical-json.ts';
import type { KeyValidity } from '../audit/proof/checkpoint.ts';
import { isVerified, verifyRecord } from '../audit/proof/verify-record.ts';
import { Failure } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { textIn } from './follow-renames.ts';
import { isByJob, operationInWords } from './operation-words.ts';
import { sessionOf, type Story } from './read-story.ts';

const { story } = texts;

/** What has happened, one record after the other. The page verifies their proofs when told to, if the user may read them. */
export function RecordList({ records, keys }: Pick<Story, 'records'> & { readonly keys: Story['keys'] }) {
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => verifyAll(records, keys ?? []) });
  const isProvable = keys !== undefined;
  return (
    <section aria-label={story.events}>
      <div className="page-head">
        <h2>{story.events}</h2>
        {isProvable && (
          <BusyButton className="button" isBusy={isPending} onPress={() => mutate()}>
            {story.verify}
          </BusyButton>
        )}
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
          <Event key={textIn(record, 'id')} record={record} isLinked={isProvable} verified={data?.[index]} />
        ))}
      </ol>
    </section>
  );
}

interface EventProps {
  readonly record: JsonObject;
  /** Whether the user may read the record in the audit log. */
  readonly isLinked: boolean;
  readonly verified: boolean | undefined;
}

function Event({ record, isLinked, verified }: EventProps) {
  const time = textIn(record, 'auditTime');
  const operation = textIn(record, 'auditOperation');
  const words = operationInWords(operation, isByJob(operation, sessionOf(record)));
  return (
    <li className="step" data-status={verified === false ? 'ERROR' : 'COMPLETED'}>
      <time dateTime={time}>{formatExactTime(time)}</time>{' '}
      <span title={operation}>
        {isLinked ? <Link href={`/audit/${encodeURIComponent(textIn(record, 'id'))}`}>{words}</Link> : words}
      </span>{' '}
      <OutsideText text={textIn(record, 'dataoneUser')} />: <OutsideText text={textIn(record, 'auditMessage')} />{' '}
      {verified !== undefined && (
        <span className={verified ? 'badge good' : 'badge failure'}>{verified ? story.proven : story.notProven}</span>
      )}
    </li>
  );
}

/** Whether each record is proven. */
async function verifyAll(records: readonly JsonObject[], keys: readonly KeyValidity[]): Promise<boolean[]> {
  if (!isSecureContext) throw new Error(texts.audit.needsHttps);
  const outcomes: boolean[] = [];
  for (const record of records) {
    const proof = await callEndpoint(proveAuditRecordEndpoint, { params: { id: textIn(record, 'id') } });
    const verification = await verifyRecord(record, proof, keys);
    outcomes.push(verification !== undefined && isVerified(verification));
  }
  return outcomes;
}

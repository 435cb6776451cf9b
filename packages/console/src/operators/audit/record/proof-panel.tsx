import { useQuery } from '@tanstack/react-query';
import { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Panel } from '../../frame/panel.tsx';
import { texts } from '../../texts/texts.ts';
import { isVerified, type RecordVerification, verifyRecord } from '../proof/verify-record.ts';
import type { ProvableRecord } from './read-record.ts';

const { audit } = texts;

/** Verifies the proof of a record in this page, and shows what was computed. */
export function ProofPanel({ id, record, keys }: ProvableRecord & { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['audit', 'proof', id, record],
    queryFn: async ({ signal }) => {
      const proof = await callEndpoint(proveAuditRecordEndpoint, { params: { id }, signal });
      // Browsers have cryptography only on pages that came over HTTPS, or from this computer.
      if (!isSecureContext) throw new Error(audit.needsHttps);
      const verification = await verifyRecord(record, proof, keys);
      if (verification === undefined) throw new Error(audit.proofUnreadable);
      return verification;
    },
  });
  return (
    <Panel title={audit.proof} error={error}>
      {data === undefined && error === null && <p role="status">{audit.verifying}</p>}
      {data !== undefined && <Outcome verification={data} />}
    </Panel>
  );
}

function Outcome({ verification }: { readonly verification: RecordVerification }) {
  const { isAtItsPlace, isIncluded, signer, leafHash, checkpoint } = verification;
  const { origin, size, cosigners } = checkpoint;
  const checks: readonly (readonly [boolean, string])[] = [
    [isAtItsPlace && isIncluded, isAtItsPlace && isIncluded ? audit.included : audit.notIncluded],
    [signer !== undefined, signer === undefined ? audit.notSigned : audit.signed],
  ];
  return (
    <>
      <p role="status">
        <strong className={isVerified(verification) ? 'good' : 'failure'}>
          {isVerified(verification) ? audit.verified : audit.notVerified}
        </strong>
      </p>
      <ul>
        {checks.map(([isRight, text]) => (
          <li key={text} className={isRight ? '' : 'failure'}>
            {text}
          </li>
        ))}
      </ul>
      <details>
        <summary>{audit.computed}</summary>
        <dl className="facts">
          {[
            [audit.leafHash, leafHash],
            [audit.origin, origin],
            [audit.records, number(size)],
            [audit.key, signer ?? '—'],
            [audit.witnesses, cosigners.join(', ') || '—'],
          ].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <OutsideText text={value} />
              </dd>
            </div>
          ))}
        </dl>
        <p className="quiet">{audit.keyHint}</p>
      </details>
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import {
  type AuditVerification,
  verifyAuditRecordEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { Link } from 'react-aria-components';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Panel } from '../../frame/panel.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { audit } = texts;

/** Lets the platform read and verify every record, when told to. */
export function VerificationPanel() {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => callEndpoint(verifyAuditRecordEndpoint, {}),
  });
  return (
    <Panel title={audit.wholeLog} error={error}>
      <p>{audit.wholeLogHint}</p>
      <BusyButton className="button" isBusy={isPending} onPress={() => mutate()}>
        {audit.verifyLog}
      </BusyButton>
      {isPending && <p role="status">{audit.verifying}</p>}
      {data !== undefined && !isPending && <Outcome outcome={data} />}
    </Panel>
  );
}

function Outcome({ outcome }: { readonly outcome: AuditVerification }) {
  const { intact, verifiedAt, records, redactedRecords, archivedRecords, findings, findingCount } = outcome;
  return (
    <>
      <p role="status">
        <strong className={intact ? 'good' : 'failure'}>{intact ? audit.intact : audit.notIntact(findingCount)}</strong>
      </p>
      <p>{audit.verificationFacts({ at: formatTime(verifiedAt), records, redactedRecords, archivedRecords })}</p>
      {findings.length > 0 && (
        <SmallTable
          label={audit.findings}
          rows={findings}
          empty=""
          keyOf={({ kind, sequence, message }) => `${kind} ${sequence} ${message}`}
          columns={[
            { title: audit.finding, cell: ({ kind }) => kind },
            { title: audit.number, isNumber: true, cell: ({ sequence }) => sequence },
            { title: audit.fields.auditMessage, cell: ({ message }) => message },
          ]}
        />
      )}
      <Link href="/audit?auditCode=AUD01*">{audit.ownRecords}</Link>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReceiptDocument } from '@waybill/contracts/endpoints/files/receipts/read-receipt';
import { useState } from 'react';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { requestFiles } from '../api/request-files.ts';
import { RequestFailure } from '../api/send-request.ts';
import { texts } from '../texts.ts';
import { sha256Of, type SignedReceipt, verifyReceipt } from './verify-receipt.ts';

/** A browser hashes a content as a whole only, so that it must fit into its memory. */
const mostHashedBytes = 512 * 1_024 * 1_024;

/** A file of the platform whose receipt is shown. */
export interface ReceiptPanelProps {
  readonly fileset: number;
  /** The SHA-256 that the platform states for the content now; undefined if it may not be read. */
  readonly sha256: string | undefined;
}

/** Shows the receipt of an upload, and what of it this browser has verified itself. */
export function ReceiptPanel({ fileset, sha256 }: ReceiptPanelProps) {
  const { data, error } = useQuery({
    queryKey: ['receipt', fileset],
    queryFn: ({ signal }) => readReceipt(fileset, signal),
    staleTime: 60_000,
  });
  if (error instanceof RequestFailure && error.status === 404) return <p>{texts.noReceipt}</p>;
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  const { verification } = data;
  if (verification === undefined) return <p>{texts.verificationNeedsHttps}</p>;
  const { isGenuine, keyId, signed } = verification;
  return (
    <>
      <ul className="checks">
        <Check isPassed={keyId !== undefined}>{texts.receiptKey(keyId ?? '')}</Check>
        <Check isPassed={isGenuine}>{texts.receiptSignature}</Check>
        <Check isPassed={signed?.fileset === String(fileset)}>{texts.receiptFileset(fileset)}</Check>
        {sha256 !== undefined && <Check isPassed={signed?.sha256 === sha256}>{texts.receiptHash}</Check>}
        {signed !== undefined && <OwnFileCheck signed={signed} />}
      </ul>
      {signed === undefined ? <Failure>{texts.receiptNotGenuine}</Failure> : <SignedFacts signed={signed} />}
      <a className="button" href={`/2.0/receipts/${fileset}`} download={`receipt-${fileset}.json`}>
        {texts.downloadReceipt}
      </a>
    </>
  );
}

async function readReceipt(fileset: number, signal: AbortSignal) {
  const response = await requestFiles(`/2.0/receipts/${fileset}`, { signal });
  const receipt = (await response.json()) as ReceiptDocument;
  // Browsers offer their cryptography to pages of HTTPS only, and of this machine.
  if (!isSecureContext) return { verification: undefined };
  const keySet = await requestFiles('/2.0/.well-known/jwks.json', { signal });
  const { keys } = (await keySet.json()) as { keys: JsonWebKey[] };
  return { verification: await verifyReceipt(receipt.jws, keys) };
}

function SignedFacts({ signed }: { readonly signed: SignedReceipt }) {
  return (
    <Facts
      facts={[
        [texts.receiptIssuer, signed.iss],
        [texts.receiptUser, signed.userName],
        [texts.receiptPath, signed.path],
        [texts.columnSize, formatBytes(signed.size)],
        [texts.hash, signed.sha256],
        [texts.columnStored, formatTime(signed.storedAt)],
        [texts.dataflow, signed.dfiid],
      ]}
    />
  );
}

function Check({ isPassed, children }: { readonly isPassed: boolean; readonly children: string }) {
  return (
    <li className={isPassed ? 'passed' : 'failure'}>
      {isPassed ? texts.checkPassed : texts.checkFailed} {children}
    </li>
  );
}

/** Compares a file of the user's disk with the receipt: this proves that exactly these bytes arrived. */
function OwnFileCheck({ signed }: { readonly signed: SignedReceipt }) {
  const [outcome, setOutcome] = useState<{ readonly name: string; readonly isSame: boolean } | 'too-big' | 'busy'>();
  const compare = async (file: File): Promise<void> => {
    if (file.size > mostHashedBytes) return setOutcome('too-big');
    setOutcome('busy');
    const isSame = file.size === signed.size && (await sha256Of(await file.arrayBuffer())) === signed.sha256;
    setOutcome({ name: file.name, isSame });
  };
  return (
    <li>
      <label className="compare">
        {texts.compareFile}{' '}
        <input
          type="file"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void compare(file);
          }}
        />
      </label>
      <span role="status">
        {outcome === 'busy' && texts.loading}
        {outcome === 'too-big' && texts.compareTooBig(formatBytes(mostHashedBytes))}
        {typeof outcome === 'object' &&
          (outcome.isSame
            ? texts.compareSame(visibleText(outcome.name))
            : texts.compareOther(visibleText(outcome.name)))}
      </span>
    </li>
  );
}

import { lazy } from 'react';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure, LazyPart } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { texts } from '../texts.ts';
import { Space } from './folder-details.tsx';
import { useListedFile } from './use-listed.ts';

const ReceiptPanel = lazy(async () => ({ default: (await import('../receipts/receipt-panel.tsx')).ReceiptPanel }));

/** What the listing says of a file that the user may not read, and the receipt of an upload of the user's own. */
export function ListedDetails({ path }: { readonly path: string }) {
  const { data: element, error } = useListedFile(path, true);
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (element === undefined) return <p role="status">{texts.loading}</p>;
  if (element === null) return <Failure>{texts.notListed}</Failure>;
  const { id, owner, fileset, attributes } = element;
  return (
    <>
      <p className="hint">{texts.mayNotRead}</p>
      <Facts
        facts={[
          [texts.fullPath, id],
          [texts.columnSize, formatBytes(Number(attributes.size ?? 0))],
          [texts.owner, owner],
          [texts.columnStored, formatTime(attributes.putDate)],
        ]}
      />
      <h3>{texts.receipt}</h3>
      <LazyPart>
        <ReceiptPanel fileset={fileset ?? 0} sha256={undefined} />
      </LazyPart>
      <Space path={path} storedAt={attributes.putDate} />
    </>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { Button } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { Failure, LazyPart } from '../../page-kit/components/failure.tsx';
import { useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { PanelDialog } from '../../page-kit/components/panel-dialog.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { shortClient } from '../../page-kit/format/short-client.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { listTransfers, type OwnTransfer } from '../api/account.ts';
import { texts } from '../texts.ts';

const ReceiptPanel = lazy(async () => ({ default: (await import('../receipts/receipt-panel.tsx')).ReceiptPanel }));

/** The user's complete uploads and downloads over HTTP and SFTP, newest first, and further ones on demand. */
export function TransferHistory() {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['account', 'transfers'],
    queryFn: ({ signal, pageParam }) => listTransfers(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  const rows = data.pages.flatMap(({ transfers }) => transfers);
  return (
    <>
      {rows.length === 0 && !hasNextPage ? <p>{texts.noTransfers}</p> : <TransferTable rows={rows} />}
      {hasNextPage && (
        <BusyButton className="button" isBusy={isFetching} onPress={() => void fetchNextPage()}>
          {texts.earlierTransfers}
        </BusyButton>
      )}
    </>
  );
}

function TransferTable({ rows }: { readonly rows: readonly OwnTransfer[] }) {
  return (
    <div className="table-scroll transfer-history" tabIndex={0} role="group" aria-label={texts.ownTransfers}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.transferTime}</th>
            <th scope="col">{texts.transferDirection}</th>
            <th scope="col">{texts.transferFile}</th>
            <th scope="col">{texts.columnSize}</th>
            <th scope="col">{texts.clientSoftware}</th>
            <th scope="col">{texts.receipt}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, direction, path, dfiid, fileset, size, receipt, client, address }, index) => (
            <tr key={`${dfiid ?? ''}${at}${index}`}>
              <td className="whole">
                <time dateTime={at}>{formatTime(at)}</time>
              </td>
              <td className="whole">{direction === 'upload' ? texts.uploadDone : texts.downloadDone}</td>
              <td className="long">
                <OutsideText text={path ?? texts.transferPathHidden} />
              </td>
              <td className="whole number">{size === null ? '' : formatBytes(size)}</td>
              <td>
                <OutsideText text={shortClient(client ?? '')} /> <small className="whole">{address ?? ''}</small>
              </td>
              <td className="whole">
                {receipt !== null && fileset !== null && (
                  <ReceiptButton fileset={Number(fileset)} name={path ?? texts.transferPathHidden} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the receipt of an upload, also of a file that is not there any more. */
function ReceiptButton({ fileset, name }: { readonly fileset: number; readonly name: string }) {
  const open = useKeptDialog();
  const show = (): void =>
    open(({ onClose }) => (
      <PanelDialog title={name} onClose={onClose}>
        <LazyPart>
          <ReceiptPanel fileset={fileset} sha256={undefined} />
        </LazyPart>
      </PanelDialog>
    ));
  return (
    <Button className="button" aria-label={`${texts.receipt}: ${name}`} onPress={show}>
      {texts.receipt}
    </Button>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { listTransfers, type OwnTransfer } from '../api/account.ts';

/** The user's complete uploads and downloads over HTTP and SFTP, newest first, and further ones on demand. */
export function TransferHistory() {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['account', 'transfers'],
    queryFn: ({ signal, pageParam }) => listTransfers(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{messages.loading}</p>;
  const rows = data.pages.flatMap(({ transfers }) => transfers);
  return (
    <>
      {rows.length === 0 && !hasNextPage ? <p>{messages.noTransfers}</p> : <TransferTable rows={rows} />}
      {hasNextPage && (
        <BusyButton className="button" isBusy={isFetching} onPress={() => void fetchNextPage()}>
          {messages.earlierTransfers}
        </BusyButton>
      )}
    </>
  );
}

function TransferTable({ rows }: { readonly rows: readonly OwnTransfer[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={messages.ownTransfers}>
      <table>
        <thead>
          <tr>
            <th scope="col">{messages.transferTime}</th>
            <th scope="col">{messages.transferDirection}</th>
            <th scope="col">{messages.transferFile}</th>
            <th scope="col">{messages.columnSize}</th>
            <th scope="col">{messages.clientSoftware}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, direction, path, dfiid, receipt, client, address }, index) => (
            <tr key={`${dfiid ?? ''}${at}${index}`}>
              <td>{formatTime(at)}</td>
              <td>{direction === 'upload' ? messages.uploadDone : messages.downloadDone}</td>
              <td>
                <bdi>{path ?? messages.transferPathHidden}</bdi>
              </td>
              <td>{receipt === null ? '' : formatBytes(receipt.size)}</td>
              <td>
                <bdi>{client ?? ''}</bdi> <small>{address ?? ''}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

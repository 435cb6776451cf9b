import { useState } from 'react';
import { Failure } from '../../page-kit/components/failure.tsx';
import { requestFiles } from '../api/request-files.ts';
import { RequestFailure } from '../api/send-request.ts';

/** A link that downloads something of the platform. */
export interface DownloadLinkProps {
  readonly address: string;
  readonly children: string;
}

/**
 * A link to a download, which says why there is none. Browsers do not tell a page that a download was refused: the link asks the
 * platform first.
 */
export function DownloadLink({ address, children }: DownloadLinkProps) {
  const [failed, setFailed] = useState<{ readonly address: string; readonly reason: string }>();
  const download = async (): Promise<void> => {
    setFailed(undefined);
    try {
      await assertDownloadable(address);
      startDownload(address);
    } catch (error) {
      setFailed({ address, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <a
        className="button"
        href={address}
        download
        onClick={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        {children}
      </a>
      {failed?.address === address && <Failure>{failed.reason}</Failure>}
    </>
  );
}

/** @throws Error with the reason, if the platform would refuse the download */
async function assertDownloadable(address: string): Promise<void> {
  try {
    // This is no download.
    await requestFiles(address, { method: 'HEAD', cache: 'no-store' });
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.status === 0 || error.status === 401) throw error;
    // The answer to HEAD has a status only; the same refusal of GET has the reason.
    const response = await requestFiles(address, { cache: 'no-store' });
    await response.body?.cancel();
  }
}

function startDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

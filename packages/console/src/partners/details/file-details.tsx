import { useQuery } from '@tanstack/react-query';
import type { FileMetadata } from '@waybill/contracts/endpoints/files/elements/file-metadata';
import { lazy, useRef, useState } from 'react';
import { Button, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure, LazyPart } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { readHash, readMetadata } from '../api/file-details.ts';
import { addressOf } from '../api/request-files.ts';
import { useKnownPermissions } from '../api/use-permissions.ts';
import { DownloadLink } from '../downloads/download-link.tsx';
import { FilePreview, type FilePreviewProps } from '../preview/file-preview.tsx';
import { texts } from '../texts.ts';
import { Space } from './folder-details.tsx';
import { ListedDetails } from './listed-details.tsx';
import { MetadataEditor, type MetadataEditorProps } from './metadata-editor.tsx';
import { useListedFile } from './use-listed.ts';

const ReceiptPanel = lazy(async () => ({ default: (await import('../receipts/receipt-panel.tsx')).ReceiptPanel }));

/** What the user may know of a file. */
export function FileDetails({ path }: { readonly path: string }) {
  const { data: permissions, error } = useKnownPermissions(path);
  if (permissions === undefined)
    return error === null ? <p role="status">{texts.loading}</p> : <Failure>{error.message}</Failure>;
  // Asking for its metadata would be refused, and audited.
  if (!permissions.has('download')) return <ListedDetails path={path} />;
  return <ReadableDetails path={path} permissions={permissions} />;
}

/** The facts, the metadata, the content and the receipt of a file. */
function ReadableDetails({ path, permissions }: { readonly path: string } & Pick<MetadataEditorProps, 'permissions'>) {
  const { data: file, error } = useQuery({
    queryKey: ['metadata', path],
    queryFn: ({ signal }) => readMetadata(path, signal),
  });
  const { data: hash } = useQuery({
    queryKey: ['hash', path, file?.fileset],
    queryFn: ({ signal }) => readHash(path, signal),
    enabled: file !== undefined,
  });
  // What remains of a file that is gone is what was known of it, and the receipt.
  const isGone = useListedFile(path, permissions.has('list')).data === null;
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (file === undefined) return <p role="status">{texts.loading}</p>;
  const { size, datatype } = file.attributes;
  return (
    <>
      {isGone && <Failure>{texts.notListed}</Failure>}
      <Tabs className="tabs">
        <TabList className="tab-list" aria-label={texts.details}>
          <Tab id="details">{texts.details}</Tab>
          {!isGone && <Tab id="preview">{texts.preview}</Tab>}
          <Tab id="receipt">{texts.receipt}</Tab>
        </TabList>
        <TabPanel id="details">
          <FileFacts file={file} hash={hash} />
          {!isGone && <DownloadLink address={addressOf('files', path)}>{texts.download}</DownloadLink>}
          <MetadataEditor file={file} permissions={isGone ? none : permissions} />
          {!isGone && <Space path={path} storedAt={file.attributes.putDate} />}
        </TabPanel>
        {!isGone && (
          <TabPanel id="preview">
            <PreviewOnDemand path={path} size={Number(size)} mediaType={datatype} />
          </TabPanel>
        )}
        <TabPanel id="receipt">
          <LazyPart>
            <ReceiptPanel fileset={file.fileset ?? 0} sha256={hash} />
          </LazyPart>
        </TabPanel>
      </Tabs>
    </>
  );
}

const none: MetadataEditorProps['permissions'] = new Set();

/** Shows the content once the user has read that this counts as a download. */
function PreviewOnDemand(props: FilePreviewProps) {
  const [isShown, setShown] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const show = (): void => {
    setShown(true);
    // The button is gone then.
    place.current?.focus();
  };
  return (
    <div ref={place} tabIndex={-1}>
      <p className="hint">{texts.previewIsDownload}</p>
      {isShown ? (
        <FilePreview {...props} />
      ) : (
        <Button className="button primary" onPress={show}>
          {texts.showContent}
        </Button>
      )}
    </div>
  );
}

function FileFacts({ file, hash }: { readonly file: FileMetadata; readonly hash: string | undefined }) {
  const { size, putDate, lastModifiedTime, firstReadDate, lastAccessTime, datatype } = file.attributes;
  const bytes = Number(size);
  return (
    <Facts
      facts={[
        [texts.fullPath, file.id],
        [texts.columnSize, bytes < 1_024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${texts.bytes(bytes)})`],
        [texts.hash, hash ?? ''],
        [texts.mediaType, datatype],
        [texts.owner, file.owner],
        [texts.columnStored, formatTime(putDate)],
        [texts.modified, formatTime(lastModifiedTime)],
        [texts.firstRead, formatTime(firstReadDate)],
        [texts.lastRead, formatTime(lastAccessTime)],
        [texts.columnExpires, formatTime(file.metadata['SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE'])],
      ]}
    />
  );
}

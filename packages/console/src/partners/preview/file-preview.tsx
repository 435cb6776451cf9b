import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useMemo, useState } from 'react';
import { Failure, LazyPart } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { breakMarks } from '../../page-kit/outside-text/break-marks.ts';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts.ts';
import { boundLines } from './bound-lines.ts';
import { parseTable } from './parse-table.ts';
import { mostTextBytes, mostWholeBytes, type Preview, readPreview } from './read-preview.ts';

const PdfPreview = lazy(async () => ({ default: (await import('./pdf-preview.tsx')).PdfPreview }));

/** A file whose content is shown. */
export interface FilePreviewProps {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mediaType: string;
}

/** Shows the content of a file without running anything of it. */
export function FilePreview({ path, size, mediaType }: FilePreviewProps) {
  const { data, error } = useQuery({
    queryKey: ['preview', path, size],
    queryFn: ({ signal }) => readPreview(path, size, signal),
    // Each reading is a download.
    staleTime: Infinity,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    refetchInterval: false,
    refetchOnReconnect: false,
  });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  return <Shown preview={data} path={path} mediaType={mediaType} />;
}

function Shown({ preview, path, mediaType }: Omit<FilePreviewProps, 'size'> & { readonly preview: Preview }) {
  const name = path.split('/').at(-1) ?? '';
  if (preview.kind === 'none') return <p>{reasonOf(preview.reason)}</p>;
  if (preview.kind === 'image') return <ImagePreview blob={preview.blob} name={name} />;
  if (preview.kind === 'pdf') {
    return (
      <LazyPart>
        <PdfPreview bytes={preview.bytes} name={name} />
      </LazyPart>
    );
  }
  const isTable = /\.(?:csv|tsv)$/iu.test(name) || /^text\/(?:csv|tab-separated-values)\b/iu.test(mediaType);
  return (
    <>
      {preview.isCut && <p>{texts.previewCut(formatBytes(mostTextBytes))}</p>}
      {isTable ? (
        <TablePreview text={preview.text} name={name} />
      ) : (
        <pre className="preview" tabIndex={0} aria-label={texts.contentOf(visibleText(name))} role="region">
          {boundLines(preview.text)}
        </pre>
      )}
    </>
  );
}

function reasonOf(reason: Extract<Preview, { kind: 'none' }>['reason']): string {
  const reasons = {
    empty: texts.previewEmpty,
    other: texts.previewOther,
    'too-big': texts.previewTooBig(formatBytes(mostWholeBytes)),
    damaged: texts.previewDamaged,
  };
  return reasons[reason];
}

function ImagePreview({ blob, name }: { readonly blob: Blob; readonly name: string }) {
  const [address, setAddress] = useState<string>();
  const [isDamaged, setDamaged] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (isDamaged) return <p>{texts.previewDamaged}</p>;
  if (address === undefined) return null;
  return (
    <img className="preview" src={address} alt={texts.contentOf(visibleText(name))} onError={() => setDamaged(true)} />
  );
}

function TablePreview({ text, name }: { readonly text: string; readonly name: string }) {
  const { rows, isCut } = useMemo(() => parseTable(text), [text]);
  const [head = [], ...others] = rows;
  return (
    <>
      {isCut && <p>{texts.tableCut(rows.length)}</p>}
      <div className="preview" tabIndex={0} role="region" aria-label={texts.contentOf(visibleText(name))}>
        <table>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col">
                  {breakMarks(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {others.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{breakMarks(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

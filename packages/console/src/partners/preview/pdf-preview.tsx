import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { Failure } from '../../page-kit/components/failure.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts.ts';
import { type DrawnPage, openPdf, type OpenPdf } from './open-pdf.ts';

/** Drawing a page takes this long at most. */
const patienceMs = 30_000;

/** A PDF document, one page at a time. Screen readers get the text of the page. */
export function PdfPreview({ bytes, name }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }) {
  const { document, failure: openFailure } = useDocument(bytes);
  const [page, setPage] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { drawn, failure: drawFailure } = usePage(document, page, canvas);
  const failure = openFailure ?? drawFailure;
  if (failure !== undefined) return <Failure>{failure}</Failure>;
  const pages = document?.pages ?? 0;
  return (
    <>
      <div className="buttons">
        <Button className="button" isDisabled={page <= 1} onPress={() => setPage(page - 1)}>
          {texts.previousPage}
        </Button>
        <span role="status">{pages === 0 ? texts.loading : texts.pageOf(page, pages)}</span>
        <Button className="button" isDisabled={page >= pages} onPress={() => setPage(page + 1)}>
          {texts.nextPage}
        </Button>
      </div>
      {drawn.lacksPictures && <p role="status">{texts.picturesLeftOut}</p>}
      <div className="preview" tabIndex={0} role="region" aria-label={texts.contentOf(visibleText(name))}>
        <canvas ref={canvas} aria-hidden="true" />
        <p className="visually-hidden">{drawn.text}</p>
      </div>
    </>
  );
}

function useDocument(bytes: Uint8Array<ArrayBuffer>) {
  const [document, setDocument] = useState<OpenPdf>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    openPdf(bytes, signal).then(
      (pdf) => signal.aborted || setDocument(pdf),
      () => signal.aborted || setFailure(texts.previewDamaged),
    );
    return () => controller.abort();
  }, [bytes]);
  return { document, failure };
}

function usePage(document: OpenPdf | undefined, page: number, canvas: { readonly current: HTMLCanvasElement | null }) {
  const [drawn, setDrawn] = useState<DrawnPage>({ text: '', lacksPictures: false });
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (document === undefined || canvas.current === null) return undefined;
    let isWanted = true;
    const fail = (): void => {
      // Another page is drawn by now.
      if (!isWanted) return;
      setFailure(texts.previewDamaged);
      document[Symbol.dispose]();
    };
    const timer = setTimeout(fail, patienceMs);
    document
      .draw(page, canvas.current)
      .then((shown) => isWanted && setDrawn(shown), fail)
      .finally(() => clearTimeout(timer));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [document, page, canvas]);
  return { drawn, failure };
}

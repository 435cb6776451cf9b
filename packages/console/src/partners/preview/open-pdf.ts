import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, PDFWorker, type RenderTask } from 'pdfjs-dist';

/** A PDF document whose pages can be drawn. Disposing of it ends the thread that reads it. */
export interface OpenPdf extends Disposable {
  readonly pages: number;
  /** Draws a page and returns its text. The newest call wins: those before it fail. */
  draw(page: number, canvas: HTMLCanvasElement): Promise<string>;
}

/** A page of another size is drawn in fewer pixels. */
const mostPixels = 8_000_000;

/** A picture in a document that has more is left out. */
const mostImagePixels = 50_000_000;

/** Opening a document takes this long at most. */
const patienceMs = 30_000;

/**
 * Opens a document with pdf.js, which draws it with its own code in a thread of its own: scripts, forms and links of the
 * document do nothing, nothing is loaded from elsewhere, and no code is made at run time. The thread ends with `signal`, at
 * whatever it works. @throws if the document is damaged or locked, or if opening it takes too long
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<OpenPdf> {
  signal.throwIfAborted();
  const port = new Worker(new URL('pdf-worker.ts', import.meta.url), { type: 'module' });
  // pdf.js asks for the address of its worker even if it is given one.
  GlobalWorkerOptions.workerPort = port;
  const worker = PDFWorker.create({ port });
  const close = (): void => {
    port.terminate();
    worker.destroy();
    // Through its listeners, the port leads to all that has been read of the document.
    if (GlobalWorkerOptions.workerPort === port) GlobalWorkerOptions.workerPort = null;
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    const { promise } = getDocument({
      // pdf.js takes the bytes over.
      data: bytes.slice(),
      worker,
      enableXfa: false,
      useWasm: false,
      useWorkerFetch: false,
      disableWorkerRendering: true,
      maxImageSize: mostImagePixels,
      verbosity: 0,
    });
    // pdf.js settles nothing once its thread is gone.
    const end = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    return drawable(await Promise.race([promise, failureAt(end)]), close, signal);
  } catch (error) {
    close();
    throw error;
  }
}

function failureAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted'));
    signal.addEventListener('abort', fail, { once: true });
  });
}

function drawable(document: PDFDocumentProxy, close: () => void, signal: AbortSignal): OpenPdf {
  let task: RenderTask | undefined;
  // What is being drawn would keep all instructions of the page.
  signal.addEventListener('abort', () => task?.cancel(), { once: true });
  return {
    pages: document.numPages,
    async draw(number, canvas) {
      task?.cancel();
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const scale = Math.min(2, Math.sqrt(mostPixels / Math.max(1, width * height)));
      const viewport = page.getViewport({ scale });
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      task = page.render({ canvas, viewport });
      await task.promise;
      const { items } = await page.getTextContent();
      return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    },
    [Symbol.dispose]: close,
  };
}

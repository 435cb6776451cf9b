import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  type RenderTask,
} from 'pdfjs-dist';
import { createBoundCanvases } from './bound-canvases.ts';
import { pageBegins, picturesLeftOut } from './bound-pictures.ts';

/** What is known of a page once it is drawn. */
export interface DrawnPage {
  readonly text: string;
  /** Whether pictures are missing that are too large, most often all together. */
  readonly lacksPictures: boolean;
}

/** A PDF document whose pages can be drawn. Disposing of it ends the thread that reads it. */
export interface OpenPdf extends Disposable {
  readonly pages: number;
  /** Draws a page. The newest call wins: those before it fail. */
  draw(page: number, canvas: HTMLCanvasElement): Promise<DrawnPage>;
}

/** A page of another size is drawn in fewer pixels. */
const mostPixels = 8_000_000;

/** A picture in a document that has more is left out. */
const mostImagePixels = 50_000_000;

/** How often it is tried to free what a page takes that is not drawn any more: pdf.js needs a tenth of a second to give it up. */
const retryMs = 50;

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
  const { CanvasFactory, forget } = createBoundCanvases();
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
      // pdf.js would try out how large a canvas may be.
      canvasMaxAreaInBytes: 4 * mostImagePixels,
      CanvasFactory,
      verbosity: 0,
    });
    // pdf.js settles nothing once its thread is gone.
    const end = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const begin = (): void => {
      forget();
      port.postMessage(pageBegins);
    };
    return drawable(await Promise.race([promise, failureAt(end)]), { port, begin, close, signal });
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

interface Drawing {
  readonly port: Worker;
  /** Before each page: what is counted begins. */
  begin(): void;
  close(): void;
  readonly signal: AbortSignal;
}

function drawable(document: PDFDocumentProxy, { port, begin, close, signal }: Drawing): OpenPdf {
  let task: RenderTask | undefined;
  let drawn: PDFPageProxy | undefined;
  let newest = 0;
  let lacksPictures = false;
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === picturesLeftOut) lacksPictures = true;
  });
  // What is being drawn would keep all instructions of the page.
  signal.addEventListener('abort', () => task?.cancel(), { once: true });
  return {
    pages: document.numPages,
    async draw(number, canvas) {
      newest += 1;
      const own = newest;
      task?.cancel();
      if (drawn !== undefined) await freePage(drawn, document);
      const page = await document.getPage(number);
      if (own !== newest) throw new Error('Another page is drawn');
      drawn = page;
      lacksPictures = false;
      begin();
      task = page.render({ canvas, viewport: fitCanvas(page, canvas) });
      await task.promise;
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      return { text, lacksPictures };
    },
    [Symbol.dispose]: close,
  };
}

/** Frees the pictures of a page, and those that pages share: all that is counted. */
async function freePage(page: PDFPageProxy, document: PDFDocumentProxy): Promise<void> {
  while (!page.cleanup()) await new Promise((resolve) => setTimeout(resolve, retryMs));
  await document.cleanup();
}

/** Gives a canvas the size in which a page is drawn. */
function fitCanvas(page: PDFPageProxy, canvas: HTMLCanvasElement) {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(2, Math.sqrt(mostPixels / Math.max(1, width * height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  return viewport;
}

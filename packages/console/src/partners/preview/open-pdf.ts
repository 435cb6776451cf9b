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

/**
 * Opens a document with pdf.js, which draws it with its own code in a thread of its own: scripts, forms and links of the
 * document do nothing, nothing is loaded from elsewhere, and no code is made at run time. @throws if it is damaged or locked
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<OpenPdf> {
  const port = new Worker(new URL('pdf-worker.ts', import.meta.url), { type: 'module' });
  // pdf.js asks for the address of its worker even if it is given one.
  GlobalWorkerOptions.workerPort = port;
  const worker = PDFWorker.create({ port });
  try {
    // pdf.js takes the bytes over.
    const document = await getDocument({
      data: bytes.slice(),
      worker,
      enableXfa: false,
      useWasm: false,
      useWorkerFetch: false,
      disableWorkerRendering: true,
      maxImageSize: mostImagePixels,
      verbosity: 0,
    }).promise;
    return drawable(document, () => {
      worker.destroy();
      port.terminate();
    });
  } catch (error) {
    port.terminate();
    throw error;
  }
}

function drawable(document: PDFDocumentProxy, close: () => void): OpenPdf {
  let task: RenderTask | undefined;
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

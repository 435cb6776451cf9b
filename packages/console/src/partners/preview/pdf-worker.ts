// The thread in which pdf.js reads documents.
import 'pdfjs-dist/build/pdf.worker.min.mjs';

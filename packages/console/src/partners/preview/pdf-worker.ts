// The thread in which pdf.js reads documents. Its memory is bounded before pdf.js runs.
import './bound-memory.ts';
import 'pdfjs-dist/build/pdf.worker.min.mjs';

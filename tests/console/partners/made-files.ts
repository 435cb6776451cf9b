import { deflateSync } from 'node:zlib';

/** A picture of one pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A picture that states a size, and holds no pixel. */
export function pngOfSize(width: number, height: number): Buffer {
  const head = Buffer.alloc(25);
  head.writeUInt32BE(13);
  head.write('IHDR', 4);
  head.writeUInt32BE(width, 8);
  head.writeUInt32BE(height, 12);
  return Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), head, deflateSync(Buffer.alloc(100))]);
}

/** A GIF of one pixel whose only frame states a size. */
export function gifOfFrame(width: number, height: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b]);
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([Buffer.from('GIF89a\u0001\0\u0001\0\u0080\0\0', 'latin1'), Buffer.alloc(6, 255), frame]);
}

/** A document whose cross-reference stream unpacks to a number of zeros. */
export function pdfOfZeros(count: number): Buffer {
  const table = deflateSync(Buffer.alloc(count));
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n1 0 obj\n<< /Type /XRef /Size 400000000 /W [1 4 2] /Root 2 0 R /Length ${table.length} /Filter /FlateDecode >>\nstream\n`,
    ),
    table,
    Buffer.from('\nendstream\nendobj\nstartxref\n9\n%%EOF\n'),
  ]);
}

/** A document of two pages that tries to run scripts when it is opened, and to load and open addresses. */
export const hostilePdf = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R /OpenAction 8 0 R /AcroForm << /Fields [9 0 R] >> /Names << /JavaScript << /Names [(a) 8 0 R] >> >> >>',
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 5 0 R /Resources << /Font << /F1 7 0 R >> >> /Annots [9 0 R 10 0 R] /AA << /O 8 0 R >> >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 6 0 R /Resources << /Font << /F1 7 0 R >> >> >>',
  streamOf('BT /F1 24 Tf 20 100 Td (Invoice of March) Tj ET 20 20 100 30 re f'),
  streamOf('BT /F1 24 Tf 20 100 Td (The second page) Tj ET'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  '<< /S /JavaScript /JS (window.hasRun = true; app.alert\\(1\\); app.launchURL\\("http://hostile.example/"\\)) >>',
  '<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /Rect [20 150 200 170] /AA << /K 8 0 R /F 8 0 R /C 8 0 R >> >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 300 200] /A << /S /URI /URI (http://hostile.example/) >> >>',
]);

/** A document of one page whose instructions unpack to about a number of bytes. */
export function pdfOfInstructions(bytes: number): Buffer {
  const instructions = '1 0 0 rg 0 0 1 1 re f\n';
  const content = deflateSync(instructions.repeat(bytes / instructions.length)).toString('latin1');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R >>',
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content}\nendstream`,
  ]);
}

/** A document of one page with a large red picture, as programs store them: the rows are kept with a PNG or a TIFF predictor. */
export function pdfOfPicture(predictor: 'PNG' | 'TIFF'): Buffer {
  const [columns, rows] = [2_500, 2_000];
  const row = Buffer.alloc(columns * 3);
  // The difference to the pixel on the left, of a row in one colour.
  Buffer.from([255, 0, 0]).copy(row);
  const stored = predictor === 'PNG' ? Buffer.concat([Buffer.from([1]), row]) : row;
  const picture = deflateSync(Buffer.concat(Array.from({ length: rows }, () => stored))).toString('latin1');
  const parameters = `/Predictor ${predictor === 'PNG' ? 15 : 2} /Colors 3 /BitsPerComponent 8 /Columns ${columns}`;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>',
    streamOf('q 300 0 0 200 0 0 cm /P Do Q'),
    `<< /Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << ${parameters} >> /Length ${picture.length} >>\nstream\n${picture}\nendstream`,
  ]);
}

/**
 * A document of one page that draws many pictures one upon the other, each within the bounds of a picture: 49 million grey pixels, which
 * are packed in some kilobytes. After them, it draws a small red one, and a line of text.
 */
export function pdfOfPictures(count: number, kind: 'Flate' | 'JPEG'): Buffer {
  const side = 7_000;
  const content = kind === 'JPEG' ? greyJpeg(side) : Buffer.alloc(side * side, 200);
  const filter = kind === 'JPEG' ? '[/FlateDecode /DCTDecode]' : '/FlateDecode';
  const large = pictureOf(side, `/ColorSpace /DeviceGray /Filter ${filter}`, content);
  const red = pictureOf(1, '/ColorSpace /DeviceRGB /Filter /FlateDecode', Buffer.from([255, 0, 0]));
  const pictures = [...Array.from({ length: count }, () => large), red];
  const resources = pictures.map((_, index) => `/P${index} ${index + 6} 0 R`).join(' ');
  const drawings = pictures.map((_, index) => `q 300 0 0 200 0 0 cm /P${index} Do Q`).join('\n');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << ${resources} >> >> >>`,
    streamOf(`${drawings}\nBT /F1 24 Tf 20 100 Td (The last line) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pictures,
  ]);
}

/** A picture of a document, whose content is deflated. */
function pictureOf(side: number, entries: string, content: Buffer): string {
  const data = deflateSync(content).toString('latin1');
  return `<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} ${entries} /BitsPerComponent 8 /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** A grey JPEG: each block of 64 pixels is two bits, which say that it is like the one before. */
function greyJpeg(side: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(side, 5);
  frame.writeUInt16BE(side, 7);
  const codes = (table: number): number[] => [0xff, 0xc4, 0, 20, table, 1, ...Array.from({ length: 16 }, () => 0)];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array.from({ length: 64 }, () => 1)]),
    frame,
    Buffer.from([...codes(0), ...codes(0x10), 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]),
    Buffer.alloc(Math.ceil(Math.ceil(side / 8) ** 2 / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A document of one page of groups that are transparent together, one within the other. */
export function pdfOfGroups(depth: number): Buffer {
  const resources = (group: number): string =>
    `/Resources << /ExtGState << /Half << /ca 0.5 /BM /Multiply >> >> /XObject << /Group ${group} 0 R >> >>`;
  const groups = Array.from({ length: depth }, (_, index) => {
    const content = index === depth - 1 ? '0 1 0 rg 0 0 1000 1000 re f' : '0 0 1 rg 0 0 10 10 re f /Half gs /Group Do';
    return `<< /Type /XObject /Subtype /Form /BBox [0 0 2000 2000] /Group << /S /Transparency /I true >> ${resources(index + 6)} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2000 2000] /Contents 4 0 R ${resources(5)} >>`,
    streamOf('/Half gs /Group Do'),
    ...groups,
  ]);
}

function streamOf(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function pdfOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

import { expect, it } from 'vitest';
import { contentKindOf } from './content-kind.ts';
import { imageSizeOf } from './image-size.ts';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['PNG', '\u0089PNG\r\n\u001a\n....', { kind: 'image', mediaType: 'image/png' }],
  ['JPEG', '\u00ff\u00d8\u00ff\u00e0', { kind: 'image', mediaType: 'image/jpeg' }],
  ['GIF', 'GIF89a......', { kind: 'image', mediaType: 'image/gif' }],
  ['WebP', 'RIFF....WEBPVP8 ', { kind: 'image', mediaType: 'image/webp' }],
  ['PDF', '%PDF-1.7\n', { kind: 'pdf' }],
  ['HTML', '<script>alert(1)</script>', { kind: 'text', encoding: 'utf-8' }],
  ['SVG', '<svg onload="alert(1)">', { kind: 'text', encoding: 'utf-8' }],
  ['UTF-8 that ends inside a character', 'Stra\u00c3\u009fe \u00c3', { kind: 'text', encoding: 'utf-8' }],
  ['Latin-1', 'Stra\u00dfe', { kind: 'text', encoding: 'windows-1252' }],
  ['UTF-16', '\u00ff\u00fea\0', { kind: 'text', encoding: 'utf-16le' }],
  ['an AVIF file whose brand is the mark of WebP', '\0\0\0\u0020ftypWEBPVP8Xavif', { kind: 'other' }],
  ['an icon whose first entry is the mark of WebP', '\0\0\u0001\0\u0001\0\0\0WEBPVP8X', { kind: 'other' }],
  ['a program', '\u007fELF\u0002\u0001\u0001\0', { kind: 'other' }],
  ['an icon, which may hold anything', '\0\0\u0001\0\u0001\0', { kind: 'other' }],
])('%s is what its bytes say', (_what, content, kind) => {
  expect(contentKindOf(bytesOf(content))).toEqual(kind);
});

it('reads the size of a picture before anything is decoded', () => {
  const png = bytesOf('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\u0001\0\0\0\0\u0002\0');
  expect(imageSizeOf(png, 'image/png')).toEqual({ width: 65_536, height: 512 });
  expect(imageSizeOf(bytesOf('GIF89a\u0002\u0001\u0003\0'), 'image/gif')).toEqual({ width: 258, height: 3 });
  const jpeg = bytesOf('\u00ff\u00d8\u00ff\u00e0\0\u0004ab\u00ff\u00c0\0\u0011\b\u0001\0\u0002\0');
  expect(imageSizeOf(jpeg, 'image/jpeg')).toEqual({ width: 512, height: 256 });
  const webp = bytesOf('RIFF....WEBPVP8X....\0\0\0\0\u0001\u0001\0\u0002\u0001\0');
  expect(imageSizeOf(webp, 'image/webp')).toEqual({ width: 258, height: 259 });
});

it('knows no size of a damaged head', () => {
  expect(imageSizeOf(bytesOf('\u0089PNG\r\n'), 'image/png')).toBeUndefined();
  expect(imageSizeOf(bytesOf('\u00ff\u00d8no segment'), 'image/jpeg')).toBeUndefined();
  expect(imageSizeOf(bytesOf('\u00ff\u00d8\u00ff\u00e0\0\0'.repeat(3)), 'image/jpeg')).toBeUndefined();
});

const bytes = (...numbers: number[]): Uint8Array => Uint8Array.from(numbers);
const gifHead = [...bytesOf('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, ...Array<number>(6).fill(7)];

it.each([
  ['its first frame', [0x2c, 0, 0, 0, 0, 0x20, 0x4e, 0x20, 0x4e, 0, 2, 1, 0, 0, 0x3b]],
  [
    'a later frame, behind extensions and colour tables',
    [
      0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 1, 1, 1, 2, 2, 2, 2, 1, 0, 0, 0x21, 0xfe, 2,
      0x3b, 0x3b, 0, 0x2c, 0x10, 0x27, 0x10, 0x27, 0x10, 0x27, 0x10, 0x27, 0, 2,
    ],
  ],
])('a GIF is as large as %s', (_what, blocks) => {
  expect(imageSizeOf(bytes(...gifHead, ...blocks), 'image/gif')).toEqual({ width: 20_000, height: 20_000 });
});

it.each([
  [
    'a GIF with bytes between its blocks',
    'image/gif',
    bytes(...gifHead, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0x3b),
  ],
  ['a GIF whose extension is shorter than decoders read', 'image/gif', bytes(...gifHead, 0x21, 0xff, 1, 0, 0, 0x3b)],
  [
    'a PNG with a chunk before its head',
    'image/png',
    bytesOf('\u0089PNG\r\n\u001a\n\0\0\0\rprVt\0\0\0\u0001\0\0\0\u0001....IHDR'),
  ],
  [
    'a JPEG with a reserved marker',
    'image/jpeg',
    bytes(0xff, 0xd8, 0xff, 0x02, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1),
  ],
] as const)('knows no size of %s', (_what, mediaType, content) => {
  expect(imageSizeOf(content, mediaType)).toBeUndefined();
});

it('skips the markers of a JPEG that have no length', () => {
  const standalone = [0xff, 0x01, 0xff, 0xd0, 0xff, 0xff, 0xd7];
  // Read as a length, what follows would lead to a false frame of 16 x 16.
  const comment = [0xff, 0xfe, 0, 15, 0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0];
  const frame = [0xff, 0xc0, 0, 11, 8, 0x4e, 0x20, 0x4e, 0x20];
  const content = bytes(0xff, 0xd8, ...standalone, ...comment, ...frame);
  expect(imageSizeOf(content, 'image/jpeg')).toEqual({ width: 20_000, height: 20_000 });
});

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

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Request, RequestHandler, Response } from 'express';

/** A built web application, and the address below which it is served. */
export interface WebApplication {
  /** Such as `/ui`. */
  readonly prefix: string;
  /** Holds `page.html` and `assets/`, whose names contain digests of their contents. */
  readonly folder: string;
  /** Settings that scripts of the page read: the contents of `meta` elements, by their names. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The only origin of scripts, styles, data and pictures is the server itself; pictures may be made by the page (`blob:`). */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  // Only downloads that a form posts: what could be shown cannot be framed.
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

type Encoding = (typeof encodings)[number][0];

interface WebFile {
  readonly mediaType: string;
  readonly etag: string;
  readonly content: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
}

/**
 * Reads a web application into memory and returns what serves it: its files by their names, and `page.html` for every
 * other address below the prefix, because the application has addresses that no file has. No request reaches the
 * disk. @throws if the folder has no `page.html`
 */
export async function serveWebApplication(application: WebApplication): Promise<RequestHandler> {
  const { prefix, folder, settings = {} } = application;
  const files = await readFiles(folder);
  const built = files.get('page.html');
  if (built === undefined) throw new Error(`${folder} has no page.html: the web application has not been built`);
  const page = withSettings(built, settings);
  return (request, response, next) => {
    const { path: address } = request;
    if (address !== prefix && !address.startsWith(`${prefix}/`)) return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new CodedError('method_not_allowed', {
        detail: 'This address supports GET, HEAD',
        names: { allow: 'GET, HEAD' },
      });
    }
    if (address === prefix) return response.redirect(308, `${prefix}/`);
    const name = address.slice(prefix.length + 1);
    const file = name === 'page.html' ? page : files.get(name);
    if (file === undefined && name.startsWith('assets/')) throw new CodedError('route_not_found');
    sendFile(request, response, file ?? page, file !== undefined && name.startsWith('assets/'));
  };
}

function sendFile(request: Request, response: Response, file: WebFile, isImmutable: boolean): void {
  const encoding = encodings
    .map(([name]) => name)
    .find((name) => file.encoded.has(name) && request.acceptsEncodings(name));
  response.set({
    'Content-Type': file.mediaType,
    'Content-Security-Policy': contentSecurityPolicy,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
    ETag: file.etag,
  });
  if (request.get('If-None-Match') === file.etag) {
    response.status(304).end();
    return;
  }
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.status(200).end((encoding && file.encoded.get(encoding)) ?? file.content);
}

/** A page with settings in its head. It is small: it is not compressed again. */
function withSettings(page: WebFile, settings: Readonly<Record<string, string>>): WebFile {
  const elements = Object.entries(settings).map(
    ([name, content]) => `<meta name="${escapeText(name)}" content="${escapeText(content)}" />`,
  );
  if (elements.length === 0) return page;
  const text = page.content.toString().replace(/<\/head>|$/u, (end) => `${elements.join('')}${end}`);
  const content = Buffer.from(text);
  return { ...page, content, etag: etagOf(content), encoded: new Map() };
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);
}

function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = new Map<string, Buffer>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    contents.set(path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file));
  }
  const files = new Map<string, WebFile>();
  for (const [name, content] of contents) {
    const mediaType = mediaTypes[path.extname(name)];
    if (mediaType === undefined) continue;
    const encoded = encodings.flatMap(([encoding, extension]) => {
      const bytes = contents.get(`${name}${extension}`);
      return bytes === undefined ? [] : [[encoding, bytes] as const];
    });
    files.set(name, { mediaType, etag: etagOf(content), content, encoded: new Map(encoded) });
  }
  return files;
}

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import busboy, { type Busboy, type FieldInfo, type FileInfo } from 'busboy';
import { bodyChunks } from './body-chunks.ts';
import { feedParser } from './feed-parser.ts';
import { boundaryOf, watchPartHeaders } from './part-header-watch.ts';

/** The file of a form, while the rest of the form is still arriving. */
export interface FormFile {
  /** Without folders; absent if its part has none. */
  readonly filename: string | undefined;
  readonly mediaType: string;
  readonly content: AsyncIterable<Buffer>;
  /** Resolves with the text fields when the whole form has been read successfully. */
  readonly fields: Promise<ReadonlyMap<string, string>>;
}

/** The content of a form: one file, metadata that may look like one, and a few texts. */
const limits = { files: 2, fields: 16, parts: 17, fieldNameSize: 128, fieldSize: 1024 * 1024, headerPairs: 32 };

/** Transfer encodings that leave the bytes unchanged; others are not allowed in a form (RFC 7578 section 4.7). */
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

/** The type of a file whose part has none. RFC 7578 would default to text; the interface defines this default. */
const defaultMediaType = 'application/octet-stream';

/** A type and a subtype have at most 127 characters each (RFC 6838, section 4.2). */
const maxMediaTypeLength = 255;

/**
 * Reads a `multipart/form-data` body (RFC 7578) whose file part is called `file`, and passes that file to `receive` as
 * it arrives. A part without a filename is a text, and is passed when the whole form has been read. A text `metadata`
 * may have a filename, as browsers give one to a `Blob`. Resolves with the result of `receive`; if that fails the rest
 * of the body is not read. The same applies when `signal` fires.
 * @throws CodedError `file_request_invalid` if the body is not such a form, or ends too early
 */
export async function receiveForm<T>(
  body: Readable,
  headers: IncomingHttpHeaders,
  receive: (file: FormFile) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const parser = openParser(headers);
  const watch = watchPartHeaders(headers);
  const form = Promise.withResolvers<ReadonlyMap<string, string>>();
  const stopped = new AbortController();
  // The first failure is reported, and not those that follow from it.
  const fail = (error: unknown): void => {
    form.reject(error);
    stopped.abort();
    parser.destroy();
  };
  const failToRead = (cause: unknown): void => fail(invalid('The form cannot be read to its end', cause));

  const stop = (): void => fail(signal?.reason);
  signal?.addEventListener('abort', stop);
  let received: Promise<T> | undefined;
  let position = -1;
  parser.on('file', (name: string | undefined, content: Readable, info: Partial<FileInfo>) => {
    // Received here before the reader of the content. An error without any listener would end the process.
    content.on('error', failToRead);
    position += 1;
    if (name === 'metadata') return readText(content, (text) => fields.add(name, text, info.encoding));
    const mediaType = watch.fileHasType(position) ? (info.mimeType ?? defaultMediaType) : defaultMediaType;
    const isTaken = received !== undefined || fields.texts.has('file');
    const flaw = flawOfFile({ ...info, name, mediaType, isTaken });
    if (flaw !== undefined) return fail(invalid(flaw));
    received = receive({
      filename: info.filename,
      mediaType,
      content: bodyChunks(content, signal),
      fields: form.promise,
    });
    received.catch(fail);
  });
  const fields = collectFields(parser, { fail, hasFile: () => received !== undefined });
  parser.on('error', failToRead);
  parser.on('close', () => form.resolve(fields.texts));
  feedParser(body, parser, { signal: stopped.signal, note: watch.note }).then(() => {
    if (hasOpenFile(parser)) fail(invalid('The form ends inside its file'));
  }, failToRead);

  try {
    await form.promise;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return received ?? receive(textFileOf(fields.texts));
}

/** The file of a form that has it as a text: RFC 7578 treats a part without a filename and a type as text. */
function textFileOf(fields: ReadonlyMap<string, string>): FormFile {
  const text = fields.get('file');
  if (text === undefined) throw invalid('There is no field `file`');
  if (text.includes('\uFFFD')) throw invalid('A `file` without a filename must be UTF-8 text');
  const content = async function* () {
    if (text !== '') yield Buffer.from(text);
  };
  return { filename: undefined, mediaType: 'text/plain', content: content(), fields: Promise.resolve(fields) };
}

/** Checks what is required to read a form. @throws CodedError `file_request_invalid` */
export function assertForm(headers: IncomingHttpHeaders): void {
  if (boundaryOf(headers) === undefined) throw invalid('The content type has no boundary');
}

function openParser(headers: IncomingHttpHeaders): Busboy {
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch (cause) {
    throw invalid('The content type has no boundary', cause);
  }
}

/**
 * Whether a file waits for its end. After a complete read there is none: but for a form with an unusual continuation
 * after its closing delimiter busboy would wait forever, and only this internal field shows it.
 */
function hasOpenFile(parser: Busboy): boolean {
  return Reflect.get(parser, '_fileStream') instanceof Readable;
}

/** What is wrong with the part of a file; undefined if nothing is. */
function flawOfFile(
  part: Partial<FileInfo> & { name: string | undefined; mediaType: string; isTaken: boolean },
): string | undefined {
  if (part.name !== 'file') return 'The file of the form must be called `file`';
  if (part.isTaken) return 'The form has `file` twice';
  // Bytes that are not UTF-8 were replaced by replacement characters: two such names would become equal.
  if (part.filename?.includes('\uFFFD')) return 'The name of the file is not UTF-8';
  if (part.mediaType.length > maxMediaTypeLength) {
    return `The media type of the file has more than ${maxMediaTypeLength} characters`;
  }
  return isPlain(part.encoding) ? undefined : 'content-transfer-encoding: must be binary';
}

function isPlain(encoding = '7bit'): boolean {
  return plainEncodings.has(encoding);
}

/** The texts of a form. */
interface FormTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** Adds a text that was sent as a file; undefined if it is too long. */
  add(name: string, text: string | undefined, encoding: string | undefined): void;
}

function collectFields(
  parser: Busboy,
  { fail, hasFile }: { fail: (error: unknown) => void; hasFile: () => boolean },
): FormTexts {
  const texts = new Map<string, string>();
  const add = (name: string, text: string | undefined, encoding: string | undefined): void => {
    const isTaken = texts.has(name) || (name === 'file' && hasFile());
    if (isTaken && (name === 'file' || name === 'metadata')) fail(invalid(`The form has \`${name}\` twice`));
    else if (text === undefined) fail(invalid(`A field of the form has more than ${limits.fieldSize} bytes`));
    else if (isPlain(encoding)) texts.set(name, text);
    else fail(invalid('content-transfer-encoding: must be binary'));
  };
  parser.on('field', (name: string | undefined, value, { valueTruncated, encoding }: Partial<FieldInfo>) =>
    add(name ?? '', valueTruncated === true ? undefined : value, encoding),
  );
  parser.on('filesLimit', () => fail(invalid(`The form has more than ${limits.files} parts with a filename`)));
  parser.on('fieldsLimit', () => fail(invalid(`The form has more than ${limits.fields} texts`)));
  parser.on('partsLimit', () => fail(invalid(`The form has more than ${limits.parts} parts`)));
  return { texts, add };
}

/** Reads a part that is a text although it has a filename, up to the maximum size of a field. */
function readText(content: Readable, done: (text: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  content.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limits.fieldSize) chunks.push(chunk);
    else done(undefined);
  });
  content.on('end', () => {
    if (size <= limits.fieldSize) done(Buffer.concat(chunks).toString());
  });
}

function invalid(detail: string, cause?: unknown): CodedError {
  return new CodedError('file_request_invalid', { detail, cause });
}

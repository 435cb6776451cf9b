import type { IncomingHttpHeaders } from 'node:http';

/** The maximum size of what precedes the file of a form: its other fields, and some headers. */
const watchedBytesAtMost = 2 * 1024 * 1024;

/** Detects what the form parser does not report: whether the part of the file has a type. */
export interface PartHeaderWatch {
  /** Receives bytes before the parser does. */
  note(chunk: Buffer): void;
  /**
   * Call it once, when the parser has reached the file, which is the part in this position, from 0, among those that
   * look like files. Also true if too many bytes preceded it to know.
   */
  fileHasType(position: number): boolean;
}

/** Watches the headers of a `multipart/form-data` body (RFC 7578) up to its file. */
export function watchPartHeaders(headers: IncomingHttpHeaders): PartHeaderWatch {
  const boundary = boundaryOf(headers) ?? '';
  let noted: Buffer[] | undefined = [];
  let size = 0;
  return {
    note: (chunk) => {
      size += chunk.length;
      if (size > watchedBytesAtMost) noted = undefined;
      noted?.push(chunk);
    },
    fileHasType: (position) => {
      if (noted === undefined) return true;
      const parts = Buffer.concat(noted).toString('latin1').split(`--${boundary}\r\n`);
      noted = undefined;
      const headers = parts.map((part) => part.slice(0, part.indexOf('\r\n\r\n')));
      const ofFile = headers.filter(looksLikeFile)[position] ?? '';
      return ofFile === '' || /^content-type:/imu.test(ofFile);
    },
  };
}

/** A part is a file if it has a filename, or, without one, a type. */
function looksLikeFile(header: string): boolean {
  const isNamed = /^content-disposition:.*;\s*filename\*?=/imu.test(header);
  return (
    isNamed ||
    (/^content-disposition:/imu.test(header) && /^content-type:\s*application\/octet-stream\b/imu.test(header))
  );
}

/** The boundary between the parts of a form (RFC 2046 section 5.1.1); undefined if its header names none. */
export function boundaryOf({ 'content-type': contentType = '' }: IncomingHttpHeaders): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/iu.exec(contentType) ?? [];
  return quoted ?? plain;
}

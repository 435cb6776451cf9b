import type { IncomingHttpHeaders } from 'node:http';
import { boundaryOf } from './boundary-of.ts';

/** What may come before the file of a form: its other fields, and some headers. */
const watchedBytesAtMost = 2 * 1024 * 1024;

/** Tells what the form parser does not: whether the part of the file says which type it has. */
export interface PartHeaderWatch {
  /** Looks at bytes before the parser does. */
  note(chunk: Buffer): void;
  /**
   * To be asked once, when the parser has come to the file, which is the part in this position, from 0, of those that look
   * like files. True also when too much came before it to know.
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

/** A part is a file by its name, or, without one, by its type. */
function looksLikeFile(header: string): boolean {
  const isNamed = /^content-disposition:.*;\s*filename\*?=/imu.test(header);
  return (
    isNamed ||
    (/^content-disposition:/imu.test(header) && /^content-type:\s*application\/octet-stream\b/imu.test(header))
  );
}

import type { IncomingHttpHeaders } from 'node:http';

/** What may come before the file of a form: its other fields, and some headers. */
const watchedBytesAtMost = 2 * 1024 * 1024;

/** Tells what the form parser does not: whether the part of the file says which type it has. */
export interface PartHeaderWatch {
  /** Looks at bytes before the parser does. */
  note(chunk: Buffer): void;
  /** To be asked once, when the parser has come to the file. True also when too much came before it to know. */
  fileHasType(): boolean;
}

/** Watches the headers of a `multipart/form-data` body (RFC 7578) up to its first file. */
export function watchPartHeaders({ 'content-type': contentType = '' }: IncomingHttpHeaders): PartHeaderWatch {
  const [, quoted, plain = ''] = /boundary=(?:"([^"]*)"|([^\s;]*))/iu.exec(contentType) ?? [];
  let noted: Buffer[] | undefined = [];
  let size = 0;
  return {
    note: (chunk) => {
      size += chunk.length;
      if (size > watchedBytesAtMost) noted = undefined;
      noted?.push(chunk);
    },
    fileHasType: () => {
      if (noted === undefined) return true;
      const parts = Buffer.concat(noted)
        .toString('latin1')
        .split(`--${quoted ?? plain}\r\n`);
      noted = undefined;
      const headers = parts.map((part) => part.slice(0, part.indexOf('\r\n\r\n')));
      // Without a type it is its name that makes a part a file.
      const ofFile = headers.find((header) => /^content-disposition:.*;\s*filename\*?=/imu.test(header)) ?? '';
      return ofFile === '' || /^content-type:/imu.test(ofFile);
    },
  };
}

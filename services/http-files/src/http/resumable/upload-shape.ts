import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type Concatenation, concatenationText } from '../../domain/resumable/concatenation.ts';

/** The address of an upload, with or without scheme and host. Its id cannot be guessed. */
const uploadAddress = /^(?:https?:\/\/[^/?#]+)?\/2\.0\/uploads\/([\w-]{1,64})$/u;

/** Parses `Upload-Concat`. @throws CodedError `file_request_invalid` */
export function concatenationIn({ 'upload-concat': asked }: IncomingHttpHeaders): Concatenation | undefined {
  if (asked === undefined) return undefined;
  const text = String(asked).trim();
  if (text === 'partial') return { kind: 'partial' };
  if (!text.startsWith('final;'))
    throw invalid('upload-concat: must be partial, or final; and the addresses of partial uploads');
  const parts = text.slice('final;'.length).trim().split(/ +/u).map(uploadNameOf);
  if (new Set(parts).size < parts.length) throw invalid('upload-concat: names an upload twice');
  return { kind: 'final', parts };
}

/** `Upload-Concat` of an upload, for responses. */
export function concatenationHeader(concatenation: Concatenation): string {
  if (concatenation.kind === 'partial') return 'partial';
  return concatenationText({ kind: 'final', parts: concatenation.parts.map((id) => `/2.0/uploads/${id}`) });
}

/** The length of a new upload; undefined if it is announced later. @throws CodedError `file_request_invalid` */
export function announcedLength(headers: IncomingHttpHeaders, concatenation: Concatenation | undefined) {
  const { 'upload-length': length, 'upload-defer-length': deferred } = headers;
  if (deferred !== undefined && deferred !== '1') throw invalid('upload-defer-length: must be 1');
  if (concatenation?.kind === 'final') {
    if (length === undefined && deferred === undefined) return undefined;
    throw invalid('upload-length: a final upload has the length of its parts');
  }
  if (length !== undefined && deferred !== undefined)
    throw invalid('upload-defer-length: cannot be together with upload-length');
  if (typeof length === 'string') return Number(length);
  if (deferred === undefined)
    throw invalid('upload-length: is missing; a length that is told later needs upload-defer-length: 1');
  return undefined;
}

function uploadNameOf(address: string): string {
  const name = uploadAddress.exec(address)?.[1];
  if (name === undefined)
    throw invalid('upload-concat: must name partial uploads by their addresses, separated by blanks');
  return name;
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}

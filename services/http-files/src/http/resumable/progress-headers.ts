import type { ResumableProgress } from '../../domain/resumable/resumable-progress.ts';
import { storedHeaders } from '../uploads/stored-headers.ts';

/** The headers that say how far an upload is, and what was stored when it is whole. */
export function progressHeaders({ upload, offset, receipt }: ResumableProgress): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    ...(receipt === undefined ? { 'Upload-Expires': upload.expiresAt.toUTCString() } : storedHeaders(receipt)),
  };
}

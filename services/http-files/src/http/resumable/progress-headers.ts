import type { ResumableProgress } from '../../domain/resumable/resumable-progress.ts';
import { storedHeaders } from '../uploads/stored-headers.ts';

/** The headers with the progress of an upload, and what was stored when it is complete. */
export function progressHeaders({ upload, offset, receipt }: ResumableProgress): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    ...(receipt === undefined ? { 'Upload-Expires': upload.expiresAt.toUTCString() } : storedHeaders(receipt)),
  };
}

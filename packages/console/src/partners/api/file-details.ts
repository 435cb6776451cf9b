import type { FileMetadata } from '@waybill/contracts/endpoints/files/elements/file-metadata';
import type { FolderSpace } from '@waybill/contracts/endpoints/files/elements/read-space';
import { addressOf, requestFiles } from './request-files.ts';

/** Reads the metadata of a file. */
export async function readMetadata(path: string, signal: AbortSignal): Promise<FileMetadata> {
  const response = await requestFiles(addressOf('metadata', path), { signal });
  return (await response.json()) as FileMetadata;
}

/** Adds metadata to a file, or replaces the values of its keys. */
export async function updateMetadata(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await requestFiles(addressOf('metadata', path), { method: 'POST', headers, body: JSON.stringify(values) });
}

/** The SHA-256 of a file, hexadecimal, as the platform states it. This is no download. */
export async function readHash(path: string, signal: AbortSignal): Promise<string> {
  const response = await requestFiles(addressOf('files', path), { method: 'HEAD', signal, cache: 'no-store' });
  return (response.headers.get('ETag') ?? '').replaceAll('"', '');
}

/** Reads the room at a path, and how long files are kept there. */
export async function readSpace(path: string, signal: AbortSignal): Promise<FolderSpace> {
  const response = await requestFiles(addressOf('space', path), { signal });
  return (await response.json()) as FolderSpace;
}

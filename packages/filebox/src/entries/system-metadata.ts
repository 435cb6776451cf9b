import { CodedError } from '@waybill/contracts/errors/coded-error';
import { metadataLimits } from '@waybill/contracts/values/metadata-limits';
import { z } from 'zod';
import type { FileEntry } from '../model/entry.ts';
import { assertMetadataFits } from './assert-metadata-fits.ts';

/** The prefix of the keys of the system class, in requests and responses. */
export const systemMetadataPrefix = 'SPFB_SP2_FILE_SYS_MD.';

/** Keys of the system class that users may write, without prefix. All others are read-only. */
export const writableSystemKeys = [
  'DESCRIPTION',
  'CORRELATION_ID',
  'DESTINATION_FILENAME',
  'EXPIRY_DATE',
  'USER_CLASS',
  'PRIORITY',
] as const;

/** The keys of the system class of a file, with their prefix; unset ones are left out. Dates are ISO 8601, UTC. */
export function systemMetadataOf(file: FileEntry): Record<string, string> {
  const values: Record<string, string | undefined> = {
    ARRIVAL_DATE: file.putAt.toISOString(),
    FILE_LENGTH: String(file.size),
    FIRST_READ_DATE: file.firstReadAt?.toISOString(),
    FORMAT: file.mediaType,
    ID_FILESET: file.fileset,
    LAST_READ_DATE: file.lastReadAt?.toISOString(),
    ORIGINAL_FILENAME: file.dfic['original_actor-filename'],
    ORIGINAL_FILESIZE: file.dfic.original_size,
    SENDER: file.owner,
    ...file.systemMetadata,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[`${systemMetadataPrefix}${key}`, value]],
    ),
  );
}

/** The metadata of a file that users have set, as options of an upload: for a new version based on this one. */
export function writtenMetadataOf({ metadata, systemMetadata }: FileEntry): Record<string, string> {
  const system = Object.entries(systemMetadata).map(
    ([key, value]) => [`${systemMetadataPrefix}${key}`, value] as const,
  );
  return { ...metadata, ...Object.fromEntries<string>(system) };
}

/** Metadata in the stored form: the two classes apart, and the expiry that the system class sets. */
export interface ParsedMetadata {
  metadata: Record<string, string>;
  systemMetadata: Record<string, string>;
  /** Undefined if the key was absent, null if its value was empty: the file does not expire. */
  expiresAt: Date | null | undefined;
}

const { keyCharacters, valueCharacters } = metadataLimits;

/**
 * Separates the classes, and checks the limits of keys, values and their total.
 * @throws CodedError `metadata_key_refused` for a key of the system class that is unknown or read-only, for an
 * EXPIRY_DATE that is not a time in ISO 8601, and beyond a limit
 */
export function parseMetadata(values: Readonly<Record<string, string>>): ParsedMetadata {
  const own: [string, string][] = [];
  const system: [string, string][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (key === '') refuse(key, 'is empty');
    if (key.length > keyCharacters) refuse(`${key.slice(0, 40)}…`, `has more than ${keyCharacters} characters`);
    if (value.length > valueCharacters) refuse(key, `has a value of more than ${valueCharacters} characters`);
    if (`${key}${value}`.includes('\0')) refuse(key, 'has a NUL character');
    if (key.startsWith(systemMetadataPrefix)) system.push([writableNameOf(key), value]);
    else own.push([key, value]);
  }
  const expiry = system.findLast(([name]) => name === 'EXPIRY_DATE')?.[1];
  const [metadata, systemMetadata] = [Object.fromEntries(own), Object.fromEntries(system)];
  assertMetadataFits(metadata, systemMetadata);
  return {
    metadata,
    systemMetadata,
    expiresAt: expiry === undefined ? undefined : expiryOf(expiry),
  };
}

/** Adds metadata, or replaces the values of existing keys. @throws as `parseMetadata` does */
export function extendMetadata(known: ParsedMetadata, values: Readonly<Record<string, string>>): ParsedMetadata {
  const added = parseMetadata(values);
  const metadata = { ...known.metadata, ...added.metadata };
  const systemMetadata = { ...known.systemMetadata, ...added.systemMetadata };
  assertMetadataFits(metadata, systemMetadata);
  return { metadata, systemMetadata, expiresAt: added.expiresAt === undefined ? known.expiresAt : added.expiresAt };
}

function writableNameOf(key: string): string {
  const name = key.slice(systemMetadataPrefix.length);
  if (!writableSystemKeys.some((writable) => writable === name)) refuse(key, 'cannot be written');
  return name;
}

function expiryOf(value: string): Date | null {
  if (value === '') return null;
  const time = z.iso.datetime({ offset: true }).safeParse(value);
  if (!time.success)
    refuse(`${systemMetadataPrefix}EXPIRY_DATE`, 'must be a time in ISO 8601, such as 2026-12-31T23:59:59Z');
  return new Date(value);
}

function refuse(key: string, why: string): never {
  throw new CodedError('metadata_key_refused', { detail: `The metadata key '${key}' ${why}`, names: { key } });
}

import type { IncomingHttpHeaders } from 'node:http';
import { type MetadataValues, metadataValuesSchema } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainRequestIssue } from '@waybill/contracts/errors/explain-issue';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';
import { type FileTarget, fileTargetIn, fileTargetOf } from '../../domain/access/file-target.ts';
import type { UploadPlan } from '../../domain/resumable/begin-resumable-upload.ts';
import { storedMediaType } from '../bodies/raw-content.ts';
import { writeConditionOf } from '../uploads/write-condition-of.ts';
import { announcedLength, concatenationIn } from './upload-shape.ts';

/** Keys with a meaning; every other one is metadata of the file. */
const ownKeys = new Set(['path', 'folder', 'filename', 'filetype', 'overwrite']);

/** The plan of a new resumable upload. @throws CodedError `file_request_invalid`, `filename_missing` */
export function uploadPlanOf(headers: IncomingHttpHeaders): UploadPlan {
  const { 'upload-metadata': described, 'idempotency-key': idempotencyKey } = headers;
  const concatenation = concatenationIn(headers);
  const isPartial = concatenation?.kind === 'partial';
  if (typeof described !== 'string' && !isPartial) throw invalid('upload-metadata: is missing');
  const description = typeof described === 'string' ? described : '';
  const values = parseDescription(description);
  return {
    target: isPartial && !values.has('path') && !values.has('folder') ? undefined : targetOf(values, isPartial),
    length: announcedLength(headers, concatenation),
    concatenation,
    mediaType: storedMediaType(values.get('filetype') || undefined),
    metadata: metadataOf(values),
    condition: conditionOf(values.get('overwrite'), headers),
    description,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
  };
}

/** The path of the file that a request would begin, as the client gave it, for the audit log; empty if it has none. */
export function describedPathOf({ 'upload-metadata': described }: IncomingHttpHeaders): string {
  try {
    const values = parseDescription(typeof described === 'string' ? described : '');
    return values.get('path') ?? [values.get('folder') ?? '', values.get('filename') ?? ''].join('/');
  } catch {
    // That is why it was refused.
    return '';
  }
}

/** A partial upload is not visible under a name: it need not have one. */
function targetOf(values: ReadonlyMap<string, string>, isPartial: boolean): FileTarget {
  const [path, folder, filename = isPartial ? 'partial' : undefined] = ['path', 'folder', 'filename'].map((key) =>
    values.get(key),
  );
  if (path !== undefined && folder !== undefined) throw invalid('path: cannot be together with folder');
  return path === undefined ? fileTargetIn(parseVirtualPath(folder ?? ''), filename) : fileTargetOf(path);
}

function conditionOf(overwrite: string | undefined, headers: IncomingHttpHeaders): WriteCondition | undefined {
  const condition = writeConditionOf(headers);
  if (overwrite === undefined || overwrite === 'true') return condition;
  if (overwrite !== 'false') throw invalid('overwrite: must be true or false');
  if (condition?.kind === 'present') throw invalid('overwrite: cannot be false together with if-match');
  return { kind: 'absent' };
}

function metadataOf(values: ReadonlyMap<string, string>): MetadataValues {
  const others = Object.fromEntries([...values].filter(([key]) => !ownKeys.has(key)));
  const parsed = metadataValuesSchema.safeParse(others, { error: explainRequestIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`upload-metadata: ${[...(issue?.path ?? []), issue?.message].map(String).join(': ')}`);
  }
  return parsed.data;
}

/** `key base64,key base64,key`: a key without a value has an empty one. */
function parseDescription(description: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (description.trim() === '') return values;
  for (const pair of description.split(',')) {
    const [key = '', value = '', more] = pair.trim().split(/ +/u);
    if (!/^[\x21-\x2b\x2d-\x7e]+$/u.test(key) || more !== undefined)
      throw invalid('upload-metadata: is not well formed');
    if (values.has(key)) throw invalid(`upload-metadata: has ${key} twice`);
    values.set(key, decode(key, value));
  }
  return values;
}

function decode(key: string, value: string): string {
  const bytes = Buffer.from(value, 'base64');
  try {
    if (bytes.toString('base64').replaceAll('=', '') !== value.replaceAll('=', '')) throw new Error('not Base64');
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes('\0')) throw new Error('has a NUL character');
    return text;
  } catch (cause) {
    throw new CodedError('file_request_invalid', { detail: `upload-metadata: ${key} is not a text in Base64`, cause });
  }
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}

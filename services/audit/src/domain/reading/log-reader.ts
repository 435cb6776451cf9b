import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { AuditExportFormat } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import type { AuditTile } from '@waybill/contracts/endpoints/audit-logs/read-audit-tile';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseCheckpoint } from '../checkpoints/checkpoint.ts';
import type { Cosignature } from '../checkpoints/cosignature.ts';
import { verifierKey } from '../checkpoints/signed-note.ts';
import type { CosignedProof, KeyValidity } from '../exports/event-facts.ts';
import { exportFormats } from '../exports/export-format.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import type { LogKey, TreeHead } from '../log/record-log.ts';
import { leafText } from '../records/leaf-text.ts';
import type { StoredRecord } from '../records/log-record.ts';
import type { NumberRange } from '../redaction/number-ranges.ts';
import { tileHeight } from '../tree/compact-range.ts';
import { type HashSource, proveConsistency, proveInclusion } from '../tree/tree-proofs.ts';
import { type CosignedNote, cosignedNotes } from './cosigned-notes.ts';
import { keptRecords } from './kept-records.ts';
import { archiveOf, type WholeLog, wholeLog } from './whole-log.ts';

/** What a reader reads. Nothing of it is ever changed, so that no snapshot is needed. */
export interface StoredLog extends WholeLog {
  readHead(): Promise<TreeHead | undefined>;
  listKeys(): Promise<LogKey[]>;
  /** The sequence number of a record; `undefined` if there is none with that id. */
  findSequence(id: string): Promise<number | undefined>;
  /** The records from `first` to `last` that match the filter, in batches of at most `most`; with a filter also empty ones. */
  readRecords(range: {
    readonly first: number;
    readonly last: number;
    readonly filter?: AuditFilter | undefined;
    readonly most?: number | undefined;
  }): AsyncIterable<readonly StoredRecord[]>;
  /** Stored hashes of a level that is a multiple of 8; fewer than `count` if there are no more. */
  readHashes(run: { readonly level: number; readonly first: number; readonly count: number }): Promise<Buffer[]>;
  /** The last cosignature of each witness. */
  readCosignatures(): Promise<Cosignature[]>;
  readonly hashes: HashSource;
}

/** What is exported, and how. */
export interface ExportOptions {
  readonly format?: AuditExportFormat | undefined;
  /** A filter, and its text for the end of the export. */
  readonly q?: { readonly text: string; readonly filter: AuditFilter } | undefined;
}

/** An export that can be read once. */
export interface LogExport {
  /** The checkpoint that covers its records. */
  readonly checkpoint: string;
  /** The lines with their newlines, in batches. */
  lines(): AsyncIterable<string>;
}

/** The audit log in the formats of transparency logs. */
export interface LogReader {
  /** The last checkpoint with its cosignatures, or the last one that has cosignatures if there is one. */
  checkpoint(options: { readonly mustBeCosigned: boolean }): Promise<string>;
  /** Verifier keys in the order in which they signed. */
  keys(): Promise<KeyValidity[]>;
  /** @throws CodedError `audit_tile_unknown` */
  tile(tile: AuditTile): Promise<Buffer>;
  /** @throws CodedError `audit_record_unknown` */
  prove(id: string): Promise<string>;
  /** @throws CodedError `validation_failed` for sizes that the log does not have */
  proveConsistency(from: number, to: number): Promise<string>;
  /** The records of the last checkpoint in a format, or those that match a filter. */
  openExport(options?: ExportOptions): Promise<LogExport>;
  /** The lines of an archive of the first stored records. */
  archive(range: NumberRange): AsyncIterable<string>;
}

const leavesInTile = 2 ** tileHeight;

/** Creates a reader. Keys that are not trusted are not published, whatever the database says. */
export function createLogReader(log: StoredLog, keys: { readonly trusted: TrustedKeys }): LogReader {
  const head = async (): Promise<TreeHead> => {
    const stored = await log.readHead();
    if (!stored) throw new CodedError('service_unavailable', { detail: 'The audit log has no checkpoint' });
    return stored;
  };
  const validity = async ({ checkpoint }: TreeHead): Promise<KeyValidity[]> =>
    validityOf(await log.listKeys(), { origin: parseCheckpoint(checkpoint)?.origin ?? '', trusted: keys.trusted });
  return {
    checkpoint: async ({ mustBeCosigned }) => {
      const cosigned = cosignedNotes(await log.readCosignatures());
      const { checkpoint } = await head();
      const last = cosigned.find(({ note }) => note === checkpoint) ?? (mustBeCosigned ? cosigned[0] : undefined);
      return last?.cosigned ?? checkpoint;
    },
    keys: async () => validity(await head()),
    tile: async ({ level, number, width }) => {
      const first = number * leavesInTile;
      const parts =
        level === 'entries'
          ? await readEntries(log, { first: first + 1, last: first + width })
          : await log.readHashes({ level: level * tileHeight, first, count: width });
      if (parts.length < width) throw new CodedError('audit_tile_unknown');
      return Buffer.concat(parts);
    },
    prove: async (id) => {
      const sequence = await log.findSequence(id);
      if (sequence === undefined) throw new CodedError('audit_record_unknown');
      // Read after the record, so that it covers it.
      const { size, checkpoint } = await head();
      const proof = await proveInclusion(log.hashes, sequence - 1, size);
      return `c2sp.org/tlog-proof@v1\nindex ${sequence - 1}\n${lines(proof)}\n${checkpoint}`;
    },
    proveConsistency: async (from, to) => {
      const { size } = await head();
      if (to > size) refuse('to', `must be at most ${size}, the number of records`);
      if (from > to) refuse('from', 'must be at most `to`');
      return lines(await proveConsistency(log.hashes, from, to));
    },
    openExport: async (options = {}) => {
      // Read before the head, which then continues them.
      const cosigned = cosignedNotes(await log.readCosignatures());
      return exportOf(log, { stored: await head(), cosigned, options, validity, head });
    },
    archive: async function* archive(range) {
      const end = await head();
      yield* archiveOf(log, range, { end, keys: (await validity(end)).map(({ key }) => key) });
    },
  };
}

function exportOf(
  log: StoredLog,
  parts: {
    readonly stored: TreeHead;
    readonly options: ExportOptions;
    readonly cosigned: readonly CosignedNote[];
    validity(end: TreeHead): Promise<KeyValidity[]>;
    head(): Promise<TreeHead>;
  },
): LogExport {
  const { stored, options, cosigned, validity } = parts;
  const { format = 'ndjson', q } = options;
  const { size, checkpoint } = stored;
  const isWhole = format === 'ndjson' && q === undefined;
  const { header, line, end } = exportFormats[format];
  return {
    checkpoint,
    lines: async function* exportLines() {
      yield header;
      const reached = isWhole ? yield* wholeLog(log, parts) : stored;
      if (!isWhole)
        for await (const records of keptRecords(log, { last: size, filter: q?.filter }))
          yield records.map(line).join('');
      yield end({
        checkpoint: reached.checkpoint,
        validity: await validity(reached),
        cosigned: await proveCosigned(log.hashes, cosigned, reached.size),
        ...(isWhole && { waiting: await log.readWaiting(reached.size) }),
        filter: q?.text,
      });
    },
  };
}

/** The trusted keys, each with the sizes of the tree that it signs. */
function validityOf(
  used: readonly LogKey[],
  { origin, trusted }: { readonly origin: string; readonly trusted: TrustedKeys },
): KeyValidity[] {
  return used.flatMap(({ publicKey, firstSize }, index) => {
    if (!trusted.has(publicKey)) return [];
    const from = firstSize === 0 ? 0 : firstSize + 1;
    return [{ key: verifierKey(origin, publicKey), from, to: used[index + 1]?.firstSize ?? null }];
  });
}

/** The cosigned checkpoints that a log of this size continues, with the proofs of that. */
async function proveCosigned(
  hashes: HashSource,
  cosigned: readonly CosignedNote[],
  size: number,
): Promise<CosignedProof[]> {
  const continued = cosigned.filter((one) => one.size <= size);
  return Promise.all(
    continued.map(async (one) => {
      const proof = await proveConsistency(hashes, one.size, size);
      return { checkpoint: one.cosigned, proof: proof.map((hash) => hash.toString('base64')) };
    }),
  );
}

async function readEntries(log: StoredLog, range: { first: number; last: number }): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for await (const records of log.readRecords(range)) {
    for (const record of records) {
      const leaf = Buffer.from(leafText(record));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(leaf.length);
      entries.push(Buffer.concat([length, leaf]));
    }
  }
  return entries;
}

function lines(hashes: readonly Buffer[]): string {
  return hashes.map((hash) => `${hash.toString('base64')}\n`).join('');
}

function refuse(field: string, message: string): never {
  throw new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}

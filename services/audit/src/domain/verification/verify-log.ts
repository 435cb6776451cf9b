import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { NamedState } from '../anchors/anchor.ts';
import { conflictOf } from '../anchors/exchange-checkpoint.ts';
import { type Checkpoint, parseCheckpoint } from '../checkpoints/checkpoint.ts';
import { signedBy, verifierKey } from '../checkpoints/signed-note.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import { rangeOf } from '../log/open-head.ts';
import type { LogKey, TreeHead } from '../log/record-log.ts';
import { createRedactionCheck, type RedactionCheck } from '../redaction/redaction-check.ts';
import type { ArchivedStart } from '../retention/archive-lines.ts';
import type { HashSource } from '../tree/tree-proofs.ts';
import { createFindings, type Findings } from './findings.ts';
import type { CheckedRange, KeyChange, LogSource, RecordRange } from './log-source.ts';
import { createProducerCheck } from './producer-check.ts';
import { clockSentence, clockToleranceMs, type RecordBefore } from './record-check.ts';
import { createTreeCheck } from './tree-check.ts';

/** The number of findings returned in full. */
const findingsAtMost = 100;

/** The records that are read at a time. Multiples of a tile, so that nodes are compared once. */
const rangeSize = 4_096;

/**
 * Computes the tree from the records, and compares it with the stored nodes, with the signed checkpoint, and with the
 * checkpoint that is remembered outside of the database. It verifies the records of the checkpoint that it reads first;
 * what is appended meanwhile does not matter. Memory does not grow with the log.
 */
export async function verifyLog(options: {
  source: LogSource;
  trusted: TrustedKeys;
  remembered: Checkpoint | undefined;
  /** What anchors remembered before. */
  anchored?: readonly NamedState[];
  now: Date;
  signal: AbortSignal;
}): Promise<AuditVerification> {
  const { source, trusted, remembered, now, signal } = options;
  const [head, end, start] = [await source.readHead(), await source.readEnd(), await source.readStart()];
  const findings = createFindings(findingsAtMost);
  const keys = createKeyCheck(findings);
  const archived = start?.range.size ?? 0;
  const tree = createTreeCheck({ hashes: source.hashes, findings, remembered, start });
  const redactions = createRedactionCheck();
  const archives = createArchiveCheck(start, findings);
  const clock = createClockCheck(findings);
  const producers = createProducerCheck(start, findings);
  // Without a head, and in a log that was altered, there may be more records than it says.
  const last = head === undefined || end.lastSequence > end.size ? end.lastSequence : head.size;
  let [recordCount, lastSequence] = [0, archived];
  for await (const range of source.checkRanges(rangesOf(archived, last), signal, recordBefore(start))) {
    const leafHashes = hashesOf(range.leafHashes);
    await tree.take(leafHashes);
    recordCount += leafHashes.length;
    lastSequence = range.lastSequence ?? lastSequence;
    findings.addAll(range.findings, range.findingCount);
    keys.take(range.keyChanges);
    for (const check of [clock, redactions, archives, producers]) check.take(range);
  }
  const checkpoint = head && parseCheckpoint(head.checkpoint);
  const known = { keyInForce: keys.inForce, keys: await source.listKeys(), trusted };
  if (head) checkSignature({ head, checkpoint, ...known }, findings);
  else if (recordCount > 0) findings.add('checkpoint_missing', recordCount, 'The signed checkpoint is missing');
  tree.end(checkpoint, head && rangeOf(head));
  await checkRedactions(redactions, { source, last, signal }, findings);
  archives.end();
  await checkAnchors(options.anchored ?? [], { checkpoint, hashes: source.hashes }, findings);
  await producers.end(() => source.readWaiting(last));
  return {
    intact: findings.count === 0,
    verifiedAt: now.toISOString(),
    records: recordCount,
    lastSequence,
    redactedRecords: redactions.records,
    archivedRecords: archived,
    checkpoint: head?.checkpoint ?? '',
    findings: [...findings.first],
    findingCount: findings.count,
  };
}

/** The nodes of the tree were compared with the records before. */
async function checkAnchors(
  anchored: readonly NamedState[],
  { checkpoint, hashes }: { checkpoint: Checkpoint | undefined; hashes: HashSource },
  findings: Findings,
): Promise<void> {
  for (const { name, state } of anchored) {
    const head = checkpoint && { checkpoint };
    const conflict = await conflictOf(name, state, { head, hashes }).catch(() => `${name} could not be compared`);
    if (conflict !== undefined) findings.add('anchor_contradicted', state.size, conflict);
  }
}

/** A record must name the last archive. */
function createArchiveCheck(start: ArchivedStart | undefined, findings: Findings) {
  let isNamed = start === undefined;
  return {
    take: ({ archives }: CheckedRange): void => {
      isNamed ||= archives.some((range) => range.endsWith(`-${start?.range.size}`));
    },
    end: (): void => {
      if (isNamed) return;
      findings.add('records_missing', 1, `No record says that records 1 to ${start?.range.size} were archived`);
    },
  };
}

/** The ranges after `before`. The first one begins with any record that was put before the first one. */
function rangesOf(before: number, last: number): RecordRange[] {
  return Array.from({ length: Math.ceil(Math.max(0, last - before) / rangeSize) }, (_, index) => ({
    first: before + index * rangeSize + 1,
    last: Math.min(last, before + (index + 1) * rangeSize),
  }));
}

function recordBefore(start: ArchivedStart | undefined): RecordBefore | undefined {
  if (!start) return undefined;
  const { range, lastId: id, lastChainHash } = start;
  return { sequence: range.size, id, hash: lastChainHash ?? '', recordedAt: null };
}

/** Values may have been erased while the records were read: then the record of that is after them. */
async function checkRedactions(
  redactions: RedactionCheck,
  { source, last, signal }: { source: LogSource; last: number; signal: AbortSignal },
  findings: Findings,
): Promise<void> {
  const found = redactions.records;
  if (redactions.unrecorded().length > 0) {
    const { lastSequence } = await source.readEnd();
    for await (const { redactions: recorded } of source.checkRanges(rangesOf(last, lastSequence), signal))
      redactions.take({ erased: [], redactions: recorded });
  }
  if (found === 0) return;
  for (const { sequence, fields } of redactions.unrecorded()) {
    const message = `Values of record ${sequence} were erased without a record of it: ${fields.join(', ')}`;
    findings.add('redaction_unrecorded', sequence, message);
  }
}

function hashesOf(bytes: Uint8Array): Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: all.length / 32 }, (_, index) => all.subarray(index * 32, (index + 1) * 32));
}

/** A record that is earlier than those of other ranges; the record check sees those of its own. */
function createClockCheck(findings: Findings) {
  let latestMs = Number.NEGATIVE_INFINITY;
  return {
    take: ({ recorded, findings: found }: CheckedRange): void => {
      if (!recorded) return;
      const { earliestMs, earliestSequence } = recorded;
      const isKnown = found.some(({ kind }) => kind === 'clock_set_back');
      if (earliestMs < latestMs - clockToleranceMs && !isKnown) {
        findings.add('clock_set_back', earliestSequence, clockSentence(earliestSequence));
        latestMs = earliestMs;
      }
      latestMs = Math.max(isKnown ? Number.NEGATIVE_INFINITY : latestMs, recorded.latestMs);
    },
  };
}

/** Follows the records of changed keys: a retired key must not be used again. */
function createKeyCheck(findings: Findings) {
  const retired = new Set<string>();
  let inForce: string | undefined;
  return {
    /** The verifier key that signs since the last change; `undefined` without changes. */
    get inForce() {
      return inForce;
    },
    take: (changes: readonly KeyChange[]): void => {
      for (const { sequence, from, to } of changes) {
        if (retired.has(to))
          findings.add('checkpoint_key_retired', sequence, `Since record ${sequence} a retired key signs again`);
        retired.add(from);
        inForce = to;
      }
    },
  };
}

function checkSignature(
  log: {
    head: TreeHead;
    checkpoint: Checkpoint | undefined;
    keyInForce: string | undefined;
    keys: readonly LogKey[];
    trusted: TrustedKeys;
  },
  findings: Findings,
): void {
  const { head, checkpoint, keyInForce, keys, trusted } = log;
  const key = checkpoint && signedBy(head.checkpoint, checkpoint.origin, trusted);
  const newest = keys.at(-1)?.publicKey;
  if (checkpoint && key !== undefined && checkpoint.size === head.size) {
    if (keyInForce === undefined || verifierKey(checkpoint.origin, key) === keyInForce) return;
    findings.add('checkpoint_key_retired', head.size, `The checkpoint was signed by ${key}, which was retired`);
  } else if (checkpoint && key === undefined && newest !== undefined && !trusted.has(newest)) {
    findings.add('checkpoint_key_unknown', head.size, `The checkpoint ${signedByUnknown(newest)}`);
  } else {
    findings.add('checkpoint_altered', head.size, 'The checkpoint is not what was signed');
  }
}

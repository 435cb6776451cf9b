#!/usr/bin/env node
// Verifies the audit log of Waybill: an export (NDJSON), or a running platform. It needs nothing but Node.js 20 or later, and
// shares no code with the platform. docs/audit-log.md describes the format.
//   node verify-audit-log.js --file export.ndjson --keys keys.txt --since kept-checkpoint.txt --save new-checkpoint.txt
//   node verify-audit-log.js --url https://files.example.org --token token.txt --since kept-checkpoint.txt
// With --witness <verifier keys, separated by commas> and --witnesses-needed <number> witnesses must have cosigned the log.
//
// Exit code 0: no findings; 1: findings, one a line; 2: the command line or an input is wrong.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** @typedef {{ [name: string]: Json }} JsonObject @typedef {string | number | boolean | null | Json[] | JsonObject} Json */
/** @typedef {JsonObject} AuditRecord */
/** @typedef {{ note: string, text: string, origin: string, size: number, root: string }} Checkpoint */
/** @typedef {(kind: string, sequence: number, message: string) => void} Report */
/** @typedef {{ checkpoint?: string, keys?: string[], proof?: string[], archived?: Start, waiting?: Waiting, cosigned?: { checkpoint: string, proof: string[] }[] }} ExportEnd */
/** @typedef {{ first: number, last: number, sequence: number }} Run Numbers, and the record that has or voids the first one. */
/** @typedef {{ known: Run[], settled: number, settledAt: number }} Ledger What is known of one producer. */
/** @typedef {{ id: string, first: number, last: number }[]} Waiting Numbers that the platform says are not recorded yet. */
/** @typedef {{ records: number, nodes: string[], lastId: string, lastChainHash?: string, producers?: (Ledger & { id: string })[] }} Start What was archived before. */

const personal = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'];
const beside = new Set([...personal, 'commitments', 'context', 'hash', 'salt']);
const clockToleranceMs = 60_000;

/** @param {(string | Buffer)[]} parts */
function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** @param {Json | undefined} value @returns {string} The canonical JSON (RFC 8785); numbers are integers. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** @param {Json | undefined} value @returns {[name: string, value: Json][]} */
const membersOf = (value) => Object.entries(typeof value === 'object' && value !== null ? value : {});

/** @param {AuditRecord} record @param {string} name */
function textIn(record, name) {
  const value = record[name];
  return typeof value === 'string' ? value : canonical(value);
}

/** @param {AuditRecord} record The text of its leaf: personal values are replaced by salted commitments. */
function leafOf(record) {
  const entries = Object.entries(record);
  const shown = Object.fromEntries(entries.filter(([name]) => !beside.has(name)));
  const hidden = entries.filter(([name]) => personal.includes(name));
  const commitments = new Map(membersOf(record['commitments']));
  if (record['version'] === 1) {
    const values = { ...Object.fromEntries(hidden), salt: record['salt'] ?? null };
    const hash = hidden.length > 0 ? sha256(canonical(values)).toString('hex') : commitments.get('personalHash');
    return canonical({
      ...shown,
      ...(record['context'] && { context: record['context'] }),
      personalHash: hash ?? null,
    });
  }
  const values = [...hidden, ...membersOf(record['context'])];
  const names = values.map(([name]) => name).toSorted();
  for (const [name, value] of values) {
    const place = 32 * names.indexOf(name);
    const salt = textIn(record, 'salt').slice(place, place + 32);
    // A value beside its commitment, or a second one of the same name, would not be verified.
    commitments.set(name, commitments.has(name) ? '' : sha256(canonical({ name, salt, value })).toString('hex'));
  }
  return canonical({ ...shown, commitments: Object.fromEntries(commitments) });
}

/** @param {Buffer} left @param {Buffer} right The hash of an inner node. */
const join = (left, right) => sha256(Buffer.from([1]), left, right);

/** The tree of RFC 6962: the roots of its perfect subtrees, the largest first. */
function createTree() {
  /** @type {{ width: number, hash: Buffer }[]} */
  let nodes = [];
  return {
    /** Begins with archived records. @param {Start} start */
    start: ({ records, nodes: hashes }) => {
      const bits = records.toString(2);
      const widths = Array.from(bits, (bit, index) => (bit === '1' ? 2 ** (bits.length - 1 - index) : 0)).filter(
        Boolean,
      );
      nodes = widths.map((width, index) => ({ width, hash: Buffer.from(hashes[index] ?? '', 'base64') }));
    },
    /** @param {Buffer} leaf */
    push: (leaf) => {
      let node = { width: 1, hash: leaf };
      for (let left = nodes.at(-1); left?.width === node.width; left = nodes.at(-1)) {
        nodes.pop();
        node = { width: node.width * 2, hash: join(left.hash, node.hash) };
      }
      nodes.push(node);
    },
    root: () => {
      const hashes = nodes.length === 0 ? [sha256('')] : nodes.map(({ hash }) => hash);
      return hashes.reduceRight((right, left) => join(left, right)).toString('base64');
    },
  };
}

/** @param {string} note A signed note with a checkpoint. @returns {Checkpoint} */
export function parseCheckpoint(note) {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([+/\dA-Za-z]{43}=)\n/u.exec(text) ?? [];
  if (origin === undefined || root === undefined) throw new Error('this is not a checkpoint');
  return { note, text, origin, size: Number(size), root };
}

/** @param {string} key @param {number} type A verifier key of this signature type: 1 of a log, 4 of a witness. */
function readKey(key, type) {
  const [name = '', id = '', ...rest] = key.split('+');
  const bytes = Buffer.from(rest.join('+'), 'base64');
  if (bytes.length !== 33 || bytes[0] !== type) return undefined;
  if (sha256(name, '\n', bytes).toString('hex', 0, 4) !== id) return undefined;
  const x = bytes.subarray(1).toString('base64url');
  return { name, id, publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) };
}

/** @param {Checkpoint} checkpoint @param {{ name: string, id: string }} key The signatures of a key, not yet verified. */
function signaturesOf({ note, text }, key) {
  const lines = note.slice(text.length + 1).split('\n');
  return lines.flatMap((line) => {
    const [dash, signer, field = ''] = line.split(' ');
    const bytes = Buffer.from(field, 'base64');
    return dash === '—' && signer === key.name && bytes.toString('hex', 0, 4) === key.id ? [bytes.subarray(4)] : [];
  });
}

/** @param {Checkpoint} checkpoint @param {string[]} keys The verifier key that signed the checkpoint; undefined if none did. */
function signerOf(checkpoint, keys) {
  const { text, origin } = checkpoint;
  return keys.find((one) => {
    const key = readKey(one, 1);
    if (key?.name !== origin) return false;
    return signaturesOf(checkpoint, key).some((bytes) => verify(null, Buffer.from(text), key.publicKey, bytes));
  });
}

/** @param {Checkpoint} checkpoint @param {string} witness When a witness has cosigned it, in seconds; undefined if it has not. */
function cosignedAt(checkpoint, witness) {
  const key = readKey(witness, 4);
  if (!key) throw new Error(`${witness} is not the Ed25519 verifier key of a witness`);
  const good = signaturesOf(checkpoint, key).find((bytes) => {
    if (bytes.length !== 72) return false;
    const signed = `cosignature/v1\ntime ${bytes.readBigUInt64BE(0)}\n${checkpoint.text}`;
    return verify(null, Buffer.from(signed), key.publicKey, bytes.subarray(8));
  });
  return good && Number(good.readBigUInt64BE(0));
}

/** The tree of `from` is the beginning of that of `to` (RFC 9162 section 2.1.4.2).
 * @param {Checkpoint} from @param {Checkpoint} to @param {Buffer[]} proof */
function isConsistent(from, to, proof) {
  if (from.size >= to.size) return from.size === to.size && from.root === to.root && proof.length === 0;
  if (from.size === 0) return proof.length === 0;
  let [node, last] = [from.size - 1, to.size - 1];
  /** @param {number} number */
  const half = (number) => Math.floor(number / 2);
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [first, ...rest] = node === 0 ? [Buffer.from(from.root, 'base64'), ...proof] : proof;
  if (!first) return false;
  let [older, newer] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [older, newer] = [join(hash, older), join(hash, newer)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else newer = join(newer, hash);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && older.toString('base64') === from.root && newer.toString('base64') === to.root;
}

/** Checks one record after the other, and follows the changes of keys. @param {Report} report */
function createRecordCheck(report) {
  let last = { sequence: 0, id: '00000000-0000-0000-0000-000000000000', leaf: '0'.repeat(64), version: 0 };
  let latestMs = Number.NEGATIVE_INFINITY;
  /** @type {{ from: number, key: string, former: string }[]} */
  const changes = [];
  /** @param {AuditRecord} record @param {number} sequence */
  const checkChain = (record, sequence) => {
    const isLinked = record['version'] !== 1 || record['previousHash'] === last.leaf;
    if (!isLinked) report('link_broken', sequence, 'it does not follow the record before it in the former chain');
    const isFirst = record['version'] === 2 && last.version === 1;
    if (isFirst && (record['auditCode'] !== 'AUD0110A' || record['entityId'] !== last.leaf))
      report('link_broken', sequence, 'it does not name the end of the former chain');
  };
  /** @param {number} sequence @param {string} key @param {string} former */
  const checkKeys = (sequence, key, former) => {
    if (changes.some((change) => change.former === key)) report('key_retired', sequence, 'a retired key signs again');
    changes.push({ from: sequence, key, former });
  };
  return {
    /** Begins after archived records. @param {Start} start */
    start: ({ records, lastId, lastChainHash }) => {
      last = { sequence: records, id: lastId, leaf: lastChainHash ?? '', version: lastChainHash === undefined ? 2 : 1 };
    },
    /** @param {AuditRecord} record @returns {Buffer} the hash of its leaf */
    take: (record) => {
      const [sequence, leaf] = [Number(record['sequence']), leafOf(record)];
      const [leafHash, chainHash] = [sha256('\0', leaf), sha256(leaf).toString('hex')];
      const expected = last.sequence + 1;
      if (record['hash'] !== (record['version'] === 1 ? chainHash : leafHash.toString('hex')))
        report('record_altered', sequence, `${textIn(record, 'id')} is not what was hashed`);
      if (sequence > expected) report('records_missing', expected, `missing up to record ${sequence - 1}`);
      else if (sequence < expected) report('out_of_order', sequence, `it comes after record ${expected - 1}`);
      else if (record['correlationId'] !== last.id)
        report('link_broken', sequence, `${textIn(record, 'id')} does not name the record before it`);
      checkChain(record, sequence);
      const recordedMs = Date.parse(textIn(record, 'recordedAt'));
      const isBack = recordedMs < latestMs - clockToleranceMs;
      if (isBack) report('clock_set_back', sequence, 'stored earlier than the records before it');
      if (isBack || recordedMs > latestMs) latestMs = recordedMs;
      if (record['auditCode'] === 'AUD0111A')
        checkKeys(sequence, textIn(record, 'entityName'), textIn(record, 'entityId'));
      last = { sequence, id: textIn(record, 'id'), leaf: chainHash, version: Number(record['version']) };
      return leafHash;
    },
    /** @param {number} size The key that may sign a tree of this size; undefined if the log names none. */
    keyAt: (size) => changes.findLast(({ from }) => from <= size)?.key ?? changes[0]?.former,
  };
}

/** @param {Run[]} runs In ascending order, none adjacent to another one. @param {Run} added */
function addRun(runs, added) {
  const from = runs.findLastIndex(({ last }) => last < added.first - 1) + 1;
  let joined = added;
  let to = from;
  for (let next = runs[to]; next && next.first <= added.last + 1; next = runs[(to += 1)]) {
    const { sequence } = next.first <= joined.first ? next : joined;
    joined = { first: Math.min(joined.first, next.first), last: Math.max(joined.last, next.last), sequence };
  }
  runs.splice(from, to - from, joined);
}

/** Checks the numbers of producers; memory grows with producers and gaps only. @param {Report} report */
function createProducerCheck(report) {
  /** @type {Map<string, Ledger>} */
  let ledgers = new Map();
  let isKnown = true;
  /** The last number of each producer in the present batch, whose records have one `recordedAt`. @type {Map<string, number>} */
  let batch = new Map();
  /** @type {Json | undefined} */
  let recordedAt;
  /** @param {unknown} value @returns {value is number} */
  const isNumber = (value) => Number.isSafeInteger(value) && Number(value) >= 1;
  return {
    /** Begins after archived records. @param {Start} start */
    start: ({ producers }) => {
      isKnown = producers !== undefined;
      ledgers = new Map(producers?.map(({ id, ...ledger }) => [id, ledger]));
      batch = new Map();
    },
    /** @param {AuditRecord} record */
    take: (record) => {
      if (record['recordedAt'] !== recordedAt) batch = new Map();
      recordedAt = record['recordedAt'];
      const { id, number, settled, voided } = Object.fromEntries(membersOf(record['producer']));
      if (typeof id !== 'string') return;
      const sequence = Number(record['sequence']);
      const ledger = ledgers.get(id) ?? { known: [], settled: 0, settledAt: 0 };
      ledgers.set(id, ledger);
      for (const one of [number, ...(Array.isArray(voided) ? voided : [])])
        if (isNumber(one)) addRun(ledger.known, { first: one, last: one, sequence });
      if (isNumber(settled) && settled > ledger.settled) Object.assign(ledger, { settled, settledAt: sequence });
      if (!isNumber(number)) return;
      const before = batch.get(id) ?? 0;
      if (number <= before) report('producer_reversed', sequence, `number ${number} of ${id} comes after ${before}`);
      batch.set(id, number);
    },
    /** After the last record. @param {Waiting} waiting @returns {string[]} what is missing because it is not recorded yet */
    end: (waiting) => {
      /** @type {string[]} */
      const late = [];
      for (const [id, { known, settled, settledAt }] of isKnown ? ledgers : []) {
        const expected = waiting.filter((one) => one.id === id).map((run) => ({ ...run, sequence: 0 }));
        const all = [...known, ...expected].toSorted((one, other) => one.first - other.first);
        let next = 1;
        for (const run of [...all, { first: settled + 1, last: settled, sequence: settledAt }]) {
          const last = Math.min(run.first - 1, settled);
          const { sequence } = known.find(({ first }) => first > last) ?? { sequence: settledAt };
          const place = `from producer ${id} between ${next - 1} and ${last + 1}`;
          if (next <= last) report('producer_gap', sequence, `missing ${place}`);
          if (run.sequence === 0 && run.first <= settled) late.push(`${run.first} to ${run.last} of producer ${id}`);
          next = Math.max(next, run.last + 1);
        }
      }
      return late;
    },
  };
}

/** Compares the values that were erased with the records of redactions (AUD0113A). @param {Report} report */
function createRedactionCheck(report) {
  /** @type {{ sequence: number, left: Set<string> }[]} */
  const erased = [];
  /** @type {{ fields: string[], first: number, last: number }[]} */
  const recorded = [];
  /** @param {number} sequence The index of the first erased record that is not before it. */
  const indexOf = (sequence) => {
    let [low, high] = [0, erased.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((erased[middle]?.sequence ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    /** @param {AuditRecord} record */
    take: (record) => {
      // In version 1 one hash covers four fields, which are erased together.
      const names = membersOf(record['commitments']).map(([name]) => (name === 'personalHash' ? 'auditMessage' : name));
      if (names.length > 0) erased.push({ sequence: Number(record['sequence']), left: new Set(names) });
      if (record['auditCode'] !== 'AUD0113A') return;
      for (const range of textIn(record, 'entityId').split(',')) {
        const [first = 0, last = first] = range.split('-').map(Number);
        recorded.push({ fields: textIn(record, 'entityName').split(','), first, last });
      }
    },
    /** @param {boolean} isWhole False for an archive: later records may name what was erased. */
    end: (isWhole) => {
      erased.sort((one, other) => one.sequence - other.sequence);
      for (const { fields, first, last } of recorded) {
        for (let index = indexOf(first); (erased[index]?.sequence ?? Infinity) <= last; index += 1)
          for (const name of fields) erased[index]?.left.delete(name);
      }
      for (const { sequence, left } of erased)
        if (left.size > 0 && isWhole)
          report('redaction_unrecorded', sequence, `erased without a record: ${[...left].join(', ')}`);
      return erased.length;
    },
  };
}

/**
 * @param {AsyncIterable<string>} lines @param {Map<number, string>} roots The roots of wanted sizes. @param {Report} report
 * @param {boolean} isArchived Whether it may be an archive.
 */
async function readExport(lines, roots, report, isArchived) {
  const [check, redactions, tree] = [createRecordCheck(report), createRedactionCheck(report), createTree()];
  const producers = createProducerCheck(report);
  /** @type {ExportEnd} */
  let end = {};
  let [records, archived] = [0, 0];
  /** @type {Map<number, string>} The archives that records name, by their last records. */
  const archives = new Map();
  if (roots.has(0)) roots.set(0, tree.root());
  for await (const line of lines) {
    try {
      const parsed = /** @type {AuditRecord & typeof end} */ (JSON.parse(line));
      if (typeof parsed.checkpoint === 'string') {
        end = parsed;
        continue;
      }
      if (typeof parsed.archived === 'object') {
        // After the archives themselves, there is nothing to skip.
        if (parsed.archived.records === records) continue;
        if (records > 0) report('records_missing', records + 1, `missing up to record ${parsed.archived.records}`);
        archived = records = parsed.archived.records;
        for (const part of [tree, check, producers]) part.start(parsed.archived);
        if (roots.has(records)) roots.set(records, tree.root());
        continue;
      }
      tree.push(check.take(parsed));
      redactions.take(parsed);
      producers.take(parsed);
      if (parsed['auditCode'] === 'AUD0114A')
        archives.set(Number(textIn(parsed, 'entityId').split('-')[1]), textIn(parsed, 'entityName'));
      records += 1;
      if (roots.has(records)) roots.set(records, tree.root());
    } catch {
      report('not_a_record', records + 1, `the line after record ${records} is not a record`);
    }
  }
  const result = { records, archived, archive: archives.get(archived), end };
  const isWhole = !isArchived || end.proof === undefined;
  return {
    ...result,
    // What an archive lacks may be in later ones, and without its end an export does not say what was waiting.
    late: isWhole && end.checkpoint !== undefined ? producers.end(end.waiting ?? []) : [],
    redacted: redactions.end(isWhole),
    root: tree.root(),
    keyAt: check.keyAt,
  };
}

/**
 * Verifies the lines of an export. `keys` are the verifier keys that you trust; without them those in the export are used.
 * `kept` are checkpoints that you have kept, in any order. `witnesses` are verifier keys of witnesses that you trust, of which
 * `needed` (all by default) must have cosigned the log. With `archive`, the lines may be those of an archive, which does not reach
 * its checkpoint.
 * @param {{ lines: AsyncIterable<string>, keys?: string[], kept?: Checkpoint[], witnesses?: string[], needed?: number, archive?: boolean }} options
 */
export async function verifyAuditLog(options) {
  const { lines, keys, kept = [], witnesses = [], needed = witnesses.length, archive = false } = options;
  /** @type {{ kind: string, sequence: number, message: string }[]} */
  const findings = [];
  /** @type {Report} */
  const report = (kind, sequence, message) => findings.push({ kind, sequence, message });
  const roots = new Map(kept.map(({ size }) => [size, '']));
  const read = await readExport(lines, roots, report, archive);
  const { records, redacted, archived, keyAt, end, late } = read;
  const last = end.checkpoint === undefined ? undefined : parseCheckpoint(end.checkpoint);
  const good = kept.filter((one) => roots.get(one.size) === one.root && one.origin === last?.origin);
  const first = 1 + Math.max(archived, ...good.map(({ size }) => size));
  const isArchive = archive && end.proof !== undefined;
  if (archived > 0 && !isArchive) checkArchived(read, report);
  compareEnd(read, last, { first, proof: isArchive ? end.proof : undefined }, report);
  for (const checkpoint of kept) {
    if (checkpoint.size < archived)
      report('archive_missing', checkpoint.size, 'the records of this checkpoint are in archives: verify them as well');
    else compareKept(checkpoint, last, roots.get(checkpoint.size), report);
  }
  const signed = last ? [last, ...kept] : kept;
  for (const checkpoint of signed) checkSigner(checkpoint, { keys: keys ?? end.keys ?? [], records, keyAt }, report);
  const cosigned = checkWitnesses({ witnesses, needed, last, good, cosigned: end.cosigned ?? [] }, report);
  const result = {
    records,
    redacted,
    archived,
    archive: read.archive,
    size: last?.size ?? 0,
    isArchive,
    cosigned,
    late,
  };
  return { ...result, checkpoint: end.checkpoint ?? '', findings, ownKeys: keys === undefined };
}

/** @param {{ archived: number, archive: string | undefined }} read @param {Report} report */
function checkArchived({ archived, archive }, report) {
  if (archive === undefined)
    report('records_missing', 1, `missing up to record ${archived}, and no record says that they were archived`);
}

/**
 * @param {Checkpoint} checkpoint
 * @param {{ keys: string[], records: number, keyAt: (size: number) => string | undefined }} known
 * @param {Report} report
 */
function checkSigner(checkpoint, { keys, records, keyAt }, report) {
  const { size } = checkpoint;
  // A key that is valid after the last record of an archive is not named in it.
  const [signer, valid] = [signerOf(checkpoint, keys), size > records ? undefined : keyAt(size)];
  if (signer === undefined) report('signature_invalid', size, 'no trusted key has signed this checkpoint');
  else if (valid !== undefined && signer !== valid)
    report('key_retired', size, `${signer} is not valid at this checkpoint`);
}

/**
 * @param {{ records: number, root: string }} read @param {Checkpoint | undefined} last
 * @param {{ first: number, proof: string[] | undefined }} options @param {Report} report
 */
function compareEnd({ records, root }, last, { first, proof }, report) {
  if (!last) report('checkpoint_missing', records, 'the export has no checkpoint at its end: it was cut off');
  else if (proof && records < last.size) {
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    if (isConsistent({ ...last, size: records, root }, last, hashes)) return;
    report('root_mismatch', first, `this record up to ${records} are not those that were signed`);
  } else if (records < last.size) report('tail_missing', records + 1, `missing up to record ${last.size}`);
  else if (records > last.size) report('tail_unknown', last.size + 1, 'this record and those after it were not signed');
  else if (root !== last.root)
    report('root_mismatch', first, `this record up to ${records} are not those that were signed`);
}

/**
 * Each witness must have cosigned the last checkpoint, or an earlier one that it continues.
 * @param {{ witnesses: string[], needed: number, last: Checkpoint | undefined, good: Checkpoint[], cosigned: NonNullable<ExportEnd['cosigned']> }} found
 * @param {Report} report
 */
function checkWitnesses({ witnesses, needed, last, good, cosigned }, report) {
  const earlier = cosigned.map(({ checkpoint, proof }) => {
    const one = parseCheckpoint(checkpoint);
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    return { one, isContinued: last?.origin === one.origin && isConsistent(one, last, hashes) };
  });
  const candidates = [...(last ? [last] : []), ...good].map((one) => ({ one, isContinued: true }));
  const found = witnesses.flatMap((witness) => {
    const [name = ''] = witness.split('+');
    const all = [...candidates, ...earlier].map((each) => ({ ...each, at: cosignedAt(each.one, witness) }));
    const forked = all.find(({ at, isContinued }) => at !== undefined && !isContinued);
    if (forked) report('log_forked', forked.one.size, `${name} has cosigned other records up to this one`);
    const [best] = all
      .filter(({ at, isContinued }) => at !== undefined && isContinued)
      .toSorted((a, b) => b.one.size - a.one.size);
    return best ? [{ name, size: best.one.size, at: new Date((best.at ?? 0) * 1000).toISOString() }] : [];
  });
  if (found.length < needed)
    report(
      'cosignatures_missing',
      last?.size ?? 0,
      `${found.length} of the witnesses have cosigned this log, not ${needed}`,
    );
  return found;
}

/** @param {Checkpoint} kept @param {Checkpoint | undefined} last @param {string | undefined} root @param {Report} report */
function compareKept(kept, last, root, report) {
  const { origin, size } = kept;
  if (last && last.origin !== origin) report('log_replaced', size, `this log is ${last.origin}, you kept ${origin}`);
  else if (last && last.size < size) report('log_set_back', last.size + 1, `you kept a checkpoint of ${size} records`);
  else if (root !== kept.root) report('log_forked', size, 'the records up to this one are not those that you kept');
}

/** @param {AsyncIterable<Uint8Array>[]} sources */
async function* linesOfAll(sources) {
  for (const source of sources) yield* linesOf(source);
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function* linesOf(chunks) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** @param {string} url @param {string} file The file of an access token. */
async function download(url, file) {
  const token = readFileSync(file, 'utf8').trim();
  const address = new URL('/platform-application/api/v1/audit/export', url);
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) throw new Error(`${address.href} answered ${response.status}`);
  return response.body;
}

/** @param {Awaited<ReturnType<typeof verifyAuditLog>>} outcome */
function* linesAbout({ findings, ownKeys, cosigned, isArchive, records, size, archived, archive, redacted, late }) {
  for (const { kind, sequence, message } of findings) yield `${kind} ${sequence}: ${message}`;
  if (ownKeys) yield 'The keys are those that the platform names: give --keys <file> with keys that you trust.';
  for (const { name, size, at } of cosigned) yield `${name} has cosigned ${size} records, at ${at}`;
  if (isArchive) yield `This is an archive: it ends with record ${records} of ${size}.`;
  if (archived > 0 && archive) yield `Records 1 to ${archived} are in archives, the last with the SHA-256 ${archive}.`;
  for (const numbers of late) yield `Not recorded yet, says the platform: ${numbers}`;
  if (redacted > 0) yield `${redacted} records with values that were erased by request`;
}

/** What is read: archives, then an export. @param {Record<string, unknown>} values
 * @param {AsyncIterable<Uint8Array> | undefined} exported */
async function sourcesOf({ archive, file, url, token }, exported) {
  const files = [archive ?? [], file ?? []].flat().map(String);
  const isLive = exported !== undefined || typeof url === 'string';
  if (files.length === 0 ? !isLive : typeof file === 'string' && isLive)
    throw new Error('give --file <export> or --url <platform>, and the --archive files before it');
  const live = isLive ? [exported ?? (await download(String(url), String(token)))] : [];
  return { lines: linesOfAll([...files.map((name) => createReadStream(name)), ...live]), isAlone: !file && !isLive };
}

/** Returns the exit code. @param {Record<string, unknown>} values @param {(line: string) => void} out
 * @param {AsyncIterable<Uint8Array>} [exported] The export of a platform, in place of its `url`. */
export async function runVerifier(values, out, exported) {
  const { since, keys, save, witness, 'witnesses-needed': needed } = values;
  const { lines, isAlone } = await sourcesOf(values, exported);
  const kept = typeof since === 'string' ? [parseCheckpoint(readFileSync(since, 'utf8'))] : [];
  const trusted = typeof keys === 'string' ? { keys: readFileSync(keys, 'utf8').split('\n').filter(Boolean) } : {};
  const witnesses = typeof witness === 'string' ? witness.split(',').filter(Boolean) : [];
  const required = typeof needed === 'string' ? { needed: Number(needed) } : {};
  if (required.needed !== undefined && !(required.needed >= 1 && required.needed <= witnesses.length))
    throw new Error('--witnesses-needed is a number from 1 to that of the witnesses');
  const outcome = await verifyAuditLog({ lines, kept, archive: isAlone, witnesses, ...required, ...trusted });
  for (const line of linesAbout(outcome)) out(line);
  out(`${outcome.records} records, ${outcome.findings.length} findings`);
  if (outcome.findings.length > 0) return 1;
  if (typeof save === 'string' && !outcome.isArchive) writeFileSync(save, outcome.checkpoint);
  return 0;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const text = /** @type {const} */ ({ type: 'string' });
  try {
    const names = ['file', 'url', 'token', 'since', 'keys', 'save', 'witness', 'witnesses-needed'];
    const single = Object.fromEntries(names.map((name) => [name, text]));
    const options = { ...single, archive: { ...text, multiple: true } };
    process.exitCode = await runVerifier(parseArgs({ options }).values, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`verify-audit-log: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

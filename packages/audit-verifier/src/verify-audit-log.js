#!/usr/bin/env node
// Verifies the audit log of Waybill: an export (NDJSON), or a running platform. It needs nothing but Node.js 20 or later, and
// shares no code with the platform. docs/audit-log.md describes the format.
//   node verify-audit-log.js --file export.ndjson --keys keys.txt --since kept-checkpoint.txt --save new-checkpoint.txt
//   node verify-audit-log.js --url https://files.example.org --token token.txt --since kept-checkpoint.txt
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

const personal = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'];
const beside = new Set([...personal, 'commitments', 'context', 'hash', 'salt', 'salts']);
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
  const salts = new Map(membersOf(record['salts']));
  for (const [name, value] of [...hidden, ...membersOf(record['context'])]) {
    const salt = salts.get(name) ?? sha256(textIn(record, 'salt'), name).toString('hex', 0, 16);
    // A value beside its commitment, or a second one of the same name, would not be verified.
    commitments.set(name, commitments.has(name) ? '' : sha256(canonical({ name, salt, value })).toString('hex'));
  }
  return canonical({ ...shown, commitments: Object.fromEntries(commitments) });
}

/** The tree of RFC 6962: the roots of its perfect subtrees, the largest first. */
function createTree() {
  /** @type {{ width: number, hash: Buffer }[]} */
  const nodes = [];
  /** @param {Buffer} left @param {Buffer} right */
  const join = (left, right) => sha256(Buffer.from([1]), left, right);
  return {
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

/** @param {Checkpoint} checkpoint @param {string[]} keys The verifier key that signed the checkpoint; undefined if none did. */
function signerOf({ note, text, origin }, keys) {
  const lines = note.slice(text.length + 1).split('\n');
  return keys.find((key) => {
    const [name = '', id = '', ...rest] = key.split('+');
    const bytes = Buffer.from(rest.join('+'), 'base64');
    if (name !== origin || bytes.length !== 33 || bytes[0] !== 1) return false;
    if (sha256(name, '\n', bytes).toString('hex', 0, 4) !== id) return false;
    const x = bytes.subarray(1).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return lines.some((line) => {
      const [dash, signer, field = ''] = line.split(' ');
      const signature = Buffer.from(field, 'base64');
      if (dash !== '—' || signer !== name || signature.toString('hex', 0, 4) !== id) return false;
      return verify(null, Buffer.from(text), publicKey, signature.subarray(4));
    });
  });
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

/** @param {AsyncIterable<string>} lines @param {Map<number, string>} roots The roots of wanted sizes. @param {Report} report */
async function readExport(lines, roots, report) {
  const [check, tree] = [createRecordCheck(report), createTree()];
  /** @type {{ checkpoint?: string, keys?: string[] }} */
  let end = {};
  let records = 0;
  if (roots.has(0)) roots.set(0, tree.root());
  for await (const line of lines) {
    try {
      const parsed = /** @type {AuditRecord & typeof end} */ (JSON.parse(line));
      if (typeof parsed.checkpoint === 'string') {
        end = parsed;
        continue;
      }
      tree.push(check.take(parsed));
      records += 1;
      if (roots.has(records)) roots.set(records, tree.root());
    } catch {
      report('not_a_record', records + 1, `the line after record ${records} is not a record`);
    }
  }
  return { records, root: tree.root(), keyAt: check.keyAt, end };
}

/**
 * Verifies the lines of an export. `keys` are the verifier keys that you trust; without them those in the export are used.
 * `kept` are checkpoints that you have kept, in any order.
 * @param {{ lines: AsyncIterable<string>, keys?: string[], kept?: Checkpoint[] }} options
 */
export async function verifyAuditLog({ lines, keys, kept = [] }) {
  /** @type {{ kind: string, sequence: number, message: string }[]} */
  const findings = [];
  /** @type {Report} */
  const report = (kind, sequence, message) => findings.push({ kind, sequence, message });
  const roots = new Map(kept.map(({ size }) => [size, '']));
  const { records, root, keyAt, end } = await readExport(lines, roots, report);
  const last = end.checkpoint === undefined ? undefined : parseCheckpoint(end.checkpoint);
  const good = kept.filter((one) => roots.get(one.size) === one.root && one.origin === last?.origin);
  const first = 1 + Math.max(0, ...good.map(({ size }) => size));
  if (!last) report('checkpoint_missing', records, 'the export has no checkpoint at its end: it was cut off');
  else if (records < last.size) report('tail_missing', records + 1, `missing up to record ${last.size}`);
  else if (records > last.size) report('tail_unknown', last.size + 1, 'this record and those after it were not signed');
  else if (root !== last.root)
    report('root_mismatch', first, `this record up to ${records} are not those that were signed`);
  for (const checkpoint of kept) compareKept(checkpoint, last, roots.get(checkpoint.size), report);
  for (const checkpoint of last ? [last, ...kept] : kept) {
    const { size } = checkpoint;
    const [signer, valid] = [signerOf(checkpoint, keys ?? end.keys ?? []), keyAt(size)];
    if (signer === undefined) report('signature_invalid', size, 'no trusted key has signed this checkpoint');
    else if (valid !== undefined && signer !== valid)
      report('key_retired', size, `${signer} is not valid at this checkpoint`);
  }
  return { records, checkpoint: end.checkpoint ?? '', findings, ownKeys: keys === undefined };
}

/** @param {Checkpoint} kept @param {Checkpoint | undefined} last @param {string | undefined} root @param {Report} report */
function compareKept(kept, last, root, report) {
  const { origin, size } = kept;
  if (last && last.origin !== origin) report('log_replaced', size, `this log is ${last.origin}, you kept ${origin}`);
  else if (last && last.size < size) report('log_set_back', last.size + 1, `you kept a checkpoint of ${size} records`);
  else if (root !== kept.root) report('log_forked', size, 'the records up to this one are not those that you kept');
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

/** @param {Record<string, unknown>} values @param {(line: string) => void} out Returns the exit code. */
export async function runVerifier(values, out) {
  const { file, url, token, since, keys, save } = values;
  if ((typeof file === 'string') === (typeof url === 'string'))
    throw new Error('give --file <export> or --url <platform>');
  const chunks = typeof file === 'string' ? createReadStream(file) : await download(String(url), String(token));
  const kept = typeof since === 'string' ? [parseCheckpoint(readFileSync(since, 'utf8'))] : [];
  const trusted = typeof keys === 'string' ? { keys: readFileSync(keys, 'utf8').split('\n').filter(Boolean) } : {};
  const outcome = await verifyAuditLog({ lines: linesOf(chunks), kept, ...trusted });
  for (const { kind, sequence, message } of outcome.findings) out(`${kind} ${sequence}: ${message}`);
  if (outcome.ownKeys) out('The keys are those that the platform names: give --keys <file> with keys that you trust.');
  out(`${outcome.records} records, ${outcome.findings.length} findings`);
  if (outcome.findings.length > 0) return 1;
  if (typeof save === 'string') writeFileSync(save, outcome.checkpoint);
  return 0;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const text = /** @type {const} */ ({ type: 'string' });
  try {
    const options = { file: text, url: text, token: text, since: text, keys: text, save: text };
    process.exitCode = await runVerifier(parseArgs({ options }).values, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`verify-audit-log: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}

import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../src/domain/checkpoints/checkpoint.ts';
import { signedBy, verifierKey } from '../src/domain/checkpoints/signed-note.ts';
import { emptyRange, extendRange, rootOf } from '../src/domain/tree/compact-range.ts';
import { isConsistent } from '../src/domain/tree/is-consistent.ts';
import { leafHash } from '../src/domain/tree/tree-hash.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { rootFromProof } from './root-from-proof.ts';
import { someEvents } from './some-events.ts';

const prefix = '/platform-application/api/v1/audit';
const total = 66_200;

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;
const checkpoints: string[] = [];

/** More than 256 × 256 records, so that tiles of three levels have hashes. */
beforeAll(async () => {
  rig = await createAuditRig();
  for (const count of [5, 300, 65_000, 895]) {
    const outcome = await rig.record.append(someEvents(count, `batch of ${count}`));
    checkpoints.push(outcome.checkpoint);
  }
  audit = await rig.start();
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const get = (path: string, role: BuiltInRole = 'Auditors') =>
  audit.client.get(`${prefix}/${path}`, { bearer: rig.token(role) });
const bytesOf = async (path: string) => {
  const answer = await get(path);
  expect(answer.status, answer.text).toBe(200);
  return Buffer.from(answer.bytes);
};
const hashesIn = (tile: Buffer) =>
  Array.from({ length: tile.length / 32 }, (_, index) => tile.subarray(index * 32, (index + 1) * 32));
const rootOver = (hashes: readonly Buffer[]) => rootOf(extendRange(emptyRange, hashes).range);
const checkpointOf = (note: string) => existing(parseCheckpoint(note));
const base64Lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => Buffer.from(line, 'base64'));

describe('the checkpoint', () => {
  it('is served as it was signed, and its key as a verifier key', async () => {
    const note = (await get('checkpoint')).text;
    expect(note).toBe(checkpoints.at(-1));
    const { origin, size } = checkpointOf(note);
    expect(size).toBe(total);
    expect((await get('keys')).text).toBe(`${verifierKey(origin, rig.record.signer.publicKey)}\n`);
    expect(signedBy(note, origin, rig.record.trusted)).toBe(rig.record.signer.publicKey);
  });
});

describe('tiles', () => {
  it('of the three levels have the root of the checkpoint', async () => {
    const { root } = checkpointOf(existing(checkpoints.at(-1)));
    const [leaves, first, second] = [total % 256, Math.floor(total / 256), Math.floor(total / 65_536)];
    const top = hashesIn(await bytesOf(`tile/2/000.p/${second}`));
    const middle = hashesIn(await bytesOf(`tile/1/001.p/${first - 256}`));
    const bottom = hashesIn(await bytesOf(`tile/0/258.p/${leaves}`));
    expect([top.length, middle.length, bottom.length]).toEqual([1, 2, 152]);
    const nodes = [
      ...top,
      ...extendRange(emptyRange, middle).range.nodes,
      ...extendRange(emptyRange, bottom).range.nodes,
    ];
    expect(rootOf({ size: total, nodes })).toEqual(root);
  });

  it('are the hashes of the tiles below them, and those of the entries', async () => {
    const top = hashesIn(await bytesOf('tile/2/000.p/1'));
    const middle = await bytesOf('tile/1/000');
    expect(middle).toHaveLength(256 * 32);
    expect(rootOver(hashesIn(middle))).toEqual(top[0]);
    const bottom = await bytesOf('tile/0/003');
    expect(rootOver(hashesIn(bottom))).toEqual(hashesIn(middle)[3]);
    const entries = await bytesOf('tile/entries/003');
    const leaves: string[] = [];
    for (let at = 0; at < entries.length;) {
      const length = entries.readUInt16BE(at);
      leaves.push(entries.subarray(at + 2, at + 2 + length).toString());
      at += 2 + length;
    }
    expect(leaves.map(leafHash)).toEqual(hashesIn(bottom));
    expect(leaves.map((leaf) => (JSON.parse(leaf) as { sequence: number }).sequence)).toEqual(
      Array.from({ length: 256 }, (_, index) => 3 * 256 + index + 1),
    );
    expect(entries.subarray(0, 2_000)).toEqual((await bytesOf('tile/entries/003.p/9')).subarray(0, 2_000));
  });

  it('never change, and say so', async () => {
    expect((await get('tile/0/000')).headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect((await get('tile/0/000')).headers.get('content-type')).toBe('application/octet-stream');
    expect((await get('checkpoint')).headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    '0/258',
    '0/258.p/153',
    '0/259',
    '1/001',
    '2/000',
    '3/000',
    'entries/258',
    'entries/x999/999',
    '7/x999/x999/x999/999',
  ])('%s, which the tree does not have yet, is not found', async (path) => {
    const answer = await get(`tile/${path}`);
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'audit_tile_unknown']);
  });

  it.each([
    '8/000',
    '-1/000',
    '00/000',
    '0/0',
    '0/0000',
    '0/x000/000',
    '0/x1/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/257',
    '0/000.p/01',
    'entries/000.p',
    '0/001/067',
    'data/000',
    '0',
    '0/',
    '0/x001/x001/x001/x001/001',
    '0/%2e%2e',
    'é/000',
  ])('%s is not the address of a tile', async (path) => {
    const answer = await get(`tile/${path}`);
    expect([400, 404]).toContain(answer.status);
    expect(['validation_failed', 'route_not_found']).toContain((answer.json() as { code: string }).code);
  });
});

describe('the proof of a record', () => {
  it.each([1, 2, 256, 257, 305, 65_536, 65_537, 66_199, total])('number %i leads to the root', async (sequence) => {
    const [id] = await rig.record.db('audit.records').where({ sequence }).pluck<string[]>('id');
    const answer = await get(`logs/${id}/proof`);
    const [head = '', ...rest] = answer.text.split('\n\n');
    const [version, index, ...hashes] = head.split('\n');
    expect([version, index]).toEqual(['c2sp.org/tlog-proof@v1', `index ${sequence - 1}`]);
    expect(rest.join('\n\n')).toBe(checkpoints.at(-1));
    const tile = String(Math.floor((sequence - 1) / 256)).padStart(3, '0');
    const width = Math.min(256, total - Number(tile) * 256);
    const leaves = hashesIn(await bytesOf(`tile/0/${tile}${width < 256 ? `.p/${width}` : ''}`));
    const leaf = existing(leaves[(sequence - 1) % 256]);
    const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
    expect(rootFromProof({ leaf, index: sequence - 1, size: total, proof })).toEqual(
      checkpointOf(existing(checkpoints.at(-1))).root,
    );
  });

  it('is refused for a record that does not exist, and for what is no id', async () => {
    const unknown = await get('logs/019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f/proof');
    expect([unknown.status, (unknown.json() as { code: string }).code]).toEqual([404, 'audit_record_unknown']);
    expect((await get("logs/x';--/proof")).status).toBe(400);
  });
});

describe('the proof of consistency', () => {
  it('shows for every two checkpoints that the later one continues the earlier one', async () => {
    const known = checkpoints.map(checkpointOf);
    for (const older of known) {
      for (const newer of known.filter(({ size }) => size >= older.size)) {
        const proof = base64Lines((await get(`consistency?from=${older.size}&to=${newer.size}`)).text);
        expect(isConsistent(older, newer, proof), `${older.size} to ${newer.size}`).toBe(true);
      }
    }
    expect((await get(`consistency?from=0&to=${total}`)).text).toBe('');
  });

  it.each([
    '',
    '?from=1',
    '?from=2&to=1',
    `?from=1&to=${total + 1}`,
    '?from=-1&to=1',
    '?from=1&to=1e3',
    '?from=1&from=2&to=3',
  ])('is refused for the sizes %j', async (query) => {
    const answer = await get(`consistency${query}`);
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([400, 'validation_failed']);
  });
});

describe('the export', () => {
  it('has every record in order, and the checkpoint and the keys at the end', async () => {
    const lines = (await get('export')).text.split('\n');
    expect(lines.pop()).toBe('');
    const key = verifierKey(checkpointOf(existing(checkpoints[0])).origin, rig.record.signer.publicKey);
    expect(JSON.parse(existing(lines.pop()))).toEqual({
      checkpoint: checkpoints.at(-1),
      keys: [key],
      validity: [{ key, from: 0, to: null }],
      cosigned: [],
      waiting: [],
    });
    expect(lines).toHaveLength(total);
    expect(JSON.parse(existing(lines[4]))).toMatchObject({
      sequence: 5,
      version: 2,
      dataoneUser: 'acme',
      entityId: '4',
    });
    expect(JSON.parse(existing(lines[2]))).toMatchObject({
      context: { address: '192.0.2.2', client: 'OpenSSH_10.0', port: 50_000, virtualFileSystem: 'partners' },
      producer: { number: 3, settled: 2 },
    });
  });
});

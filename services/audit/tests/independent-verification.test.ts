import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCheckpoint, verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { existing } from '@waybill/test-kit/values/existing';
import { openWitnessKey } from '@waybill/witness/witness-key';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteText } from '../src/domain/checkpoints/signed-note.ts';
import { commitmentsOf } from '../src/domain/records/personal-fields.ts';
import { cosignedExport } from './cosigned-export.ts';
import { batchesOf, honest, manipulations, signer } from './manipulations.ts';
import { startPythonVerifier } from './python-verifier.ts';
import { signedManipulations } from './signed-manipulations.ts';
import { createTestSigner, someEvents } from './some-events.ts';
import { exportOf, keyChange, writeLog } from './written-log.ts';

let folder: TestFolder;
let python: ReturnType<typeof startPythonVerifier>;

beforeAll(async () => {
  folder = await createTestFolder();
  python = startPythonVerifier();
});
afterAll(async () => {
  python.end();
  await folder.remove();
});

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What both verifiers find, which must be the same. */
async function findingsIn(
  lines: readonly string[],
  keys: readonly string[],
  kept: readonly string[] = [],
  cosigners: { witnesses: string[]; needed?: number } = { witnesses: [] },
): Promise<string[]> {
  const file = path.join(folder.path, 'export.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  const options = { keys: [...keys], kept: kept.map(parseCheckpoint), ...cosigners };
  const { findings } = await verifyAuditLog({ lines: linesOf(lines), ...options });
  const found = findings.map(({ kind, sequence }) => `${kind} ${sequence}`).toSorted();
  expect(await python.verify({ export: file, keys, kept, ...cosigners })).toEqual(found);
  return found;
}

describe('an honest log', () => {
  it('of any size and any number of batches has no findings in either verifier', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }), async (counts) => {
        const log = writeLog(batchesOf(...counts), createTestSigner());
        expect(await findingsIn(exportOf(log), log.keys, log.checkpoints)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('with any text in its records has no findings in either verifier', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const [event] = someEvents(1);
        const context = { address: text, port: 22, client: text, zeta: text, virtualFileSystem: `${text}\u0001` };
        const producer = { id: text, number: 4, settled: 3, voided: [1, 3, 2] };
        const payload = {
          ...existing(event).payload,
          dataoneUser: text,
          entityName: text,
          entityType: text,
          context,
          producer,
        };
        const log = writeLog([[{ id: existing(event).id, payload }]], createTestSigner());
        expect(await findingsIn(exportOf(log), log.keys)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('with a change of keys has no findings, and its older checkpoints neither', async () => {
    const [first, second] = [createTestSigner(), createTestSigner()];
    const before = writeLog(batchesOf(3, 4), first);
    const log = writeLog([[keyChange(before, first, second), ...someEvents(2)], someEvents(5)], second, before);
    expect(await findingsIn(exportOf(log), log.keys, log.checkpoints)).toEqual([]);
  });
});

describe('a manipulated log', () => {
  it.each([...manipulations, ...signedManipulations])(
    'with %s is found by both verifiers, at the same place',
    async (_name, manipulate, expected) => {
      const log = honest();
      const [keys, kept] = [[...log.keys], existing(log.checkpoints[2])];
      manipulate(log);
      const trusted = log.origin === 'waybill/manager1/00' ? keys : [...keys, ...log.keys];
      expect(await findingsIn(exportOf(log), trusted, [kept])).toEqual(expected);
    },
  );

  it('is in the table of the documentation, with what is found', async () => {
    const page = await readFile(new URL('../../../docs/audit-log.md', import.meta.url), 'utf8');
    const section = page.split(/^## /mu).find((part) => part.startsWith('Manipulations'));
    const rows = [...existing(section).matchAll(/^\| (.*?) +\| (`.*?) +\|$/gmu)];
    const documented = rows.map(([, name = '', findings = '']) => [name, findings.replaceAll('`', '').split(', ')]);
    expect(documented).toEqual(
      [...manipulations, ...signedManipulations].map(([name, , findings]) => [name, findings]),
    );
  });

  it('that a retired key has signed is found, with and without a record that names it', async () => {
    const second = createTestSigner();
    const before = honest();
    const log = writeLog([[keyChange(before, signer, second), ...someEvents(4)]], second, before);
    const secret = writeLog([someEvents(5, 'forged')], signer, log);
    expect(await findingsIn(exportOf(secret), log.keys)).toEqual(['key_retired 50']);
    const open = writeLog([[keyChange(log, second, signer), ...someEvents(4, 'forged')]], signer, log);
    expect(await findingsIn(exportOf(open), log.keys)).toEqual(['key_retired 46']);
  });

  it.each([
    ['a value and its commitment', { entityId: 'x' }, ['entityId']],
    ['a value of the context and its commitment', { context: { address: '203.0.113.9' } }, ['address']],
    ['a commitment without a value', { entityId: undefined }, []],
    ['a commitment of another record', { entityId: undefined, commitments: { entityId: 'ab'.repeat(32) } }, []],
    ['a commitment that is no text', { commitments: { entityId: [[{}]] } }, []],
    ['no salt', { salt: undefined }, []],
    ['another salt', { salt: 'ab'.repeat(16) }, []],
    ['a context in the former version', { version: 1, context: { address: 'x' } }, []],
    ['values and their hash in the former version', { version: 1, commitments: { personalHash: '' } }, []],
  ] as const)('that shows %s is found', async (_what, changed, committed) => {
    const log = honest();
    const lines = exportOf(log);
    const all: Record<string, string> = commitmentsOf(existing(log.records[35]));
    const commitments = Object.fromEntries(committed.map((name) => [name, all[name]]));
    const given = { ...JSON.parse(existing(lines[35])), ...(committed.length > 0 && { commitments }), ...changed };
    expect(await findingsIn(lines.with(35, JSON.stringify(given)), log.keys)).toEqual(
      expect.arrayContaining(['record_altered 36', 'root_mismatch 1']),
    );
  });

  it('without its end is found', async () => {
    const lines = exportOf(honest());
    expect(await findingsIn(lines.slice(0, -1), honest().keys)).toEqual(['checkpoint_missing 40']);
    expect(await findingsIn(['{', ...lines], honest().keys)).toContain('not_a_record 1');
  });
});

describe('a log with cosignatures', () => {
  it('has no findings if enough of the named witnesses have cosigned it, at the same or at different sizes', async () => {
    const [one, two] = [await cosigner('w1'), await cosigner('w2')];
    const log = writeLog(batchesOf(7, 9, 4), createTestSigner());
    const lines = cosignedExport(log, [
      { index: 0, by: [one] },
      { index: 1, by: [two] },
    ]);
    const witnesses = [one.verifierKey, two.verifierKey];
    expect(await findingsIn(lines, log.keys, [], { witnesses })).toEqual([]);
    const last = cosignedExport(log, [{ index: 2, by: [one, two] }]);
    expect(await findingsIn(last, log.keys, [], { witnesses })).toEqual([]);
    const stranger = (await cosigner('w3')).verifierKey;
    expect(await findingsIn(lines, log.keys, [], { witnesses: [...witnesses, stranger], needed: 2 })).toEqual([]);
    expect(await findingsIn(lines, log.keys, [], { witnesses: [...witnesses, stranger] })).toEqual([
      'cosignatures_missing 20',
    ]);
    expect(await findingsIn(exportOf(log), log.keys, [], { witnesses, needed: 1 })).toEqual([
      'cosignatures_missing 20',
    ]);
  });

  it('is found without a cosignature that was forged, moved to another checkpoint or to another time', async () => {
    const one = await cosigner('w1');
    const log = writeLog(batchesOf(7, 9, 4), createTestSigner());
    const witnesses = [one.verifierKey];
    const good = cosignedExport(log, [{ index: 1, by: [one] }]);
    const other = one.cosign(existing(noteText(existing(log.checkpoints[0]))), new Date());
    const lineOf = (lines: readonly string[]) => existing(/— w1 [^\\]+/u.exec(existing(lines.at(-1))))[0];
    const later = Buffer.from(existing(lineOf(good).split(' ')[2]), 'base64');
    later.writeUInt8(later.readUInt8(11) ^ 1, 11);
    for (const line of [other.trimEnd(), `— w1 ${later.toString('base64')}`, '— w1 AAAA', '— w1 ????']) {
      const lines = good.map((each) => each.replace(lineOf(good), line));
      expect(await findingsIn(lines, log.keys, [], { witnesses })).toEqual(['cosignatures_missing 20']);
    }
  });

  it('that continues from an older state is found, because a witness has cosigned what was there', async () => {
    const one = await cosigner('w1');
    const signer = createTestSigner();
    const before = writeLog(batchesOf(7), signer);
    const log = writeLog(batchesOf(9), signer, before);
    const cosigned = JSON.parse(existing(cosignedExport(log, [{ index: 1, by: [one] }]).at(-1))).cosigned;
    const other = writeLog([someEvents(12, 'other')], signer, before);
    const lines = exportOf(other);
    const end = JSON.stringify({ ...JSON.parse(existing(lines.at(-1))), cosigned });
    const found = await findingsIn([...lines.slice(0, -1), end], log.keys, [], { witnesses: [one.verifierKey] });
    expect(found).toEqual(['cosignatures_missing 19', 'log_forked 16']);
    // An auditor who got the checkpoint from the witness needs no export that has it.
    const kept = cosigned[0].checkpoint;
    expect(await findingsIn(lines, log.keys, [kept])).toEqual(['log_forked 16']);
  });

  it('proves each size up to 40 to both verifiers', async () => {
    const one = await cosigner('w1');
    const log = writeLog(batchesOf(...Array.from({ length: 40 }, () => 1)), createTestSigner());
    for (const index of log.checkpoints.keys()) {
      const lines = cosignedExport(log, [{ index, by: [one] }]);
      expect(await findingsIn(lines, log.keys, [], { witnesses: [one.verifierKey] })).toEqual([]);
    }
  });
});

const cosigner = (name: string) => openWitnessKey(path.join(folder.path, `${name}.pem`), name);

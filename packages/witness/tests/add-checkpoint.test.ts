import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { existing } from '@waybill/test-kit/values/existing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cosignedAt, startTestWitness } from './running-witness.ts';
import { bodyOf, createTestLog, type TestLog } from './test-log.ts';

/** The example of a request in the specification (C2SP tlog-witness), whose log this witness does not know. */
const example = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`;

let log: TestLog;
let witness: Awaited<ReturnType<typeof startTestWitness>>;

beforeEach(async () => {
  log = createTestLog('example.org/log');
  log.grow(40);
  witness = await startTestWitness([log]);
});
afterEach(() => witness[Symbol.asyncDispose]());

const sizeIn = async () => (await witness.client.get(`/${log.originHash}/checkpoint`)).text.split('\n')[1];

describe('a checkpoint that continues the last one', () => {
  it('is cosigned, whatever the sizes are', async () => {
    let last = 0;
    for (const size of [0, 1, 1, 2, 3, 7, 8, 8, 13, 16, 31, 32, 33, 40]) {
      const answer = await witness.add(log.submission(last, size));
      expect([size, answer.status]).toEqual([size, 200]);
      expect(answer.text.split('\n')).toHaveLength(2);
      const at = cosignedAt(answer.text, witness.verifierKey, log.textOf(size));
      expect(Math.abs((at ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
      last = size;
    }
  });

  it('is stored before the answer, and served with the signatures of the log and of the witness', async () => {
    const { text: cosignature } = await witness.add(log.submission(0, 5));
    expect(await readFile(witness.stateFile, 'utf8')).toContain('example.org/log\\n5\\n');
    const served = await witness.client.get(`/${log.originHash}/checkpoint`);
    expect([served.status, served.text]).toEqual([200, log.checkpoint(5) + cosignature]);
  });

  it('is cosigned with signatures of unknown keys beside that of the log, which are not stored', async () => {
    const stranger = createTestLog('example.org/log');
    const foreign = stranger.signText(log.textOf(5)).split('\n\n')[1];
    const answer = await witness.add(bodyOf(0, [], `${log.checkpoint(5)}${foreign}`));
    expect(answer.status).toBe(200);
    expect((await witness.client.get(`/${log.originHash}/checkpoint`)).text).not.toContain(foreign);
  });

  it('is cosigned with extension lines, which are signed with it', async () => {
    const text = `${log.textOf(5)}extension\n`;
    const answer = await witness.add(bodyOf(0, [], log.signText(text)));
    expect(cosignedAt(answer.text, witness.verifierKey, text)).toBeTypeOf('number');
  });
});

describe('the answer is', () => {
  it('404 for an unknown origin, as to the request in the specification, which has the right form', async () => {
    expect((await witness.add(example)).status).toBe(404);
    expect((await witness.add(createTestLog('example.org/other').submission(0, 0))).status).toBe(404);
    expect((await witness.client.get(`/${hash('sha256', 'example.org/other')}/checkpoint`)).status).toBe(404);
    expect((await witness.client.get(`/${log.originHash}/checkpoint`)).status).toBe(404);
  });

  it('403 without a signature of a trusted key, and for one that does not verify beside a good one', async () => {
    const stranger = createTestLog('example.org/log');
    stranger.grow(5);
    expect((await witness.add(stranger.submission(0, 5))).status).toBe(403);
    const wrong = log.signText(log.textOf(4)).split('\n\n')[1];
    expect((await witness.add(bodyOf(0, [], `${log.checkpoint(5)}${wrong}`))).status).toBe(403);
    expect((await witness.add(bodyOf(0, [], log.checkpoint(5).replace('\n5\n', '\n6\n')))).status).toBe(403);
  });

  it('400 if the old size is larger than the checkpoint', async () => {
    expect((await witness.add(log.submission(6, 5))).status).toBe(400);
  });

  it('409 with the size of the last cosigned checkpoint if the old size is another one', async () => {
    const first = await witness.add(log.submission(3, 5));
    expect([first.status, first.text, first.headers.get('content-type')]).toEqual([409, '0\n', 'text/x.tlog.size']);
    await witness.add(log.submission(0, 7));
    const later = await witness.add(log.submission(0, 9));
    expect([later.status, later.text, later.headers.get('content-type')]).toEqual([409, '7\n', 'text/x.tlog.size']);
    expect((await witness.add(log.submission(0, 5))).text).toBe('7\n');
  });

  it('422 for a wrong proof, and nothing changes', async () => {
    await witness.add(log.submission(0, 7));
    const proof = log.prove(7, 12);
    const wrong = [[], proof.slice(1), [...proof, existing(proof[0])], proof.toReversed(), log.prove(6, 12)];
    for (const hashes of wrong) expect((await witness.add(bodyOf(7, hashes, log.checkpoint(12)))).status).toBe(422);
    expect(await sizeIn()).toBe('7');
    expect((await witness.add(log.submission(7, 12))).status).toBe(200);
  });

  it('422 for a proof with the first checkpoint, and for a size of zero with another root', async () => {
    expect((await witness.add(bodyOf(0, log.prove(3, 5), log.checkpoint(5)))).status).toBe(422);
    expect((await witness.add(bodyOf(0, [], log.checkpoint(0, hash('sha256', 'x', 'buffer'))))).status).toBe(422);
  });

  it('422 for another log of the same or a larger size, and both checkpoints are reported as evidence', async () => {
    await witness.add(log.submission(0, 7));
    const honest = log.checkpoint(7);
    log.rewrite(6);
    expect((await witness.add(log.submission(7, 7))).status).toBe(422);
    expect((await witness.add(log.submission(7, 12))).status).toBe(422);
    const [{ cosigned, submitted } = { cosigned: '', submitted: '' }] = witness.misbehaviors;
    expect(cosigned).toContain(honest);
    expect(submitted).toBe(log.checkpoint(7));
    expect(await sizeIn()).toBe('7');
  });
});

describe('concurrent requests', () => {
  it('of two sizes from the same old size: one is cosigned, the other learns the new size', async () => {
    await witness.add(log.submission(0, 2));
    for (let from = 2; from < 36;) {
      const answers = await Promise.all([from + 1, from + 2].map((to) => witness.add(log.submission(from, to))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const stored = Number(await sizeIn());
      expect(answers.find(({ status }) => status === 409)?.text).toBe(`${stored}\n`);
      expect(answers[stored - from - 1]?.status).toBe(200);
      from = stored;
    }
  });

  it('of two processes with one state: the older process writes nothing more', async () => {
    await witness.add(log.submission(0, 2));
    await using _other = await witness.openAnother();
    expect((await witness.add(log.submission(2, 5))).status).toBe(500);
    expect(await sizeIn()).toBe('2');
  });
});

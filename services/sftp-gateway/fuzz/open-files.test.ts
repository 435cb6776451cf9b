import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from '../tests/gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from '../tests/raw-sftp-client.ts';
import { FileModel } from './file-model.ts';
import { aimed, fileNames, firstSteps, sequence, type Expected, type Step } from './file-steps.ts';
import { closingSteps, Players } from './players.ts';

/** The full number takes minutes: `SEQUENCES=20000` after a change to open files. */
const sequences = Number(process.env['SEQUENCES'] ?? 2_000);
const pairs = 4;
/** For a machine with other load. */
const timeoutMs = Math.max(900_000, sequences * 500);

let rig: GatewayRig;
let gateway: RunningGateway;

beforeAll(async () => {
  rig = await createGatewayRig({ users: [{ name: 'colleague', password: 'colleague-demo' }] });
  gateway = await rig.start('peer1');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

test(
  `${sequences} sequences of two sessions over few names get the responses that the rules for open files require`,
  async () => {
    let folders = 0;
    let steps = 0;
    const answersFit = (clients: readonly RawSftpClient[]) =>
      fc.asyncProperty(sequence, async (random) => {
        folders += 1;
        const players = new Players(clients, `/data/${folders}`);
        await clients[0]?.ask({ type: 'mkdir', id: 1, path: players.at(''), attributes: {} });
        const model = new FileModel();
        const opened: number[] = [];
        const said: { step: Step; answer: Expected }[] = [];
        const expected: typeof said = [];
        let isAsExpected = true;
        // Comparing all steps after each of them would take more time than they do.
        const check = (): void => {
          if (!isAsExpected) expect(said).toEqual(expected);
        };
        const play = async (random: Step): Promise<void> => {
          const step = aimed(random, model.openHandles);
          steps += 1;
          const answer = await players.play(step);
          if (answer === 'handle') opened.push(step.session);
          said.push({ step, answer });
          const right = model.apply(step);
          expected.push({ step, answer: right });
          isAsExpected &&= answer === right;
        };
        for (const step of [...firstSteps, ...random]) {
          await play(step);
          check();
        }
        for (const step of closingSteps(opened)) await play(step);
        check();
        for (const path of fileNames) await play({ kind: 'stat', session: 1, path });
        check();
      });
    const run = async (): Promise<void> => {
      await using one = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
      await using other = await connectRawSftp({ port: gateway.sftpPort, user: 'colleague' });
      await fc.assert(answersFit([one, other]), { numRuns: Math.ceil(sequences / pairs) });
    };
    await Promise.all(Array.from({ length: pairs }, run));
    expect(steps).toBeGreaterThan(sequences * 8);
    expect(await rig.database.query('select from filebox.uploads')).toEqual([]);
  },
  timeoutMs,
);

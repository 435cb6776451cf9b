import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

describe('the task line-ends', () => {
  it.each([
    ['', '', '', 0],
    ['a\nb\r\nc\rd', 'a\nb\nc\nd', 'a\r\nb\r\nc\r\nd', 3],
    ['\r\r\n\n\r', '\n\n\n\n', '\r\n\r\n\r\n\r\n', 4],
    ['grün\r\n', 'grün\n', 'grün\r\n', 1],
  ])('converts CR, LF and CR LF: %j', async (text, lf, crlf, lines) => {
    await rig.deliver('/inbox/a', text);
    const given = { source: '/inbox/a', target: '/outbox/b' };
    expect(await rig.run('line-ends', given)).toMatchObject({ lines: String(lines) });
    expect(await rig.read('/outbox/b')).toBe(lf);
    await rig.run('line-ends', { ...given, to: 'crlf' });
    expect(await rig.read('/outbox/b')).toBe(crlf);
  });

  it('keeps CR LF together that two chunks divide', async () => {
    const half = 'x'.repeat(512 * 1024 - 1);
    await rig.deliver('/inbox/a', `${half}\r\n${half}\r\n`);
    expect(await rig.run('line-ends', { source: '/inbox/a', target: '/outbox/b' })).toMatchObject({ lines: '2' });
    expect(await rig.read('/outbox/b')).toBe(`${half}\n${half}\n`);
  });
});

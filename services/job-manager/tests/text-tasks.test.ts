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

describe('the task convert-charset', () => {
  const given = { source: '/inbox/a', target: '/outbox/b' };

  it.each([
    ['windows-1252', Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x80]), 'grün€'],
    ['utf-16le', Buffer.from('\ufeffgrün\u{1f600}', 'utf16le'), 'grün\u{1f600}'],
    ['utf-8', Buffer.from('\ufeffgrün'), 'grün'],
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['iso-8859-15', Buffer.alloc(0), ''],
  ])('converts %s to UTF-8', async (from, bytes, text) => {
    await rig.deliver('/inbox/a', bytes);
    expect(await rig.run('convert-charset', { ...given, from })).toMatchObject({ path: '/outbox/b' });
    expect(await rig.read('/outbox/b')).toBe(text);
  });

  it('keeps characters together that two chunks divide', async () => {
    const text = `x${'\u{1f600}'.repeat(300_000)}`;
    await rig.deliver('/inbox/a', Buffer.from(text, 'utf16le'));
    await rig.run('convert-charset', { ...given, from: 'utf-16le' });
    expect(await rig.read('/outbox/b')).toBe(text);
  });

  it('writes nothing of a file in another charset, unless its bytes are to be replaced', async () => {
    await rig.deliver('/inbox/a', Buffer.from([0x61, 0xff, 0x62]));
    const target = '/outbox/not-utf-8';
    const failing = rig.run('convert-charset', { ...given, target, from: 'utf-8' });
    await expect(failing).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('utf-8'),
    });
    expect(await rig.read(target)).toBeUndefined();
    await rig.run('convert-charset', { ...given, target, from: 'utf-8', invalid: 'replace' });
    expect(await rig.read(target)).toBe('a\ufffdb');
  });

  it('refuses a charset that does not exist when the workflow is saved', async () => {
    await expect(rig.run('convert-charset', { ...given, from: 'klingon' })).rejects.toThrow('must be a charset');
  });
});

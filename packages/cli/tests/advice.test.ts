import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorCodes } from '@waybill/contracts/errors/error-codes';
import { PlatformError } from '@waybill/platform-client/platform-error';
import { describe, expect, it } from 'vitest';
import { adviceFor, inWordsForPeople, inWordsOfCommands } from '../src/command-line/advice.ts';

describe('remedies in words for people', () => {
  it('name no part of an answer', () => {
    const named = Object.values(errorCodes)
      .map(({ remedy }) => inWordsForPeople(remedy))
      .filter((text) => /`(?:errors|detail)`/u.test(text));
    expect(named).toEqual([]);
  });

  it('stay sentences', () => {
    expect(inWordsForPeople(errorCodes.validation_failed.remedy)).toBe('Correct what is listed above.');
    expect(inWordsForPeople(errorCodes.ssh_key_refused.remedy)).toBe('Correct what is said above.');
  });
});

describe('errors of the API', () => {
  it('name commands instead of addresses', () => {
    expect(inWordsOfCommands('Change your own password with auth/password, which needs the present one')).toBe(
      'Change your own password with `waybill password`, which needs the present one',
    );
    expect(inWordsOfCommands('Remove it with auth/second-factor/remove')).toBe(
      'Remove it with `waybill second-factor disable`',
    );
  });

  it('ask for the actor of what is unique in its actor only', async () => {
    const unknown = new PlatformError('There is no Connection Contract x', { code: 'entity_unknown', status: 404 });
    const advised = async (...words: readonly string[]) =>
      await adviceFor(unknown, { who: 'waybill objects show', words, commands: {}, env: {} });
    expect(await advised('objects', 'show', 'connection-contracts', 'x')).toContain('name it with --actor');
    expect(await advised('objects', 'show', 'connection-contracts', 'x', '--actor', 'acme')).not.toContain('--actor');
    expect(await advised('objects', 'show', 'users', 'x')).not.toContain('--actor');
  });

  it('say what is missing when a role does not permit something', () => {
    expect(inWordsForPeople(errorCodes.not_permitted.remedy)).toBe(
      'Ask an administrator for the permission or the actor that is named, unless the sentence above says what to do.',
    );
  });
});

describe('a login that has ended', () => {
  const ended = new PlatformError('the login has ended', { code: 'not_authenticated', status: 401 });
  const advised = async (contexts: object, current: object, words: readonly string[] = [], who = 'waybill status') => {
    const home = await mkdtemp(path.join(tmpdir(), 'waybill-advice-'));
    try {
      await mkdir(path.join(home, '.config', 'waybill'), { recursive: true });
      const file = path.join(home, '.config', 'waybill', 'contexts.json');
      await writeFile(file, JSON.stringify({ current, contexts }), { mode: 0o600 });
      return await adviceFor(ended, { who, words, commands: {}, env: { HOME: home } });
    } finally {
      await rm(home, { recursive: true });
    }
  };
  const [name, url] = ['admin@files.example:9443', 'https://files.example:9443'];

  it('is renewed by a whole command', async () => {
    const contexts = { [name]: { side: 'manager', url, user: 'admin' } };
    const expected = `Log in again: \`waybill login --url ${url} --user admin\`.`;
    expect(await advised(contexts, { manager: name })).toBe(expected);
    expect(await advised(contexts, {}, ['--context', name])).toBe(expected);
    expect(await advised(contexts, {}, [`--context=${name}`])).toBe(expected);
  });

  it('keeps its name, and is that of a partner for files', async () => {
    const contexts = { prod: { side: 'partner', url, user: "o'brien x" } };
    expect(await advised(contexts, { partner: 'prod' }, [], 'waybill files ls')).toBe(
      `Log in again: \`waybill login --url ${url} --user 'o'\\''brien x' --context prod --partner\`.`,
    );
  });

  it.each([
    ['without a context', {}, {}],
    ['of a file that is damaged', { x: 1 }, { manager: 'x' }],
    ['with a name that objects have', {}, { manager: 'constructor' }],
  ])('%s is renewed by a command to complete', async (_, contexts, current) => {
    expect(await advised(contexts, current)).toBe('Log in again: `waybill login --url <platform> --user <name>`.');
  });

  it('shows no character that moves the cursor of a terminal', async () => {
    const contexts = { 'a\u001B[2J': { side: 'manager', url, user: 'admin' } };
    expect(await advised(contexts, { manager: 'a\u001B[2J' })).not.toContain('\u001B');
  });

  it('of an access token needs another one', async () => {
    expect(await advised({}, {}, ['--url', url])).toBe(
      'Give another access token or API key with --token <file> or WAYBILL_TOKEN.',
    );
  });
});

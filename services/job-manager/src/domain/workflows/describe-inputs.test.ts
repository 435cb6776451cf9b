import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testJob } from '../../../tests/test-job.ts';
import type { Job } from '../jobs/job.ts';
import { describeInputs } from './describe-inputs.ts';
import { namesSecret } from './mask-secrets.ts';

/** What is shown of the parameters `given` to a task with this schema. */
function shown(
  given: Record<string, string>,
  variables: Job['variables'] = {},
  schema: z.ZodType = z.strictObject({}),
) {
  const step = {
    name: 'send',
    uses: 'write-file',
    with: given,
    retry: { attempts: 1, delaySeconds: 0 },
    timeoutSeconds: 1,
  } as const;
  return describeInputs({ job: testJob({ variables }), step, done: new Map(), schema });
}

describe('the shown inputs of a step', () => {
  it('are its evaluated parameters', () => {
    const { inputs } = shown({ path: '/out/${{ variables.name }}', plain: 'text' }, { name: 'march' });
    expect(inputs).toEqual({ path: '/out/march', plain: 'text' });
  });

  it.each([
    ['a secret variable', '${{ variables.password }}', '******'],
    ['a secret variable within a text', 'https://acme:${{ variables.password }}@host', 'https://acme:******@host'],
    ['a secret member', '${{ variables.partner.apiKey }}', '******'],
    ['a member of a secret', '${{ variables.credentials.user }}', '******'],
    ['an object with a secret', '${{ variables.partner }}', '{"host":"sftp","apiKey":"******"}'],
    ['every variable', 'all: ${{ variables.list }}', 'all: [{"token":"******"}]'],
    ['the secret itself in a text', 'use hunter-2', 'use ******'],
    ['another variable with the same value', '${{ variables.copy }}', '******'],
  ])('mask %s', (_, template, text) => {
    const variables = {
      password: 'hunter-2',
      copy: 'hunter-2',
      partner: { host: 'sftp', apiKey: 'abcd-efgh' },
      credentials: { user: 'acme-login' },
      list: [{ token: 12_345 }],
    };
    expect(shown({ text: template }, variables).inputs).toEqual({ text });
  });

  it('mask a parameter whose name or schema says that it is secret, also in messages', () => {
    const schema = z.strictObject({
      body: z
        .string()
        .min(1)
        .meta({ secret: true })
        .transform((text) => text.trim())
        .optional(),
      text: z.string().default('x').meta({ secret: true }).describe('described afterwards'),
      plain: z.string(),
    });
    const given = { body: 'of-body', text: 'of-text', plain: 'of-plain', clientSecret: 'of-${{ variables.a }}' };
    const { inputs, redact } = shown(given, { a: 'name' }, schema);
    expect(inputs).toEqual({ body: '******', text: '******', plain: 'of-plain', clientSecret: '******' });
    expect(redact.text('of-body of-text of-plain of-name')).toBe('****** ****** of-plain ******');
  });

  it('do not look for texts that are too short to be secrets, and mask the longer of two first', () => {
    const { redact } = shown({}, { pin: '123', key: 'abcd', token: 'abcdef' });
    expect(redact.text('123 abcd abcdef')).toBe('123 ****** ******');
  });

  it.each([
    [
      'in JSON',
      'zz"SEC\\RET',
      'The file {"a":"zz\\"SEC\\\\RET"} does not exist',
      'The file {"a":"******"} does not exist',
    ],
    [
      'in a path in another Unicode form',
      'Te\u0301st-Secret',
      'no folder /in/T\u00e9st-Secret',
      'no folder /in/******',
    ],
  ])('mask a secret %s', (_, password, message, expected) => {
    const { redact } = shown({}, { password });
    expect(redact.text(message)).toBe(expected);
    expect(redact.line(message)).toBe(expected);
  });

  it('show nothing of a job with more secrets than can be looked for', () => {
    const many = Object.fromEntries(Array.from({ length: 1_005 }, (_, index) => [`secret${index}`, `value-${index}`]));
    const { inputs } = shown(
      { text: 'a ${{ variables.copy }}' },
      { password: 'first-leak', copy: 'first-leak', ...many },
    );
    expect(inputs).toEqual({ text: '******' });
  });

  it('take no longer for long texts with many secrets', () => {
    const keys = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`key_${index}`, `abababab${index}`]));
    const before = process.cpuUsage();
    for (let time = 0; time < 10; time += 1)
      shown({ text: '${{ variables.text }}' }, { ...keys, text: 'ab'.repeat(480_000) });
    const { user, system } = process.cpuUsage(before);
    // It was a second and more for each.
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  it('leave a parameter as it is written that cannot be evaluated', () => {
    expect(shown({ text: '${{ variables.absent }}', broken: '${{' }).inputs).toEqual({
      text: '${{ variables.absent }}',
      broken: '${{',
    });
  });

  it('are one short line each that PostgreSQL can store, however long and strange the values are', () => {
    const long = 'x'.repeat(1024 * 1024);
    const { inputs } = shown(
      { text: '${{ variables.long }}'.repeat(10_000), odd: '${{ variables.odd }}', empty: '' },
      { long, odd: 'a\0b\n\ud800c' },
    );
    expect(inputs['text']).toBe(`${'x'.repeat(999)}…`);
    expect(inputs['odd']).toBe('a b \ufffdc');
    expect(inputs['empty']).toBe('');
  });

  it('never show the first part of a secret that would be cut', () => {
    const secret = 's'.repeat(2_000);
    expect(shown({ text: `${'x'.repeat(500)}\${{ variables.copy }}` }, { secret, copy: secret }).inputs['text']).toBe(
      `${'x'.repeat(500)}******`,
    );
  });
});

it('knows secrets by their names', () => {
  const secret = [
    'password',
    'PASSWD',
    'db_pwd',
    'clientSecret',
    'accessToken',
    'api-key',
    'apikey',
    'SSH_KEY',
    'keys',
  ];
  for (const name of [...secret, 'pin', 'authorization', 'Auth', 'setCookie', 'pass'])
    expect(namesSecret(name), name).toBe(true);
  for (const name of ['name', 'path', 'compass', 'spinner', 'author', 'keyword', 'passenger', 'text', '']) {
    expect(namesSecret(name), name).toBe(false);
  }
});

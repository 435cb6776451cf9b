import { describe, expect, it } from 'vitest';
import { matchingStep, newTotpSecret, otpauthUri, timeStepAt, toBase32, totpCode } from './totp.ts';

/** The secret of RFC 4226 appendix D and RFC 6238 appendix B. */
const secret = Buffer.from('12345678901234567890');

describe('a code', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %d s is that of RFC 6238 appendix B', (seconds, code) => {
    expect(totpCode(secret, timeStepAt(seconds * 1_000), 8)).toBe(code);
  });

  it('for the counters 0 to 9 is that of RFC 4226 appendix D', () => {
    expect(Array.from({ length: 10 }, (_, counter) => totpCode(secret, counter))).toEqual(
      '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '),
    );
  });

  it('is good in its step and one step before and after, and in no other', () => {
    const step = 1_000_000;
    const code = totpCode(secret, step);
    const at = (ahead: number) => matchingStep(secret, code, { nowMs: (step + ahead) * 30_000, after: 0 });
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined]);
  });

  it('is good once: neither it nor an earlier one is accepted after its step', () => {
    const nowMs = 3_000_000_000;
    const step = timeStepAt(nowMs);
    const accepted = (of: number, after: number) => matchingStep(secret, totpCode(secret, of), { nowMs, after });
    expect(accepted(step, step - 1)).toBe(step);
    expect(accepted(step, step)).toBeUndefined();
    expect(accepted(step - 1, step)).toBeUndefined();
    expect(accepted(step + 1, step)).toBe(step + 1);
  });

  it.each(['', '12345', '1234567', '12345a', ' 94287', '\u0661\u0662\u0663\u0664\u0665\u0666', '-12345', '1e5000'])(
    'is not %j',
    (text) => {
      expect(matchingStep(secret, text, { nowMs: 59_000, after: -1 })).toBeUndefined();
    },
  );
});

it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in Base32 is that of RFC 4648 section 10, without padding', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded);
});

it('a secret has 160 bits, and its address names the user whatever the name has', () => {
  const made = newTotpSecret();
  expect(made).toHaveLength(20);
  const uri = new URL(otpauthUri('a&secret=x?#/%', made));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Waybill:a&secret=x?#/%',
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: toBase32(made),
    issuer: 'Waybill',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

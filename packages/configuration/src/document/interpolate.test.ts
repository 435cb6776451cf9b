import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate } from './interpolate.ts';

function faultsOf(act: () => unknown): readonly { field: string; message: string }[] {
  try {
    act();
  } catch (error) {
    if (isCodedError(error, 'configuration_invalid')) return error.fields;
    throw error;
  }
  return [];
}

describe('interpolate', () => {
  it('replaces references in strings at any position', () => {
    const document = { users: [{ name: 'acme', password: '${PASSWORD:-demo}' }], note: 'at ${HOST}:${PORT:-22}!' };
    expect(interpolate(document, { HOST: 'here' })).toEqual({
      users: [{ name: 'acme', password: 'demo' }],
      note: 'at here:22!',
    });
    expect(interpolate(document, { HOST: '', PASSWORD: 'other', PORT: '' })).toEqual({
      users: [{ name: 'acme', password: 'other' }],
      note: 'at :22!',
    });
  });

  it('tells of each reference whether its value is a default', () => {
    const document = { users: [{ a: '${A:-x}', b: 'p${B:-x}', c: '${C:-x}', d: '${D}', e: '$${E:-x}', f: '${F:-}' }] };
    const places: string[] = [];
    const env = { A: 'x', B: '', C: 'kept', D: 'kept' };
    const used = (place: string, isDefault: boolean): unknown => places.push(`${place} ${isDefault}`);
    const given: string[] = [];
    const referred = (place: string, name: string, isGiven: boolean): unknown =>
      given.push(`${place} ${name} ${isGiven}`);
    interpolate(document, env, { sources: { defaults: new Set(['D', '']), used, referred } });
    expect(given).toEqual(
      ['a A true', 'b B false', 'c C true', 'd D true', 'f F false'].map((expected) => `users[0].${expected}`),
    );
    expect(places).toEqual(
      ['a false', 'b true', 'c false', 'd true', 'f true'].map((expected) => `users[0].${expected}`),
    );
  });

  it('does not change workflow expressions, keys, numbers and escaped references', () => {
    const document = { path: '${{ file.path }}/${{ variables.name }}', size: 5, '${KEY}': null, text: '$${HOME} $5' };
    expect(interpolate(document, { HOME: '/root' })).toEqual({ ...document, text: '${HOME} $5' });
  });

  it('names every place and variable that is missing, and no value', () => {
    const document = { actors: [{ users: [{ password: 'secret-${NOPE}' }, { password: '${not a name}' }] }] };
    const faults = faultsOf(() => interpolate(document, {}));
    expect(faults.map(({ field }) => field)).toEqual(['actors[0].users[0].password', 'actors[0].users[1].password']);
    expect(faults[0]?.message).toBe('environment variable NOPE is not set');
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  it('refuses a reference as a default, which would end in the middle', () => {
    const document = { password: '${OURS:-${THEIRS}}' };
    const fault = { field: 'password', message: 'the default of OURS is another reference: a default must be a text' };
    for (const env of [{}, { OURS: 'x', THEIRS: 'y' }]) {
      expect(faultsOf(() => interpolate(document, env))).toEqual([fault]);
    }
  });

  it('does not replace references in substituted values', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        fc.pre(value !== '');
        expect(interpolate('<${VALUE}>', { VALUE: value })).toBe(`<${value}>`);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { RequestFailure } from '../../api/request-failure.ts';
import { objectsOf, type NewPartner } from './new-partner.ts';
import { faultsOf } from './partner-faults.ts';

const blanks = 'has no blanks, slashes or colons';
const given: NewPartner = {
  actor: 'ac me',
  user: '',
  password: '',
  publicKey: '',
  files: 'fi les',
  folders: '/in',
  servers: [
    { cluster: 'one', server: 'sftp', contract: '' },
    { cluster: 'two', server: 'sftp', contract: 'con tract' },
    { cluster: 'two', server: 'web', contract: '' },
  ],
};
const refused = (...fields: readonly (readonly [field: string, message: string])[]) =>
  new RequestFailure(400, 'in words of the API', {
    code: 'validation_failed',
    errors: fields.map(([field, message]) => ({ field, message })),
  });

describe('a new partner', () => {
  it('gets a Connection Contract on each server, each with its own name', () => {
    expect(
      objectsOf({ ...given, actor: ' hooli ' })
        .slice(3)
        .map(({ object, create }) => [object.name, create?.['cluster'], create?.['server']]),
    ).toEqual([
      ['hooli-one-sftp', 'one', 'sftp'],
      ['con tract', 'two', 'sftp'],
      ['hooli-web', 'two', 'web'],
    ]);
  });

  it('that is refused says so once at each field that is wrong, and at that of the partner for the names that follow from it', () => {
    const faults = faultsOf(
      given,
      refused(
        ['changes[0].object.name', blanks],
        ['changes[1].object.name', blanks],
        ['changes[1].object.actor', blanks],
        ['changes[2].object.name', blanks],
        ['changes[3].object.name', blanks],
        ['changes[4].object.name', blanks],
        ['changes[1].create.password', 'is too short'],
        ['changes[1].create.publicKeys[0]', 'is no key'],
        ['changes[2].create.folders[0]', 'is no path'],
        ['changes[3].create.server', 'does not exist'],
      ),
    );
    expect(faults).toEqual({
      texts: {
        actor: blanks,
        user: undefined,
        password: 'is too short',
        publicKey: 'is no key',
        files: blanks,
        folders: 'is no path',
      },
      contracts: [undefined, blanks, undefined],
      servers: 'does not exist',
      failure: null,
    });
  });

  it('that is called as another object says so at the field of that name', () => {
    const taken = (place: string) =>
      new RequestFailure(409, 'taken', { code: 'entity_exists', errors: [{ field: place, message: 'exists' }] });
    expect(faultsOf(given, taken('changes[1]'))).toMatchObject({ texts: { actor: 'exists' }, failure: null });
    expect(faultsOf(given, taken('changes[2]'))).toMatchObject({ texts: { files: 'exists' }, failure: null });
    expect(faultsOf(given, taken('changes[4]'))).toMatchObject({ contracts: [undefined, 'exists', undefined] });
  });

  it('that is refused for something without a field says that in whole', () => {
    for (const failure of [refused(['changes[0].create.type', 'is wrong']), refused(['changes', 'x']), new Error('x')])
      expect(faultsOf(given, failure)).toMatchObject({ texts: { actor: undefined }, failure });
    expect(faultsOf(given, null).failure).toBe(null);
  });
});

import { describe, expect, it } from 'vitest';
import { wrongFieldsOf } from './explain.ts';

const question = { user: 'acme', protocol: 'SFTP', operation: 'download', path: '/outbox/x' };

describe('the fields of a question about access that are not sent', () => {
  it.each([
    ['a path without a leading slash', { path: 'outbox' }, ['path']],
    ['a path that ends with a slash', { path: '/outbox/' }, ['path']],
    ['a path out of the root', { path: '/../x' }, ['path']],
    ['an address that is half typed', { address: '10.0' }, ['address']],
    ['a user whose name cannot be one', { user: 'u'.repeat(300) }, ['user']],
    ['a hostile path', { path: '<img src=x>\0' }, ['path']],
  ])('are those with %s', (_what, typed, wrong) => expect(wrongFieldsOf({ ...question, ...typed })).toEqual(wrong));

  it.each([{}, { path: '/' }, { address: '10.0.0.5', server: 'sftp-server' }])('are none of %j', (typed) => {
    expect(wrongFieldsOf({ ...question, ...typed })).toEqual([]);
  });

  it('are not said of what is still empty', () => {
    expect(wrongFieldsOf({ ...question, user: '', path: '' })).toEqual([]);
  });
});

import type { Change } from '@waybill/directory/apply/change';
import { expect, it } from 'vitest';
import { describeConsequences } from './describe-consequences.ts';

const named = (change: Partial<Change>): Change => ({
  change: 'modified',
  entityType: 'External User',
  entityName: 'x',
  entityId: '7',
  fields: [],
  ...change,
});
const disabled = { before: { enabled: true }, after: { enabled: false } };
const enabled = { before: { enabled: false }, after: { enabled: true } };

it.each<readonly [string, Partial<Change>, string | undefined]>([
  ['a user with another password', { fields: ['password'] }, 'its sessions end that the new password would not let in'],
  [
    'a user with other networks and another end',
    { fields: ['expires', 'networks', 'maxSessions'] },
    'its sessions end that the new networks and expires would not let in',
  ],
  ['a user with other groups', { fields: ['groups'] }, undefined],
  ['a disabled user', { fields: ['enabled'], definitions: disabled }, 'its sessions end'],
  ['an enabled user', { fields: ['enabled'], definitions: enabled }, undefined],
  ['a deleted user', { change: 'deleted' }, 'its sessions end'],
  ['a new user', { change: 'created', fields: ['password'] }, undefined],
  [
    'a disabled group',
    { entityType: 'Group', definitions: disabled },
    'its members lose what names it, within a second',
  ],
  [
    'a group with other networks',
    { entityType: 'Group', fields: ['networks'] },
    'sessions of its members end that the new networks would not let in',
  ],
  [
    'a disabled Connection Contract',
    { entityType: 'Connection Contract', definitions: disabled },
    'its users lose what it connects, within a second',
  ],
  [
    'a disabled contract',
    { entityType: 'Contract', definitions: disabled },
    'no file and no time starts its jobs any more',
  ],
  ['a manager user with another password', { entityType: 'Internal User', fields: ['password'] }, 'its logins end'],
  ['a disabled manager user', { entityType: 'Internal User', definitions: disabled }, 'its logins end'],
  [
    'a file system with a lower limit',
    { entityType: 'VFS', definitions: { before: { limits: { files: 5, bytes: 1 } }, after: { limits: { files: 4 } } } },
    'what is stored beyond its new limits stays, and uploads are refused until there is room',
  ],
  [
    'a file system with its first limit',
    { entityType: 'VFS', definitions: { before: {}, after: { limits: { files: 4 } } } },
    'what is stored beyond its new limits stays, and uploads are refused until there is room',
  ],
  [
    'a file system with a higher limit, and without another one',
    { entityType: 'VFS', definitions: { before: { limits: { files: 4, bytes: 1 } }, after: { limits: { files: 5 } } } },
    undefined,
  ],
  ['a new file system with limits', { entityType: 'VFS', change: 'created' }, undefined],
  ['a queue', { entityType: 'Job Queue', change: 'deleted' }, undefined],
  ['a deleted actor', { entityType: 'Actor', change: 'deleted' }, 'its secrets are deleted, if it has any'],
])('%s', (_what, change, sentence) => {
  const { entityType } = named(change);
  expect(describeConsequences([named(change)], new Map())).toEqual(
    sentence === undefined ? [] : [`${entityType} x: ${sentence}`],
  );
});

it('files past a new retention are counted', () => {
  const retained = [named({ entityType: 'VFS', fields: ['retention', 'limits'] })];
  expect(describeConsequences(retained, new Map([['7', 2]]))).toEqual([
    'VFS x: 2 files are past its new retention, and deleted within about a minute',
  ]);
});

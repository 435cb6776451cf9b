import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import type { EntityTarget } from '../sources/entity-target.ts';
import { onlyEntity } from './only-entity.ts';

const user: EntityTarget = { entityType: 'External User', name: 'tom', actor: 'acme' };
const contract: EntityTarget = { entityType: 'Contract', name: 'orders', actor: 'acme' };
const template: EntityTarget = { entityType: 'Workflow Template', name: 'pack' };
const connection: EntityTarget = { entityType: 'Client Connection', name: 'to-globex', actor: 'acme' };
const system: EntityTarget = { entityType: 'VFS', name: 'files', actor: 'acme' };

const many = <Item>(item: (index: number) => Item, count = 300_000): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

function faultsOf(target: EntityTarget, settings: object) {
  try {
    onlyEntity(target, settings);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'validation_failed')) throw error;
    return error.fields;
  }
}

describe('settings with a great many errors', () => {
  it.each<[string, EntityTarget, object]>([
    ['a list', user, { publicKeys: many(() => 1) }],
    ['a list of objects', user, { publicKeys: many(() => ({})) }],
    ['actions', contract, { type: 'Input', actions: many(() => ({})) }],
    ['lists within lists', system, { acl: many(() => ({ path: '/', grants: many(() => ({}), 30) }), 9_000) }],
    ['a list of one of several kinds', connection, { type: 'sftp', host: 'h', hostKeys: many(() => 1) }],
    ['steps with errors', template, { steps: many(() => ({})) }],
    ['steps of a task that there is not', template, { steps: many((n) => ({ name: `s${n}`, uses: 'x' }), 20_000) }],
  ])('in %s are refused in a short time', (_, target, settings) => {
    onlyEntity(user, {});
    const before = process.threadCpuUsage().user;
    const faults = faultsOf(target, settings);
    const milliseconds = (process.threadCpuUsage().user - before) / 1_000;
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(1_001);
    expect(milliseconds).toBeLessThan(250);
  });

  it('list the first ones, and say that there are more', () => {
    const faults = faultsOf(user, { publicKeys: many(() => 1) });
    expect(faults[999]).toMatchObject({ field: 'publicKeys[999]' });
    expect(faults.slice(1_000)).toEqual([{ field: '', message: 'There are more errors, which are not counted' }]);
  });

  it('are counted as long as all are listed, and leave long lists without errors whole', () => {
    expect(faultsOf(user, { networks: many(() => 'x', 999) })).toHaveLength(999);
    const folders = many((n) => `/${n}`, 5_000);
    expect(onlyEntity(system, { folders }).configuration.actors[0]?.virtualFileSystems[0]?.folders).toEqual(folders);
  });
});

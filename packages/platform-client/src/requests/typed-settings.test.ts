import { partEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import { parts } from '@waybill/contracts/endpoints/administration/part-table';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { resources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { EndpointRequest } from './endpoint-call.ts';

// The compiler checks these types; `npm test -- types` fails where a body accepts a setting that there is none of.

type BodyOf<E extends EndpointContract> =
  EndpointRequest<E> extends { readonly body?: infer B } ? NonNullable<B> : never;

const users = resourceEndpoints(resources.users);
const keys = resourceEndpoints(resources['pgp-keys']);
const queues = resourceEndpoints(resources.queues);
const connections = resourceEndpoints(resources['client-connections']);
const servers = partEndpoints(parts.servers);

type NewUser = BodyOf<typeof users.create>;
type NewConnection = BodyOf<typeof connections.create>;
type WholeServer = BodyOf<typeof servers.replace>;

/** The settings of all kinds of a union. */
type MemberOf<T> = T extends unknown ? keyof T : never;

describe('the body of a POST or PUT', () => {
  it('has the settings of the kind of objects, its actor, its owner and what is noted of it, and no others', () => {
    type Settings = keyof z.input<typeof resources.users.schema>;
    expectTypeOf<keyof NewUser>().toEqualTypeOf<Settings | 'actor' | 'source' | 'lastLoginAt'>();
    expectTypeOf<keyof BodyOf<typeof queues.replace>>().toEqualTypeOf<
      keyof z.input<typeof resources.queues.schema> | 'source'
    >();
    expectTypeOf<'enabledd'>().not.toExtend<MemberOf<NewConnection>>();
    expectTypeOf<'host' | 'url' | 'bucket'>().toExtend<MemberOf<NewConnection>>();
    expectTypeOf<keyof WholeServer>().toEqualTypeOf<
      keyof z.input<typeof parts.servers.schema> | 'cluster' | 'actor' | 'source'
    >();
  });

  it('has what is needed, and values of the types of the settings', () => {
    expectTypeOf<{ name: 'ann'; actor: 'acme' }>().toExtend<NewUser>();
    expectTypeOf<{ actor: 'acme'; enabled: false; groups: ['sales'] }>().toExtend<BodyOf<typeof users.replace>>();
    expectTypeOf<{ name: 'ann' }>().not.toExtend<NewUser>();
    expectTypeOf<{ actor: 'acme'; enabled: 'no' }>().not.toExtend<NewUser>();
    expectTypeOf<{ actor: 'acme'; groups: null }>().not.toExtend<NewUser>();
    expectTypeOf<BodyOf<typeof keys.create>['actor']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<{ name: 'one'; protocol: 'SFTP' }>().not.toExtend<WholeServer>();
  });

  it('is unknown where the kind is known at run time only', () => {
    type Create = ReturnType<typeof resourceEndpoints<AdministeredResource>>['create'];
    expectTypeOf<z.input<Create['body']['schema']>>().toEqualTypeOf<unknown>();
  });

  it('is typed as the platform checks it', () => {
    const { schema } = users.create.body;
    expect(
      schema.safeParse({ name: 'ann', actor: 'acme', enabled: false, groups: ['sales'], source: null }).success,
    ).toBe(true);
    for (const wrong of [
      { name: 'ann' },
      { actor: 'acme', enabledd: true },
      { actor: 'acme', enabled: 'no' },
      { actor: 'acme', groups: null },
    ])
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
});

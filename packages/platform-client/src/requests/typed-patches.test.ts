import { partEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import { type AdministeredPart, parts } from '@waybill/contracts/endpoints/administration/part-table';
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

const { change: changeUser } = resourceEndpoints(resources.users);
const { change: changeQueue } = resourceEndpoints(resources.queues);
const { change: changeConnection } = resourceEndpoints(resources['client-connections']);
const { change: changeServer } = partEndpoints(parts.servers);

type UserPatch = BodyOf<typeof changeUser>;
type QueuePatch = BodyOf<typeof changeQueue>;
type ConnectionPatch = BodyOf<typeof changeConnection>;
type ServerPatch = BodyOf<typeof changeServer>;

/** The settings of all kinds of a union. */
type MemberOf<T> = T extends unknown ? keyof T : never;

describe('the body of a PATCH', () => {
  it('has the settings of the kind of objects, its actor and its owner, and no others', () => {
    type Settings = keyof z.input<typeof resources.users.schema>;
    expectTypeOf<keyof UserPatch>().toEqualTypeOf<Settings | 'actor' | 'source'>();
    expectTypeOf<keyof QueuePatch>().toEqualTypeOf<keyof z.input<typeof resources.queues.schema> | 'source'>();
    expectTypeOf<'enabledd'>().not.toExtend<keyof UserPatch>();
    expectTypeOf<'enabledd'>().not.toExtend<MemberOf<ConnectionPatch>>();
    expectTypeOf<'host' | 'url' | 'bucket'>().toExtend<MemberOf<ConnectionPatch>>();
    expectTypeOf<keyof ServerPatch>().toEqualTypeOf<
      keyof z.input<typeof parts.servers.schema> | 'cluster' | 'actor' | 'source'
    >();
  });

  it('comes with a query that names the object of a part', () => {
    type Query = EndpointRequest<typeof changeServer>['query'];
    expectTypeOf<{ cluster: string; dryRun: 'true' }>().toExtend<Query>();
    expectTypeOf<{ contract: string }>().not.toExtend<Query>();
  });

  it('has values of the types of the settings, each of which may be absent', () => {
    expectTypeOf<{ enabled: boolean }>().toExtend<UserPatch>();
    expectTypeOf<{ enabled: string }>().not.toExtend<UserPatch>();
    expectTypeOf<{ groups: string[] }>().toExtend<UserPatch>();
    expectTypeOf<{ groups: number[] }>().not.toExtend<UserPatch>();
    expectTypeOf<{ status: 'Enabled' }>().toExtend<QueuePatch>();
    expectTypeOf<{ status: 'On' }>().not.toExtend<QueuePatch>();
  });

  it('removes with null what may be absent, and nothing else', () => {
    expectTypeOf<{ groups: null }>().toExtend<UserPatch>();
    expectTypeOf<{ password: null }>().not.toExtend<UserPatch>();
    expectTypeOf<{ name: null }>().not.toExtend<UserPatch>();
    expectTypeOf<{ actor: null }>().not.toExtend<UserPatch>();
    expectTypeOf<{ cluster: null }>().not.toExtend<ServerPatch>();
  });

  it('is any object where the kind is known at run time only', () => {
    type OfObjects = ReturnType<typeof resourceEndpoints<AdministeredResource>>['change'];
    type OfParts = ReturnType<typeof partEndpoints<AdministeredPart>>['change'];
    expectTypeOf<BodyOf<OfObjects>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    expectTypeOf<BodyOf<OfParts>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
  });

  it('is typed as the interface documents it', () => {
    expect(changeUser.body.documented.safeParse({ enabled: false, groups: null, actor: 'acme' }).success).toBe(true);
    for (const wrong of [{ enabledd: false }, { enabled: 'no' }, { password: null }, { name: null }, { actor: null }])
      expect(changeUser.body.documented.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    expect(changeServer.body.documented.safeParse({ cluster: 'peers', maxSessions: 5 }).success).toBe(true);
    expect(changeServer.body.documented.safeParse({ cluster: null }).success).toBe(false);
  });
});

import { userNameSchema } from '@waybill/contracts/values/user-name';
import { describe, expect, it } from 'vitest';
import { createListExpiries, type ExpiringThing, type ExpiryMark } from './expiries.ts';

const now = Date.parse('2026-03-02T00:00:00Z');
const inDays = (days: number): Date => new Date(now + days * 86_400_000);
const thing = (name: string, actor: string | null, expiresAt: Date | undefined): ExpiringThing => ({
  kind: 'pgp-key',
  name,
  actor,
  detail: '',
  expiresAt,
});
const list = createListExpiries(() =>
  Promise.resolve([
    thing('valid', 'acme', inDays(31)),
    thing('soon', 'globex', inDays(30)),
    thing('now', null, inDays(0)),
    thing('damaged', 'acme', undefined),
  ]),
);
const by = (actors: readonly string[] | undefined) => ({
  userName: userNameSchema.parse('admin'),
  grants: [],
  roles: [],
  actors,
});

describe('what expires', () => {
  it('comes in the order of its end, with what cannot be read first, and says what is urgent', async () => {
    const found = (await list(by(undefined), {}, now)).map(({ expiry }) => expiry);
    expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'damaged expired',
      'now expired',
      'soon soon',
      'valid valid',
    ]);
    expect(found[0]?.expiresAt).toBeNull();
  });

  it('is limited to the actors that are reached and asked for, and to a number of days', async () => {
    const names = async (...given: Parameters<typeof list>) => (await list(...given)).map(({ expiry }) => expiry.name);
    expect(await names(by(['acme']), {}, now)).toEqual(['damaged', 'valid']);
    expect(await names(by([]), {}, now)).toEqual([]);
    expect(await names(by(undefined), { actor: 'globex' }, now)).toEqual(['soon']);
    expect(await names(by(undefined), { withinDays: 30 }, now)).toEqual(['damaged', 'now', 'soon']);
    expect(await names(by(undefined), { withinDays: 0 }, now)).toEqual(['damaged', 'now']);
  });

  it('comes page by page, each thing once, also with equal ends and names', async () => {
    const things = Array.from({ length: 7 }, (_, number) => ({
      ...thing(number < 4 ? 'same' : 'other', 'acme', inDays(1)),
      detail: `${number}`,
    }));
    const listEqual = createListExpiries(() => Promise.resolve(things.toReversed()));
    const details: string[] = [];
    let after: ExpiryMark | undefined;
    for (let page = 0; page < 4; page += 1) {
      const found = await listEqual(by(undefined), { after, limit: 2 }, now);
      details.push(...found.map(({ expiry }) => expiry.detail));
      after = found.at(-1)?.mark;
    }
    expect(details.slice(0, 3).toSorted()).toEqual(['4', '5', '6']);
    expect(details.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(await listEqual(by(undefined), { after, limit: 2 }, now)).toEqual([]);
  });
});

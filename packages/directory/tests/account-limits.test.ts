import { BlockList } from 'node:net';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { explainAccess } from '@waybill/directory/explain/explain-access';
import { openDirectory } from '@waybill/directory/open-directory';
import { isAllowedFrom } from '@waybill/directory/users/allowed-networks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;
const acme = userNameSchema.parse('acme');

beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

/** Sets networks and an expiry of `acme`. */
async function limit(limits: object): Promise<void> {
  const next = demoPlatform();
  Object.assign(next.actors[0]!.users[0]!, limits);
  await platform.apply(next);
}

const openNow = () => openDirectory({ db: platform.db, cacheMs: 0 });

const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '11.1.2.3', '2001:db8::1', 'nowhere'];

describe('a user', () => {
  it.each([
    ['without limits', {}, addresses],
    ['with networks', { networks: ['10.0.0.0/8'] }, ['10.1.2.3', '::ffff:10.1.2.3']],
    ['with one address', { networks: ['2001:DB8:0::1'] }, ['2001:db8::1']],
    [
      'with mapped networks',
      { networks: ['::ffff:10.0.0.0/104', '2001:db8::/32'] },
      ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1'],
    ],
    ['whose account expires later', { expires: '2999-12-31' }, addresses],
    ['whose account has expired', { expires: '2001-01-01' }, []],
  ])('%s logs in from these addresses alone', async (_what, limits, allowed) => {
    await limit(limits);
    const directory = openNow();
    const found = await Promise.all(addresses.map((from) => directory.verifyPartnerPassword(acme, 'demo', from)));
    expect(addresses.filter((_from, at) => found[at] !== undefined)).toEqual(allowed);
    const same = await Promise.all(addresses.map((from) => directory.authenticatePartnerUser(acme, 'demo', from)));
    expect(addresses.filter((_from, at) => same[at] !== undefined)).toEqual(allowed);
  });

  it('whose account has expired is not enabled, and reaches nothing', async () => {
    await limit({ expires: '2001-01-01' });
    const user = await openNow().findPartnerUser(acme);
    expect(user).toMatchObject({ enabled: false, expires: '2001-01-02T00:00:00.000Z' });
    const server = { cluster: 'cluster1', server: 'sftp-server' };
    await expect(openNow().openMounts({ id: String(user?.id) }, server)).rejects.toMatchObject({
      code: 'not_authenticated',
    });
  });

  it('with 1 000 networks is judged for many requests by setting them up once for each address', async () => {
    const networks = Array.from({ length: 1_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
    await limit({ networks });
    const setUp = vi.spyOn(BlockList.prototype, 'addSubnet');
    const verdicts = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const user = await openNow().findPartnerUser(acme);
      for (const address of ['10.3.231.9', '10.3.232.9'])
        verdicts.add(`${address} ${isAllowedFrom(user?.networks ?? [], address)}`);
    }
    const calls = setUp.mock.calls.length;
    setUp.mockRestore();
    expect([...verdicts]).toEqual(['10.3.231.9 true', '10.3.232.9 false']);
    expect(calls).toBe(2 * networks.length);
  });
});

describe('an explanation', () => {
  const others = { hasSecondFactor: async () => false, judgeAddress: async () => [], judgeLimits: async () => [] };
  const rulesFor = async (limits: object, address?: string) => {
    await limit(limits);
    const question = { user: acme, protocol: 'SFTP', operation: 'list', path: parseVirtualPath('/') } as const;
    const { allowed, rules } = await explainAccess(platform.db, { ...question, address }, others);
    const named = rules.filter(({ rule, allows }) => rule === 'network' || (rule === 'user' && !allows));
    return [allowed, ...named.map(({ rule, allows, why }) => `${rule} ${allows}: ${why}`)];
  };

  it('names the networks and the expiry of an account', async () => {
    const networks = ['192.0.2.0/24', '2001:db8::1'];
    const listed = 'the networks of user acme: 192.0.2.0/24, 2001:db8::1';
    expect(await rulesFor({ networks }, '192.0.2.9')).toEqual([true, `network true: 192.0.2.9 is in ${listed}`]);
    expect(await rulesFor({ networks }, '192.0.3.9')).toEqual([false, `network false: 192.0.3.9 is not in ${listed}`]);
    expect(await rulesFor({ networks })).toEqual([true, `network true: No address is given to compare with ${listed}`]);
    expect(await rulesFor({}, '192.0.3.9')).toEqual([true]);
    expect(await rulesFor({ expires: '2025-12-31' })).toEqual([
      false,
      'user false: The account of user acme of actor acme has expired at 2026-01-01T00:00:00.000Z',
    ]);
  });

  it('names ten networks at most', async () => {
    const networks = Array.from({ length: 12 }, (_, at) => `10.0.0.${at}`);
    expect(await rulesFor({ networks }, '10.0.0.11')).toEqual([
      true,
      expect.stringMatching(/ 10\.0\.0\.9 and 2 more$/u),
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { canonicalHost } from './canonical-host.ts';
import { createDestinationGuard, type DestinationRules } from './destination-guard.ts';

const guard = (rules: Partial<DestinationRules> = {}) =>
  createDestinationGuard({ allowedHosts: ['*'], allowedNetworks: [], ...rules });
const refused = { code: 'destination_refused' };

describe('without allowed networks, the guard refuses', () => {
  it.each([
    // Loopback and "this host", in every spelling that a resolver accepts.
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '0',
    '0.0.0.0',
    '[::1]',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::',
    'localhost',
    'LOCALHOST.',
    'app.localhost',
    // Private, shared, link-local.
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fdff::1',
    // Metadata services.
    '169.254.169.254',
    '169.254.170.2',
    '0xa9fea9fe',
    '2852039166',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    // IPv4 inside of IPv6.
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2606:4700::5efe:10.0.0.1',
    '2606:4700::200:5efe:c0a8:101',
    // Documentation, benchmarks, multicast, reserved.
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    'ff02::1',
    '4000::1',
    // No hosts at all.
    '',
    ' ',
    'a b',
    'fe80::1%eth0',
    'user@example.org',
    'example.org/path',
    'example.org:22',
    'example.org#x',
    'ex%61mple.org',
    '256.256.256.256',
    '1.2.3.4.5',
  ])('%s', async (host) => {
    const lookup = () => Promise.resolve(['127.0.0.1', '::1']);
    await expect(guard({ lookup }).addressesOf(host)).rejects.toMatchObject(refused);
  });
});

describe('the guard', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '64:ff9b::808:808', '::ffff:8.8.8.8'])(
    'allows the public address %s',
    async (address) => {
      expect(await guard().addressesOf(address)).toEqual([address]);
    },
  );

  it('judges what a name resolves to, and returns only what is allowed', async () => {
    const lookup = () => Promise.resolve(['10.0.0.5', '93.184.216.34', '::ffff:10.0.0.5']);
    expect(await guard({ lookup }).addressesOf('partner.example')).toEqual(['93.184.216.34']);
    const inside = () => Promise.resolve(['10.0.0.5', '169.254.169.254']);
    await expect(guard({ lookup: inside }).addressesOf('partner.example')).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('private and metadata'),
    });
  });

  it('allows networks that the operator names, and no more', async () => {
    const inside = guard({ allowedNetworks: ['10.20.0.0/16', 'fd12::/16'] });
    expect(await inside.addressesOf('10.20.3.4')).toEqual(['10.20.3.4']);
    expect(await inside.addressesOf('::ffff:10.20.3.4')).toEqual(['::ffff:10.20.3.4']);
    expect(await inside.addressesOf('fd12::9')).toEqual(['fd12::9']);
    await expect(inside.addressesOf('10.21.0.1')).rejects.toMatchObject(refused);
    await expect(inside.addressesOf('127.0.0.1')).rejects.toMatchObject(refused);
  });

  it('allows a metadata address only if it is named alone', async () => {
    const wide = guard({ allowedNetworks: ['169.254.0.0/16', '0.0.0.0/0', '::/0'] });
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '168.63.129.16']) {
      await expect(wide.addressesOf(address)).rejects.toMatchObject(refused);
    }
    const named = guard({ allowedNetworks: ['169.254.169.254/32'] });
    expect(await named.addressesOf('169.254.169.254')).toEqual(['169.254.169.254']);
  });

  it('keeps to the allowed hosts, in any case and spelling', async () => {
    const lookup = () => Promise.resolve(['93.184.216.34']);
    const few = guard({ allowedHosts: ['sftp.Acme.example', '*.globex.example', '8.8.8.8'], lookup });
    for (const host of [
      'SFTP.acme.example',
      'sftp.acme.example.',
      'a.globex.example',
      'a.b.globex.example',
      '8.8.8.8',
    ]) {
      expect(await few.addressesOf(host)).toHaveLength(1);
    }
    for (const host of ['acme.example', 'globex.example', 'evilglobex.example', 'globex.example.evil.org', '8.8.4.4']) {
      await expect(few.addressesOf(host)).rejects.toMatchObject(refused);
    }
  });

  it('says that a name cannot be resolved, which may pass', async () => {
    const failing = { lookup: () => Promise.reject(new Error('ENOTFOUND')) };
    await expect(guard(failing).addressesOf('a.example')).rejects.toMatchObject({ code: 'connection_failed' });
    const empty = { lookup: () => Promise.resolve([]) };
    await expect(guard(empty).addressesOf('a.example')).rejects.toMatchObject({ code: 'connection_failed' });
  });
});

it('writes names of other scripts in ASCII', () => {
  expect(canonicalHost('BÜCHER.example')).toBe('xn--bcher-kva.example');
});

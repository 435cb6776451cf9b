import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeRemembered } from '@waybill/local-platform/configuration/remembered-configuration';
import { recordProcess } from '@waybill/private-datastores/process-identity';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readItinerary } from './itinerary.ts';

describe('readItinerary', () => {
  it('uses the address of `npm start` by default', () => {
    expect(readItinerary([], { WAYBILL_DIR: '/nowhere' })).toMatchObject({
      http: 'http://127.0.0.1:8080',
      sftp: { host: '127.0.0.1', port: 2222 },
      keyFile: undefined,
      peers: ['peer1', 'peer2'],
    });
  });

  it('finds every service of the administrators at one address, unless they have their own', () => {
    const env = { WAYBILL_DIR: '/nowhere' };
    const [admin, audit] = ['https://127.0.0.1:9443', 'https://127.0.0.1:8084'];
    expect(readItinerary(['--admin', admin], env)).toMatchObject({ admin, audit: admin, gateway: admin });
    expect(readItinerary(['--admin', admin, '--audit', audit], env)).toMatchObject({ admin, audit, gateway: admin });
  });

  it('follows the ports of `npm start`', () => {
    expect(readItinerary([], { WAYBILL_EDGE_PORT: '9080', WAYBILL_SFTP_PORT: '9022' })).toMatchObject({
      http: 'http://127.0.0.1:9080',
      sftp: { port: 9022 },
    });
    expect(readItinerary([], { WAYBILL_BASE_PORT: '9000' })).toMatchObject({
      http: 'http://127.0.0.1:9000',
      sftp: { port: 9001 },
    });
  });

  it('finds what `npm start` has started here, on any ports, while it runs', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waybill-tour-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['run', 'environments']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'environments', 'tour.env'), 'WAYBILL_EDGE_PORT=9080\nWAYBILL_SFTP_PORT=9022\n');
    const env = { WAYBILL_DIR: folder };
    expect(readItinerary([], env)).toMatchObject({ http: 'http://127.0.0.1:8080', keyFile: undefined });
    recordProcess(path.join(folder, 'run', 'platform.pid'), process.pid);
    expect(readItinerary([], env)).toMatchObject({
      http: 'http://127.0.0.1:9080',
      sftp: { host: '127.0.0.1', port: 9022 },
      keyFile: path.join(folder, 'keys', 'acme'),
    });
    expect(readItinerary([], { ...env, WAYBILL_BASE_PORT: '9500' })).toMatchObject({ http: 'http://127.0.0.1:9500' });
    expect(readItinerary(['--http', 'http://mft.example'], env)).toMatchObject({ http: 'http://mft.example' });
  });

  it('uses passwords from the environment, else those that `npm start` remembers for its platform, else those of the demo', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waybill-tour-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['run', 'environments']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'environments', 'tour.env'), 'WAYBILL_EDGE_PORT=9080\nWAYBILL_SFTP_PORT=9022\n');
    writeFileSync(path.join(folder, 'acme'), 'remembered\n');
    writeRemembered(path.join(folder, 'configuration.json'), {
      file: '/platform.yaml',
      variables: { ACME_PASSWORD: path.join(folder, 'acme') },
    });
    recordProcess(path.join(folder, 'run', 'platform.pid'), process.pid);
    const passwordsOf = (args: string[], env: Record<string, string> = {}) => {
      const { acme, admin } = readItinerary(args, { ...env, WAYBILL_DIR: folder }).passwords;
      return [acme.password, admin.password];
    };
    expect(passwordsOf([])).toEqual(['remembered', 'admin-demo']);
    expect(passwordsOf(['--http', 'http://mft.example'])).toEqual(['acme-demo', 'admin-demo']);
    expect(passwordsOf(['--sftp', 'mft.example:9022'])).toEqual(['acme-demo', 'admin-demo']);
    expect(passwordsOf([], { ACME_PASSWORD: 'given', ADMIN_PASSWORD: '' })).toEqual(['given', 'admin-demo']);
    rmSync(path.join(folder, 'acme'));
    expect(() => passwordsOf([])).toThrow(/^The password of acme is not known .+ give it with ACME_PASSWORD=/u);
  });

  it('uses the addresses of the command line', () => {
    const args = ['--http', 'http://mft.example:80', '--sftp', 'mft.example:22', '--peers', 'left,right'];
    expect(readItinerary(args, { WAYBILL_EDGE_PORT: '9080' })).toMatchObject({
      http: 'http://mft.example:80',
      sftp: { host: 'mft.example', port: 22 },
      peers: ['left', 'right'],
      admin: 'http://mft.example:80',
    });
  });

  it('separates the two sides, and takes passwords from the environment', () => {
    const args = ['--http', 'https://mft.example:8443', '--admin', 'https://mft.example:9443'];
    expect(readItinerary(args, { ADMIN_PASSWORD: 'a', ACME_PASSWORD: '' })).toMatchObject({
      http: 'https://mft.example:8443',
      admin: 'https://mft.example:9443',
      passwords: { admin: { password: 'a' }, acme: { password: 'acme-demo' } },
    });
  });

  it.each([[['--htp', 'x']], [['somewhere']], [['--key', '/no/such/key']]])('refuses %j', (args) => {
    expect(() => readItinerary(args, {})).toThrow(/Usage|There is no key/u);
  });
});

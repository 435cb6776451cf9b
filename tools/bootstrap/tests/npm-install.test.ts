import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../src/command.js';
import { npmInstall } from '../src/npm-install.js';

/** A registry with one package, whose install script would leave a trace. */
describe('the download of a pinned package', () => {
  let folder: string;
  let registry: Server;
  let archive: Buffer;
  let environment: NodeJS.ProcessEnv;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-npm-'));
    archive = await packPackage();
    registry = createServer((request, response) => {
      const { port } = registry.address() as AddressInfo;
      if (request.url?.endsWith('.tgz')) {
        response.end(archive);
        return;
      }
      const dist = { tarball: `http://127.0.0.1:${port}/traced/-/traced-1.0.0.tgz`, integrity: integrityOf(archive) };
      const versions = { '1.0.0': { name: 'traced', version: '1.0.0', dist, hasInstallScript: true } };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name: 'traced', 'dist-tags': { latest: '1.0.0' }, versions }));
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    environment = { ...process.env };
    process.env['npm_config_registry'] = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    process.env['npm_config_cache'] = join(folder, 'cache');
    process.env['npm_config_proxy'] = '';
  });
  afterEach(async () => {
    process.env = environment;
    registry.close();
    registry.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  async function packPackage(): Promise<Buffer> {
    const scripts = { install: 'touch trace' };
    const manifest = { name: 'traced', version: '1.0.0', scripts, files: ['package.json'] };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const { ok, output } = await runCommand('npm', ['pack', '--silent'], { cwd: folder });
    if (!ok) throw new Error(output);
    return readFile(join(folder, 'traced-1.0.0.tgz'));
  }

  const installed = (name: string) => existsSync(join(folder, 'into', 'node_modules', 'traced', name));

  it('accepts an archive with the pinned digest and runs no install script', async () => {
    await npmInstall(join(folder, 'into'), [{ name: 'traced', version: '1.0.0', integrity: integrityOf(archive) }]);
    expect([installed('package.json'), installed('trace')]).toEqual([true, false]);
  });

  it('refuses an archive with another digest, whatever the registry says', async () => {
    const integrity = integrityOf(Buffer.from('something else'));
    const attempt = npmInstall(join(folder, 'into'), [{ name: 'traced', version: '1.0.0', integrity }]);
    await expect(attempt).rejects.toThrow('EINTEGRITY');
    expect(installed('package.json')).toBe(false);
  });
});

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockfileOf } from './npm-install.js';
import { packageManagerOf } from './package-manager.js';
import { nodePackages, pnpmPackage, pnpmPrograms } from './pinned-packages.js';

const root = path.join(import.meta.dirname, '..', '..', '..');
const readRoot = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('what the bootstrap downloads', () => {
  it('has a SHA-512 for every platform', () => {
    for (const { integrity } of [pnpmPackage, ...Object.values(nodePackages), ...Object.values(pnpmPrograms)]) {
      expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/u);
    }
  });

  it('is the pnpm of package.json, and the Node of the image', () => {
    expect(packageManagerOf(JSON.parse(readRoot('package.json')))).toEqual({
      name: pnpmPackage.name,
      version: pnpmPackage.version,
    });
    const versions = [...readRoot('deploy/Dockerfile').matchAll(/^FROM node:([\d.]+)-/gmu)].map(
      ([, version]) => version,
    );
    expect(versions).toHaveLength(2);
    const pinned = Object.values(nodePackages).map(({ version }) => version);
    expect(new Set([...versions, ...pinned]).size).toBe(1);
  });

  it('is what the lockfile for npm contains, with a digest for each package', () => {
    expect(lockfileOf([pnpmPackage])).toEqual({
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { dependencies: { pnpm: pnpmPackage.version } },
        'node_modules/pnpm': { version: pnpmPackage.version, integrity: pnpmPackage.integrity, bin: { pnpm: 'pnpm' } },
      },
    });
  });
});

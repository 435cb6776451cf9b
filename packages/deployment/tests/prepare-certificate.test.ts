import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareCertificate } from '../src/prepare-certificate.ts';

let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
});
afterEach(() => folder.remove());

const readCertificate = () => readFile(join(folder.path, 'cert.pem'), 'utf8');

describe('preparing the certificate', () => {
  it('creates one at the first start and keeps it', async () => {
    expect(await prepareCertificate(folder.path, ['localhost'])).toBe(true);
    const before = await readCertificate();
    expect(await prepareCertificate(folder.path, ['localhost'])).toBe(false);
    expect(await readCertificate()).toBe(before);
  });

  it('replaces one that expires within 30 days, and a pair that is damaged', async () => {
    const old = await makeSelfSigned({ names: ['localhost'], days: 29 });
    await writeFile(join(folder.path, 'cert.pem'), old.cert);
    await writeFile(join(folder.path, 'key.pem'), old.key);
    expect(await prepareCertificate(folder.path, ['localhost'])).toBe(true);
    const { cert } = await makeSelfSigned({ names: ['localhost'], days: 300 });
    await writeFile(join(folder.path, 'other.pem'), cert);
    expect(await prepareCertificate(folder.path, ['localhost'])).toBe(false);
    await writeFile(join(folder.path, 'cert.pem'), cert).catch(() => {});
    expect(await prepareCertificate(folder.path, ['localhost'])).toBe(true);
  });
});

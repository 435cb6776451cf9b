import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './memory-record.ts';

type Rig = Awaited<ReturnType<typeof createAuditRig>>;

let rig: Rig;
let relay: AsyncDisposable;
let keys: { file: string; publicKey: string }[];

beforeEach(async () => {
  rig = await createAuditRig();
  relay = rig.startRelay();
  const files = [rig.signingKeyFile, `${rig.signingKeyFile}.second`, `${rig.signingKeyFile}.third`];
  const publicKeyOf = async (file: string) => (await loadKeySet(auditKeyStore(file))).active.publicKey;
  keys = await Promise.all(files.map(async (file) => ({ file, publicKey: await publicKeyOf(file) })));
  await run(0, {});
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Starts with a key, records two events under a digest, and returns the findings of a verification. */
async function run(key: number, env: Readonly<Record<string, string>>): Promise<string[]> {
  const digests = async () => Number((await rig.record.db('audit.digests').count())[0]?.count);
  const before = await digests();
  await using audit = await rig.start({ AUDIT_SIGNING_KEY_FILE: keys[key]?.file ?? '', ...env });
  await rig.send(someEvents(2, crypto.randomUUID()));
  await rig.recorded();
  await expect.poll(digests).toBeGreaterThan(before);
  const path = '/platform-application/api/v1/audit/verification';
  const answer = await audit.client.get(path, { bearer: rig.token('Administrators') });
  return auditVerificationSchema.parse(answer.json()).findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
}

const named = (key: number) => ({ AUDIT_TRUSTED_PUBLIC_KEYS: keys[key]?.publicKey ?? '' });
const revoked = (key: number) => ({ AUDIT_REVOKED_PUBLIC_KEYS: keys[key]?.publicKey ?? '' });

describe('a retired key of the audit record', () => {
  it('is named once: later starts remember it, also over another rotation', async () => {
    expect(await run(1, named(0))).toEqual([]);
    expect(await run(1, {})).toEqual([]);
    expect(await run(2, named(1))).toEqual([]);
    expect(await run(2, {})).toEqual([]);
  });

  it('is remembered before the new key has signed anything', async () => {
    const first = await rig.start({ AUDIT_SIGNING_KEY_FILE: keys[1]?.file ?? '', ...named(0) });
    await first[Symbol.asyncDispose]();
    expect(await run(1, {})).toEqual([]);
  });

  it('that is not known is distinguished from an altered digest', async () => {
    expect(await run(1, named(0))).toEqual([]);
    await rig.record.tamper('DELETE FROM audit.key_vouchers');
    expect(await run(1, {})).toEqual(['digest_key_unknown 1']);
    await rig.record.tamper("UPDATE audit.digests SET signature = '' WHERE number = 2");
    expect(await run(1, {})).toEqual(['digest_key_unknown 1', 'digest_altered 2']);
    // It need be named only once more.
    expect(await run(1, named(0))).toEqual(['digest_altered 2']);
    expect(await run(1, {})).toEqual(['digest_altered 2']);
  });

  it('is no longer trusted when it is revoked, even if it is named or vouched for', async () => {
    expect(await run(1, named(0))).toEqual([]);
    expect(await run(1, { ...named(0), ...revoked(0) })).toEqual(['digest_key_unknown 1']);
  });

  it('cannot be added with write access to the database only, nor stop a start', async () => {
    expect(await run(1, named(0))).toEqual([]);
    await rig.record.db.raw(
      `INSERT INTO audit.key_vouchers (public_key, vouched_by, signature)
       SELECT * FROM (VALUES ('no key', ?, ''), (?, ?, ''), ('', '', '')) AS forged`,
      [keys[1]?.publicKey, keys[2]?.publicKey, keys[1]?.publicKey].map(String),
    );
    await rig.record.tamper(`UPDATE audit.digests SET public_key = '${keys[2]?.publicKey}' WHERE number = 1`);
    expect(await run(1, {})).toContain('digest_key_unknown 1');
  });

  it('is kept in a table that refuses changes', async () => {
    expect(await run(1, named(0))).toEqual([]);
    for (const sql of [
      'DELETE FROM audit.key_vouchers',
      'TRUNCATE audit.key_vouchers',
      "UPDATE audit.key_vouchers SET signature = ''",
    ]) {
      await expect(rig.record.db.raw(sql)).rejects.toThrow('the audit record is append-only');
    }
  });

  it('that is forgotten at a rotation is named by the refusal to start', async () => {
    await expect(rig.start({ AUDIT_SIGNING_KEY_FILE: keys[1]?.file ?? '' })).rejects.toThrow(
      `${keys[0]?.publicKey}, which is not trusted: name it in AUDIT_TRUSTED_PUBLIC_KEYS`,
    );
  });
});

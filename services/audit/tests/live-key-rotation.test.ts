import { writeFile } from 'node:fs/promises';
import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './memory-record.ts';

type Rig = Awaited<ReturnType<typeof createAuditRig>>;

/** The process that has read changed files within a moment, and the one that has not read them again since its start. */
const [reloaded, notReloaded] = [{ KEY_RELOAD_SECONDS: '0.05' }, { KEY_RELOAD_SECONDS: '86400' }];
const atOnce = { leastAgeMs: 0 };

let rig: Rig;
let relay: AsyncDisposable;
let keys: ReturnType<typeof auditKeyStore>;
let old: string;

beforeEach(async () => {
  rig = await createAuditRig();
  relay = rig.startRelay();
  keys = auditKeyStore(rig.signingKeyFile);
  old = (await loadKeySet(keys)).active.kid;
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Records events until a digest of that key covers some. */
async function digestBy(publicKey: string): Promise<void> {
  const digests = async () =>
    Number((await rig.record.db('audit.digests').where({ public_key: publicKey }).count())[0]?.count);
  const before = await digests();
  await expect
    .poll(
      async () => {
        await rig.send(someEvents(2, crypto.randomUUID()));
        await rig.recorded();
        return digests();
      },
      { interval: 100 },
    )
    .toBeGreaterThan(before);
}

async function findings({ client }: RunningAudit): Promise<string[]> {
  const path = '/platform-application/api/v1/audit/verification';
  const answer = await client.get(path, { bearer: rig.token('Administrators') });
  return auditVerificationSchema.parse(answer.json()).findings.map(({ kind }) => kind);
}

const keysOf = async ({ client }: RunningAudit) =>
  (await client.get('/metrics')).text
    .split('\n')
    .flatMap((line) => /^waybill_signing_key_info\{.*kid="(.+?)",role="(\w+)"/u.exec(line)?.slice(1).join(' ') ?? []);

describe('a rotation of the audit key with two processes', () => {
  it('continues to record with both keys, and verifies across the rotation when the old key is removed', async () => {
    // The digests of the second one are rarer, so that both get to sign.
    const rarely = { ...notReloaded, AUDIT_DIGEST_INTERVAL_SECONDS: '2' };
    const first = await rig.start(reloaded);
    await digestBy(old);
    const added = await addKey(keys);
    await using second = await rig.start(rarely);
    await activateKey(keys, atOnce);
    await expect.poll(() => keysOf(first)).toEqual([`${added.kid} active`, `${old} previous`]);
    expect(await keysOf(second)).toEqual([`${old} active`, `${added.kid} next`]);
    await digestBy(added.kid);
    expect([await findings(first), await findings(second)]).toEqual([[], []]);

    // The process with the old key continues from what the other one has signed, and the reverse.
    await first[Symbol.asyncDispose]();
    await digestBy(old);
    await using third = await rig.start(reloaded);
    await second[Symbol.asyncDispose]();
    await digestBy(added.kid);
    expect(await findings(third)).toEqual([]);

    await removeKey(keys, old, { leastAgeMs: 0 });
    await expect.poll(() => keysOf(third)).toEqual([`${added.kid} active`]);
    await digestBy(added.kid);
    expect(await findings(third)).toEqual([]);
    await using fourth = await rig.start(reloaded);
    expect(await findings(fourth)).toEqual([]);
  });

  it('vouches for the old key in the database even when it has signed no digest', async () => {
    await addKey(keys);
    await activateKey(keys, atOnce);
    await using first = await rig.start(reloaded);
    await digestBy((await loadKeySet(keys)).active.kid);
    expect(await rig.record.db('audit.key_vouchers').pluck('public_key')).toEqual([old]);
    expect(await findings(first)).toEqual([]);
  });

  it('finds unknown keys and no tampering when the old key is lost with what vouches for it', async () => {
    await using first = await rig.start(reloaded);
    await digestBy(old);
    const { kid } = await addKey(keys);
    await activateKey(keys, atOnce);
    await expect.poll(() => keysOf(first)).toContain(`${kid} active`);
    await digestBy(kid);
    await first[Symbol.asyncDispose]();
    await removeKey(keys, old, { leastAgeMs: 0 });
    await rig.record.tamper('DELETE FROM audit.key_vouchers');
    await using second = await rig.start(reloaded);
    expect(new Set(await findings(second))).toEqual(new Set(['digest_key_unknown']));
  });
});

it('an invalid changed key file stops no running process, but a start, with a sentence that names the setting', async () => {
  await using first = await rig.start(reloaded);
  await writeFile(`${keys.file}.next`, 'no key');
  await expect
    .poll(async () => (await first.client.get('/metrics')).text)
    .toContain('waybill_signing_key_reload_failures_total{purpose="audit",service="audit"} 1');
  await digestBy(old);
  await expect(rig.start(reloaded)).rejects.toThrow(
    `AUDIT_SIGNING_KEY_FILE: ${keys.file}.next holds no private key in PEM`,
  );
});

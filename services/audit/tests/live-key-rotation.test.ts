import { writeFile } from 'node:fs/promises';
import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import { existing } from '@waybill/test-kit/values/existing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { parseCheckpoint } from '../src/domain/checkpoints/checkpoint.ts';
import { signedBy as noteSignedBy } from '../src/domain/checkpoints/signed-note.ts';
import { createTrustedKeys } from '../src/domain/keys/trusted-keys.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

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

/** Records events until that key has signed them. */
async function signedBy(publicKey: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await rig.send(someEvents(2, crypto.randomUUID()));
        await rig.recorded();
        const head = await rig.record.db('audit.tree_head').first<{ checkpoint: string }>('checkpoint');
        const origin = parseCheckpoint(head.checkpoint)?.origin ?? '';
        return noteSignedBy(head.checkpoint, origin, createTrustedKeys([publicKey]));
      },
      { interval: 100 },
    )
    .toBe(publicKey);
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
  it('continues with the new key in both as soon as one has signed with it, and verifies across the rotation', async () => {
    const first = await rig.start(reloaded);
    await signedBy(old);
    const added = await addKey(keys);
    await using second = await rig.start(notReloaded);
    await activateKey(keys, atOnce);
    await expect.poll(() => keysOf(first)).toEqual([`${added.kid} active`, `${old} previous`]);
    expect(await keysOf(second)).toEqual([`${old} active`, `${added.kid} next`]);
    // The second process can still take a turn with the old key before the first one signs with the new one.
    await signedBy(added.kid);
    expect([await findings(first), await findings(second)]).toEqual([[], []]);

    // From then on the second process reads the files before it writes: the old key signs nothing more.
    await first[Symbol.asyncDispose]();
    await rig.send(someEvents(2, 'second'));
    await rig.recorded();
    expect(await keysOf(second)).toEqual([`${added.kid} active`, `${old} previous`]);
    await signedBy(added.kid);

    await removeKey(keys, old, { leastAgeMs: 0 });
    await using third = await rig.start(reloaded);
    await signedBy(added.kid);
    expect(await findings(third)).toEqual([]);
  });

  it('publishes which sizes of the log each key signs', async () => {
    await using audit = await rig.start(reloaded);
    await signedBy(old);
    const { kid } = await addKey(keys);
    await activateKey(keys, atOnce);
    await signedBy(kid);
    const changes = rig.record.db('audit.records').where('audit_code', 'AUD0111A');
    const { sequence } = await changes.first<{ sequence: string }>('sequence');
    const get = (path: string) =>
      audit.client.get(`/platform-application/api/v1/audit/${path}`, { bearer: rig.token('Auditors') });
    const [first, second] = (await get('keys')).text.trimEnd().split('\n');
    const until = Number(sequence) - 1;
    expect((await get('keys?validity=true')).text).toBe(`${first} 0 ${until}\n${second} ${sequence} -\n`);
    const end: unknown = JSON.parse(existing((await get('export')).text.trimEnd().split('\n').at(-1)));
    expect(end).toMatchObject({
      keys: [first, second],
      validity: [
        { key: first, from: 0, to: until },
        { key: second, from: until + 1, to: null },
      ],
    });
    expect((await get('keys?validity=perhaps')).status).toBe(400);
  });

  it('vouches for the old key in the database', async () => {
    await addKey(keys);
    await activateKey(keys, atOnce);
    await using first = await rig.start(reloaded);
    await signedBy((await loadKeySet(keys)).active.kid);
    expect(await rig.record.db('audit.key_vouchers').pluck('public_key')).toEqual([old]);
    expect(await findings(first)).toEqual([]);
  });
});

it('an invalid changed key file stops no running process, but a start, with a sentence that names the setting', async () => {
  await using first = await rig.start(reloaded);
  await writeFile(`${keys.file}.next`, 'no key');
  await expect
    .poll(async () => (await first.client.get('/metrics')).text)
    .toContain('waybill_signing_key_reload_failures_total{purpose="audit",service="audit"} 1');
  await signedBy(old);
  await expect(rig.start(reloaded)).rejects.toThrow(
    `AUDIT_SIGNING_KEY_FILE: ${keys.file}.next holds no private key in PEM`,
  );
});

import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

type Rig = Awaited<ReturnType<typeof createAuditRig>>;

let rig: Rig;
let relay: AsyncDisposable;
let keys: { file: string; publicKey: string }[];
/** The keys have different files, but the platform has one memory. */
let memory: Readonly<Record<string, string>>;

beforeEach(async () => {
  rig = await createAuditRig();
  relay = rig.startRelay();
  memory = { AUDIT_CHECKPOINT_FILE: `${rig.signingKeyFile}.checkpoint` };
  const files = [rig.signingKeyFile, `${rig.signingKeyFile}.second`, `${rig.signingKeyFile}.third`];
  const publicKeyOf = async (file: string) => (await loadKeySet(auditKeyStore(file))).active.publicKey;
  keys = await Promise.all(files.map(async (file) => ({ file, publicKey: await publicKeyOf(file) })));
  await run(0, {});
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Starts with a key, records two events, and returns the findings of a verification. */
async function run(key: number, env: Readonly<Record<string, string>>): Promise<string[]> {
  await using audit = await rig.start({ AUDIT_SIGNING_KEY_FILE: keys[key]?.file ?? '', ...memory, ...env });
  await rig.send(someEvents(2, crypto.randomUUID()));
  await rig.recorded();
  const path = '/platform-application/api/v1/audit/verification';
  const answer = await audit.client.get(path, { bearer: rig.token('Administrators') });
  return auditVerificationSchema.parse(answer.json()).findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
}

const named = (key: number) => ({ AUDIT_TRUSTED_PUBLIC_KEYS: keys[key]?.publicKey ?? '' });
const revoked = (key: number) => ({ AUDIT_REVOKED_PUBLIC_KEYS: keys[key]?.publicKey ?? '' });
const refused = (key: number) => `${keys[key]?.publicKey}, which is not trusted: name it in AUDIT_TRUSTED_PUBLIC_KEYS`;

describe('a retired key of the audit log', () => {
  it('is named once: later starts remember it, also over another rotation', async () => {
    expect(await run(1, named(0))).toEqual([]);
    expect(await run(1, {})).toEqual([]);
    expect(await run(2, named(1))).toEqual([]);
    expect(await run(2, {})).toEqual([]);
    const changes = rig.record.db('audit.records').where('audit_code', 'AUD0111A').orderBy('sequence');
    const keyOf = (name: string) =>
      Buffer.from(name.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64url');
    const rows = await changes.select<{ sequence: string; entity_name: string; entity_id: string }[]>();
    expect(rows.map((row) => [row.sequence, keyOf(row.entity_id), keyOf(row.entity_name)])).toEqual([
      ['3', keys[0]?.publicKey, keys[1]?.publicKey],
      ['8', keys[1]?.publicKey, keys[2]?.publicKey],
    ]);
  });

  it('signs nothing new', async () => {
    expect(await run(1, named(0))).toEqual([]);
    await expect(run(0, named(1))).rejects.toThrow(`The key ${keys[0]?.publicKey} is retired since record 5`);
    expect(await run(1, {})).toEqual([]);
  });

  it('is found when it signs again, even if the table of keys was emptied for it', async () => {
    expect(await run(1, named(0))).toEqual([]);
    await rig.record.tamper('DELETE FROM audit.log_keys');
    expect(await run(0, named(1))).toEqual(['checkpoint_key_retired 6']);
  });

  it('is not trusted when it is revoked, even if it is named', async () => {
    await expect(run(1, { ...named(0), ...revoked(0) })).rejects.toThrow(refused(0));
  });

  it('cannot be added with write access to the database only, nor stop a start', async () => {
    expect(await run(1, named(0))).toEqual([]);
    const forged = [keys[1]?.publicKey, keys[2]?.publicKey, keys[1]?.publicKey].map(String);
    await rig.record.db.raw(
      `INSERT INTO audit.key_vouchers (public_key, vouched_by, signature)
       SELECT * FROM (VALUES ('no key', ?, ''), (?, ?, ''), ('', '', '')) AS forged`,
      forged,
    );
    expect(await run(1, {})).toEqual([]);
    await rig.record.tamper(`UPDATE audit.log_keys SET public_key = '${keys[2]?.publicKey}' WHERE first_size > 0`);
    await rig.record.tamper("UPDATE audit.tree_head SET checkpoint = replace(checkpoint, '— ', '— x')");
    await expect(run(1, {})).rejects.toThrow(refused(2));
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
    await expect(run(1, {})).rejects.toThrow(refused(0));
  });
});

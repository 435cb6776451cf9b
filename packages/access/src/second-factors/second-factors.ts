import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { KeyRing } from '@waybill/secrets/key-ring';
import { codeHash, randomCode } from '../random-code.ts';
import { type FactorHolders, factorTables, type FactorTables } from './factor-holders.ts';
import { sealTotpSecret, unsealTotpSecret } from './sealed-totp-secret.ts';
import { isTotpForm, matchingStep, newTotpSecret, otpauthUri, toBase32 } from './totp.ts';

/** What is shown of a second factor. */
export interface SecondFactorState {
  /** When a code confirmed it. */
  readonly since: Date;
  readonly recoveryCodesLeft: number;
}

/** The secret of an authenticator app, which is shown once. */
export interface TotpEnrolment {
  /** In Base32. */
  readonly secret: string;
  readonly uri: string;
}

/** How a second factor was proved. */
export type SecondFactorProof = 'totp' | 'recovery_code';

/**
 * The authenticator apps of users. Wrong codes count for the user, whatever their addresses: who sends them knows the
 * password. After every ten in a row all codes are refused, at first for `blockSeconds`, then for twice as long, for a day at most.
 */
export interface SecondFactors {
  /** The confirmed second factor of a user. */
  find(userName: UserName): Promise<SecondFactorState | undefined>;
  /** Makes a secret, in place of one that is not confirmed. @throws CodedError `second_factor_exists` */
  begin(userName: UserName): Promise<TotpEnrolment>;
  /**
   * Confirms the secret with its first code. `undefined` for a wrong code, or without a secret; otherwise the recovery codes.
   * @param alongside runs in the same transaction
   * @throws CodedError `second_factor_exists`, `too_many_requests`
   */
  confirm(userName: UserName, code: string, alongside: Alongside): Promise<readonly string[] | undefined>;
  /** Checks a code, and uses it up. @throws CodedError `too_many_requests` */
  prove(userName: UserName, code: string): Promise<SecondFactorProof | undefined>;
  /** Replaces the recovery codes of a confirmed second factor. */
  renewRecoveryCodes(userName: UserName, alongside: Alongside): Promise<readonly string[]>;
}

/** What has to happen in the transaction of a change. */
export type Alongside = (trx: Transaction) => Promise<void>;

interface FactorRow {
  readonly keyId: string;
  readonly ciphertext: Buffer;
  readonly confirmedAt: Date | null;
  readonly lastStep: string;
  /** Seconds for which codes are refused; null: none. */
  readonly blockedFor: string | null;
}

const recoveryCodes = 10;
const [groups, groupLength] = [4, 4];
const wrongCodesInRow = 10;
const longestBlockSeconds = 86_400;

/** Second factors in schema `access`, encrypted with the keys of `ring`. */
export function createSecondFactors(options: {
  readonly db: Database;
  /** @throws CodedError if there is none */
  readonly ring: () => KeyRing;
  readonly blockSeconds: number;
  readonly of: FactorHolders;
}): SecondFactors {
  const { db, ring, blockSeconds, of } = options;
  const tables = factorTables[of];

  /** In one transaction with a lock on the row: of two equal codes at once, one is used up already. */
  const check = async (trx: Transaction, userName: UserName, code: string, isPending: boolean) => {
    const row = await lockRow(trx, tables, userName);
    if (!row || (row.confirmedAt === null) !== isPending) return undefined;
    assertNotBlocked(row);
    const text = code.replaceAll(/\s/gu, '');
    const isTotp = isTotpForm(text);
    const proof = isTotp ? 'totp' : 'recovery_code';
    const isGood = isTotp
      ? await takeStep(trx, { userName, code: text, row, ring: ring(), of })
      : !isPending && (await takeRecoveryCode(trx, tables, userName, text));
    if (!isGood) await countWrongCode(trx, tables, userName, blockSeconds);
    return isGood ? proof : undefined;
  };

  return {
    find: (userName) => findState(db, tables, userName),
    begin: (userName) => begin(db, of, userName, ring()),
    confirm: (userName, code, alongside) =>
      db.transaction(async (trx) => {
        const row = await lockRow(trx, tables, userName);
        if (row && row.confirmedAt !== null) throw new CodedError('second_factor_exists');
        if ((await check(trx, userName, code, true)) === undefined) return undefined;
        await trx.raw(`UPDATE ${tables.factors} SET confirmed_at = now() WHERE user_name = ?`, [userName]);
        await alongside(trx);
        return await replaceRecoveryCodes(trx, tables, userName);
      }),
    prove: (userName, code) => db.transaction((trx) => check(trx, userName, code, false)),
    renewRecoveryCodes: (userName, alongside) =>
      db.transaction(async (trx) => {
        await lockRow(trx, tables, userName);
        await alongside(trx);
        return await replaceRecoveryCodes(trx, tables, userName);
      }),
  };
}

async function findState(
  db: Database,
  { factors, codes }: FactorTables,
  userName: UserName,
): Promise<SecondFactorState | undefined> {
  const { rows } = await db.raw<{ rows: { since: Date; left: number }[] }>(
    `SELECT f.confirmed_at AS since, (SELECT count(*)::int FROM ${codes} c WHERE c.user_name = f.user_name) AS left
       FROM ${factors} f WHERE f.user_name = ? AND f.confirmed_at IS NOT NULL`,
    [userName],
  );
  const [row] = rows;
  return row && { since: row.since, recoveryCodesLeft: row.left };
}

async function begin(db: Database, of: FactorHolders, userName: UserName, ring: KeyRing): Promise<TotpEnrolment> {
  const secret = newTotpSecret();
  const { keyId, ciphertext } = sealTotpSecret(ring, { of, userName }, secret);
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `INSERT INTO ${factorTables[of].factors} AS f (user_name, key_id, ciphertext) VALUES (:userName, :keyId, :ciphertext)
     ON CONFLICT (user_name) DO UPDATE
       SET key_id = excluded.key_id, ciphertext = excluded.ciphertext, begun_at = now(), last_step = 0
       WHERE f.confirmed_at IS NULL RETURNING user_name`,
    { userName, keyId, ciphertext },
  );
  if (rows.length === 0) throw new CodedError('second_factor_exists');
  return { secret: toBase32(secret), uri: otpauthUri(userName, secret) };
}

/** When a user of a partner has set a second factor up; undefined: there is none. */
export async function findPartnerSecondFactor(on: Queryable, userName: UserName): Promise<Date | undefined> {
  const { rows } = await on.raw<{ rows: { since: Date }[] }>(
    `SELECT confirmed_at AS since FROM ${factorTables.partners.factors} WHERE user_name = ? AND confirmed_at IS NOT NULL`,
    [userName],
  );
  return rows[0]?.since;
}

/** Deletes the second factor of a user, confirmed or not, with its recovery codes; false if there was none. */
export async function deleteSecondFactor(on: Queryable, of: FactorHolders, userName: UserName): Promise<boolean> {
  const { rows } = await on.raw<{ rows: unknown[] }>(
    `DELETE FROM ${factorTables[of].factors} WHERE user_name = ? RETURNING user_name`,
    [userName],
  );
  return rows.length > 0;
}

/** Deletes all second factors of users with these names, with their recovery codes. */
export async function deleteSecondFactorsOf(
  on: Queryable,
  of: FactorHolders,
  userNames: readonly string[],
): Promise<void> {
  await on.raw(`DELETE FROM ${factorTables[of].factors} WHERE user_name = ANY(?)`, [[...userNames]]);
}

async function lockRow(
  trx: Transaction,
  { factors }: FactorTables,
  userName: UserName,
): Promise<FactorRow | undefined> {
  const { rows } = await trx.raw<{ rows: FactorRow[] }>(
    `SELECT key_id AS "keyId", ciphertext, confirmed_at AS "confirmedAt", last_step AS "lastStep",
            CASE WHEN blocked_until > now() THEN ceil(extract(epoch FROM blocked_until - now())) END AS "blockedFor"
       FROM ${factors} WHERE user_name = ? FOR UPDATE`,
    [userName],
  );
  return rows.at(0);
}

function assertNotBlocked({ blockedFor }: FactorRow): void {
  if (blockedFor === null) return;
  throw new CodedError('too_many_requests', {
    detail: `Too many wrong codes: try again in ${blockedFor} seconds`,
    names: { retryAfterSeconds: blockedFor },
  });
}

async function takeStep(
  trx: Transaction,
  {
    userName,
    code,
    row,
    ring,
    of,
  }: { userName: UserName; code: string; row: FactorRow; ring: KeyRing; of: FactorHolders },
): Promise<boolean> {
  const secret = unsealTotpSecret(ring, { of, userName }, row);
  const step = matchingStep(secret, code, { nowMs: Date.now(), after: Number(row.lastStep) });
  if (step === undefined) return false;
  await trx.raw(
    `UPDATE ${factorTables[of].factors} SET last_step = :step, wrong_codes = 0, blocked_until = NULL WHERE user_name = :userName`,
    { step, userName },
  );
  return true;
}

async function takeRecoveryCode(
  trx: Transaction,
  { factors, codes }: FactorTables,
  userName: UserName,
  code: string,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `DELETE FROM ${codes} WHERE user_name = ? AND code_hash = ? RETURNING user_name`,
    [userName, codeHash(code)],
  );
  if (rows.length === 0) return false;
  await trx.raw(`UPDATE ${factors} SET wrong_codes = 0, blocked_until = NULL WHERE user_name = ?`, [userName]);
  return true;
}

async function countWrongCode(
  trx: Transaction,
  { factors }: FactorTables,
  userName: UserName,
  blockSeconds: number,
): Promise<void> {
  await trx.raw(
    `UPDATE ${factors} SET wrong_codes = wrong_codes + 1,
            blocked_until = CASE WHEN (wrong_codes + 1) % :inRow = 0
              THEN now() + make_interval(secs => least(:longest, :seconds * power(2, least(30, (wrong_codes + 1) / :inRow - 1))))
              ELSE blocked_until END
      WHERE user_name = :userName`,
    { userName, seconds: blockSeconds, inRow: wrongCodesInRow, longest: longestBlockSeconds },
  );
}

async function replaceRecoveryCodes(
  trx: Transaction,
  { codes: table }: FactorTables,
  userName: UserName,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => randomCode(groups, groupLength));
  await trx.raw(`DELETE FROM ${table} WHERE user_name = ?`, [userName]);
  await trx(table).insert(codes.map((code) => ({ user_name: userName, code_hash: codeHash(code) })));
  return codes;
}

import { createPublicKey, verify } from 'node:crypto';
import path from 'node:path';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createWitness, type Misbehavior } from '../src/create-witness.ts';
import { parseKnownLogs } from '../src/known-logs.ts';
import { serveWitness } from '../src/serve-witness.ts';
import { openWitnessKey } from '../src/witness-key.ts';
import { openWitnessState } from '../src/witness-state.ts';
import type { TestLog } from './test-log.ts';

/** A witness of these logs that listens, with an empty state. */
export async function startTestWitness(logs: readonly TestLog[], options: { timeoutMs?: number } = {}) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTestFolder());
  const stateFile = path.join(folder.path, 'state.json');
  const key = await openWitnessKey(path.join(folder.path, 'key.pem'), 'witness.example/w1');
  const known = parseKnownLogs(logs.map(({ verifierKey }) => verifierKey).join('\n'), 'logs');
  const misbehaviors: Misbehavior[] = [];
  const open = async () => {
    const state = await openWitnessState(stateFile);
    const onMisbehavior = (found: Misbehavior) => void misbehaviors.push(found);
    const witness = createWitness({ key, state, logs: () => known, onMisbehavior });
    return serveWitness(witness, { host: '127.0.0.1', port: 0, onFailure: () => {}, ...options });
  };
  const server = stack.use(await open());
  const client = createHttpClient(`http://127.0.0.1:${server.port}`);
  const owned = stack.move();
  return {
    port: server.port,
    client,
    stateFile,
    verifierKey: key.verifierKey,
    misbehaviors,
    /** Another process with the same state. */
    openAnother: open,
    add: (body: string | Uint8Array<ArrayBuffer>) => client.post('/add-checkpoint', { body }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The time of a valid cosignature line; `undefined` if it is not one of this key for this text. */
export function cosignedAt(line: string, verifierKey: string, text: string): number | undefined {
  const [, name, id, encoded = ''] = /^([^+]+)\+([^+]+)\+(.+)$/u.exec(verifierKey) ?? [];
  const [dash, signer, field = ''] = line.trimEnd().split(' ');
  const bytes = Buffer.from(field, 'base64');
  const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const seconds = Number(bytes.readBigUInt64BE(4));
  const signed = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
  const isNamed = dash === '—' && signer === name && bytes.toString('hex', 0, 4) === id && bytes.length === 76;
  return isNamed && verify(null, signed, key, bytes.subarray(12)) ? seconds : undefined;
}

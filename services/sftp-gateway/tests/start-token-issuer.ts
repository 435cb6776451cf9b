import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Identity } from '@waybill/access/principal';
import { createSigningKey } from '@waybill/access/signing-key';
import { createTokenIssuer } from '@waybill/access/token-issuer';
import { onlyKey } from '@waybill/signing-keys/key-set';

/** Starts an issuer of access tokens that publishes its keys. */
export async function startTokenIssuer(resources: AsyncDisposableStack) {
  const keys = onlyKey(createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));
  const issuerFor = (lifetimeSeconds: number) =>
    createTokenIssuer({ keys, issuer: 'waybill', audience: 'waybill', lifetimeSeconds });
  const server = createServer((_request, response) => response.end(JSON.stringify(issuerFor(900).jwks())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => void server.close());
  const issue = (identity: Identity, seconds: number) => issuerFor(seconds).issue(identity);
  return { issue, jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks` };
}

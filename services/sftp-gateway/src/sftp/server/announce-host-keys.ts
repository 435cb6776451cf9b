import type { Connection } from 'ssh2';
import { exchangeOf, onGlobalRequest, sendHostKeys } from '../ssh2/ssh2-internals.ts';
import { sshString, type HostKey, type RsaAlgorithm } from './host-key.ts';

const proofRequest = 'hostkeys-prove-00@openssh.com';
/** A client asks once for the keys that it does not know; RSA signatures are slow. */
const proofsPerKey = 4;

/**
 * Sends a logged-in client all keys of the server, and proves those that it asks about, so that it knows a key before
 * the server begins to use it (OpenSSH PROTOCOL, section 2.5).
 * @param proved is called with each key that the client has a proof of: the client stores it, if its user allows that
 */
export function announceHostKeys(client: Connection, keys: readonly HostKey[], proved: (key: HostKey) => void): void {
  let proofs = keys.length * proofsPerKey;
  client.once('ready', () =>
    sendHostKeys(
      client,
      keys.map(({ publicBlob }) => publicBlob),
    ),
  );
  onGlobalRequest(client, proofRequest, (data) => {
    const asked = readStrings(data)?.map((blob) => keys.find(({ publicBlob }) => publicBlob.equals(blob)));
    if (asked === undefined || asked.length === 0 || asked.length > proofs) return undefined;
    const { sessionId, hostKeyAlgorithm } = exchangeOf(client);
    const rsaAlgorithm: RsaAlgorithm = hostKeyAlgorithm === 'rsa-sha2-256' ? 'rsa-sha2-256' : 'rsa-sha2-512';
    const signatures: Buffer[] = [];
    for (const key of asked) {
      if (key === undefined) return undefined;
      proofs -= 1;
      signatures.push(key.sign(sshString(proofRequest, sessionId, key.publicBlob), rsaAlgorithm));
    }
    for (const key of asked) if (key !== undefined) proved(key);
    return sshString(...signatures);
  });
}

/** Undefined if the bytes are not a sequence of strings. */
function readStrings(data: Buffer): Buffer[] | undefined {
  const strings: Buffer[] = [];
  for (let at = 0; at < data.length;) {
    if (data.length - at < 4) return undefined;
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) return undefined;
    strings.push(data.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

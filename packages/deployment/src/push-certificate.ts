import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** The certificate that HAProxy has loaded from `file`, and the socket of its runtime interface. */
export interface HaproxyCertificate {
  readonly socketPath: string;
  readonly file: string;
}

const answerTimeoutMs = 10_000;

/**
 * Makes a running HAProxy use another certificate for new connections; open ones are kept. Returns false if HAProxy
 * does not run: it reads the file at its start. @throws Error with HAProxy's response if it refuses the certificate
 */
export async function pushCertificate({ socketPath, file }: HaproxyCertificate, pem: string): Promise<boolean> {
  // An empty line would end the payload.
  const payload = pem.replaceAll(/\n{2,}/gu, '\n').trim();
  const begun = await command(socketPath, `set ssl cert ${file} <<\n${payload}\n\n`);
  if (begun === undefined) return false;
  const done = /^Transaction (?:created|updated)/mu.test(begun)
    ? await command(socketPath, `commit ssl cert ${file}\n`)
    : undefined;
  if (done !== undefined && /Success!/u.test(done)) return true;
  await command(socketPath, `abort ssl cert ${file}\n`);
  throw new Error(`HAProxy refuses the certificate: ${(done ?? begun).trim()}`);
}

/** The answer to one command; undefined when nothing listens at the socket. */
async function command(socketPath: string, line: string): Promise<string | undefined> {
  const socket = connect(socketPath);
  socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('HAProxy does not answer')));
  socket.write(line);
  try {
    return await text(socket);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

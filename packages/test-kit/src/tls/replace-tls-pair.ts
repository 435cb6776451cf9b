import { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { waitFor } from '../wait-for.ts';
import type { Pair, TlsFiles } from './create-tls-files.ts';
import { requestOverPlainHttp, requestOverTls } from './tls-client.ts';

/** The listener, its files, the pair that replaces the one in them, and a path that it serves. */
export interface TlsReplacement {
  readonly port: number;
  readonly files: TlsFiles;
  readonly replacement: Pair;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What clients received while the pair was replaced: statuses and certificates, each value once. */
export interface SeenReplacement {
  /** Whether a request over plain HTTP was answered by HTTP. */
  readonly isPlainHttpAnswered: boolean;
  /** The client that kept its connection open from before the replacement. */
  readonly open: { statuses: (number | undefined)[]; fingerprints: string[]; connections: number };
  /** A client that connected afterwards. */
  readonly fresh: { status: number | undefined; fingerprint: string };
}

/** Replaces the pair of a running listener while a client uses one connection, until new connections get the new pair. */
export async function replaceTlsPair({
  port,
  files,
  replacement,
  path,
  headers = {},
}: TlsReplacement): Promise<SeenReplacement> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const answers = [await requestOverTls(port, path, { headers, agent })];
    const plain = await requestOverPlainHttp(port, path);
    await files.write(replacement);
    const { fingerprint256 } = new X509Certificate(replacement.cert);
    const fresh = await waitFor(
      async () => {
        answers.push(await requestOverTls(port, path, { headers, agent }));
        const answer = await requestOverTls(port, path, { headers });
        return answer.fingerprint === fingerprint256 ? answer : undefined;
      },
      { what: 'the new certificate' },
    );
    answers.push(await requestOverTls(port, path, { headers, agent }));
    return {
      isPlainHttpAnswered: plain.includes('HTTP/'),
      open: {
        statuses: [...new Set(answers.map(({ status }) => status))],
        fingerprints: [...new Set(answers.map(({ fingerprint }) => fingerprint))],
        connections: new Set(answers.map(({ localPort }) => localPort)).size,
      },
      fresh: { status: fresh.status, fingerprint: fresh.fingerprint },
    };
  } finally {
    agent.destroy();
  }
}

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';

/** A key pair that GnuPG has generated. */
export interface GnupgKey {
  readonly user: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** GnuPG with a home of its own. */
export interface Gnupg extends AsyncDisposable {
  /** Runs `gpg`; the input is its standard input. Rejects with what it says if it fails. */
  run(args: readonly string[], input?: Uint8Array): Promise<{ out: Buffer; err: string }>;
  /** Generates a key that signs and encrypts. `validity`: as `gpg` takes it, such as `2y`. */
  generate(user: string, kind: 'rsa' | 'ecc', options?: { validity?: string; passphrase?: string }): Promise<GnupgKey>;
  /** Imports a key of somebody else. */
  add(armored: string): Promise<void>;
}

const [program, configurator] = ['gpg', 'gpgconf'] as const;

/** Opens an empty home; with Debian's package where that may be installed. @throws Refusal */
export async function startGnupg(): Promise<Gnupg> {
  await ensureProgram({ what: 'GnuPG', packages: ['gnupg'], find: findVersion });
  // The socket of its agent lies here, and the path of a socket has at most 107 bytes.
  const home = await mkdtemp(join(tmpdir(), 'wgpg-'));
  const run: Gnupg['run'] = async (args, input) => {
    const all = [
      '--homedir',
      home,
      '--batch',
      '--yes',
      '--no-tty',
      '--trust-model',
      'always',
      '--pinentry-mode',
      'loopback',
    ];
    const child = spawn(program, [...all, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
    if (code !== 0) throw new Error(`gpg ${args.join(' ')} fails: ${err}`);
    return { out, err };
  };
  const exported = async (command: string, user: string, passphrase = ''): Promise<string> =>
    (await run(['--passphrase', passphrase, '--armor', command, user])).out.toString();
  return {
    run,
    add: async (armored) => void (await run(['--import'], Buffer.from(armored))),
    generate: async (user, kind, { validity = '2y', passphrase = '' } = {}) => {
      const [primary, subkey] = kind === 'rsa' ? ['rsa2048', 'rsa2048'] : ['ed25519', 'cv25519'];
      const secret = ['--passphrase', passphrase];
      await run([...secret, '--quick-gen-key', user, primary, 'default', validity]);
      const listed = (await run(['--with-colons', '--list-keys', user])).out.toString();
      const fingerprint = /^fpr:+([0-9A-F]{40}):/mu.exec(listed)?.[1] ?? '';
      // Of the default usage, some versions make the subkey themselves.
      if (!/^sub:/mu.test(listed)) await run([...secret, '--quick-add-key', fingerprint, subkey, 'encr', validity]);
      const publicKey = await exported('--export', user);
      return { user, fingerprint, publicKey, privateKey: await exported('--export-secret-keys', user, passphrase) };
    },
    [Symbol.asyncDispose]: async () => {
      execFileSync(configurator, ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' });
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function findVersion(): string | undefined {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

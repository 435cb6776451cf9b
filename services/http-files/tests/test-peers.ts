import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';

/** What the peers of a fixture are started with. */
export interface PeerOptions {
  /** Adds to the environment of each. */
  readonly env?: Readonly<Record<string, string>>;
  /** The users who have logged in at the first of them. */
  readonly users?: readonly string[];
}

/** A peer, what it needs, and its clients. */
export type OnePeer = Omit<TwoPeers, 'other'>;

/** One for all tests of the calling file; it is started before the first of them. */
export function onePeer(options: PeerOptions = {}): OnePeer {
  return new TestPeers(['peer1'], options);
}

/** Two for all tests of the calling file; they are started before the first of them. */
export function twoPeers(options: PeerOptions = {}): TwoPeers {
  return new TestPeers(['peer1', 'peer2'], options);
}

/** Two peers that share one database, Redis and storage. Everything throws before the first test. */
export type TwoPeers = Readonly<
  Record<'peer' | 'other', RunningPeer> & Record<'acme' | 'globex' | 'hooli' | 'initech', HttpClient>
> & { readonly rig: FilesRig };

class TestPeers implements TwoPeers {
  #rig: FilesRig | undefined;
  #peers: readonly RunningPeer[] = [];
  readonly #clients = new Map<string, HttpClient>();

  constructor(peerNames: readonly string[], { env, users = [] }: PeerOptions) {
    beforeAll(async () => {
      const rig = await createFilesRig();
      this.#rig = rig;
      this.#peers = await Promise.all(peerNames.map((peerName) => rig.start(peerName, env)));
      await Promise.all(users.map(async (user) => this.#clients.set(user, await this.peer.logIn(user))));
    });
    afterAll(() => this.#rig?.[Symbol.asyncDispose]());
  }

  get rig(): FilesRig {
    return present(this.#rig, 'peer');
  }

  get peer(): RunningPeer {
    return present(this.#peers[0], 'peer');
  }

  get other(): RunningPeer {
    return present(this.#peers[1], 'second peer');
  }

  get acme(): HttpClient {
    return present(this.#clients.get('acme'), 'login of acme');
  }

  get globex(): HttpClient {
    return present(this.#clients.get('globex'), 'login of globex');
  }

  get hooli(): HttpClient {
    return present(this.#clients.get('hooli'), 'login of hooli');
  }

  get initech(): HttpClient {
    return present(this.#clients.get('initech'), 'login of initech');
  }
}

function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`there is no ${what} before the first test`);
  return value;
}

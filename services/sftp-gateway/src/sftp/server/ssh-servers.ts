import type { Socket } from 'node:net';
import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import ssh2 from 'ssh2';
import type { ServerConnectionListener } from 'ssh2';
import type { SftpLimits } from '../sftp-limits.ts';
import { refuseLateRequests } from '../ssh2/ssh2-internals.ts';
import type { HostKey } from './host-key.ts';
import { sshAlgorithms } from './ssh-algorithms.ts';

/** Speaks SSH on given sockets. */
export interface SshServers {
  /** Offers the modern algorithms, and after them these legacy ones. */
  serve(socket: Socket, legacy: readonly LegacyAlgorithm[]): void;
}

/**
 * A server of ssh2 has one offer and one set of keys for all its connections, so there is one for each set of legacy
 * algorithms: almost always the empty one. Changed keys apply to new connections. Open ones keep theirs, because a
 * client ends a connection whose host key changes during a renewal of keys.
 */
export function createSshServers(options: {
  /** The present keys of the server: the same array while they do not change. */
  hostKeys(): readonly HostKey[];
  readonly limits: SftpLimits;
  readonly onConnection: ServerConnectionListener;
}): SshServers {
  const { hostKeys, limits, onConnection } = options;
  const servers = new Map<string, ssh2.Server>();
  let keys = hostKeys();
  const create = (legacy: readonly LegacyAlgorithm[]): ssh2.Server =>
    new ssh2.Server(
      {
        hostKeys: keys.filter(({ role }) => role === 'active').map(({ privateKey }) => privateKey),
        algorithms: sshAlgorithms(legacy),
        ident: 'Waybill',
        keepaliveInterval: limits.keepaliveIntervalMs,
        keepaliveCountMax: limits.keepaliveMisses,
      },
      (client, info) => {
        refuseLateRequests(client);
        onConnection(client, info);
      },
    );
  servers.set('', create([]));
  return {
    serve: (socket, legacy) => {
      if (keys !== hostKeys()) {
        keys = hostKeys();
        servers.clear();
      }
      const offer = legacy.toSorted().join();
      const server = servers.get(offer) ?? create(legacy);
      servers.set(offer, server);
      server.injectSocket(socket);
    },
  };
}

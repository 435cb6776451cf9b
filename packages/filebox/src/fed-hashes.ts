import { createHash, type Hash } from 'node:crypto';
import type { HashRequest } from './file-hasher.ts';

/** Hashes any number of contents whose chunks come one after the other. */
export interface FedHashes {
  note(request: Extract<HashRequest, { kind: 'feed' | 'endFeed' | 'forgetFeed' }>): void;
}

/** Who hears of it. */
export interface FedHashPorts {
  onTaken(id: number): void;
  onDigest(id: number, sha256: Uint8Array): void;
  onFailure(id: number, error: unknown): void;
}

/** A content begins with its first chunk, and is known until its digest is told or it is forgotten. */
export function createFedHashes({ onTaken, onDigest, onFailure }: FedHashPorts): FedHashes {
  const hashes = new Map<number, Hash>();
  return {
    note: (request) => {
      const { stream } = request;
      const hash = hashes.get(stream);
      if (request.kind === 'feed') {
        hashes.set(stream, (hash ?? createHash('sha256')).update(request.chunk));
        onTaken(request.id);
        return;
      }
      hashes.delete(stream);
      if (request.kind === 'forgetFeed') return;
      if (hash) onDigest(request.id, hash.digest());
      else onFailure(request.id, new Error('nothing was hashed'));
    },
  };
}

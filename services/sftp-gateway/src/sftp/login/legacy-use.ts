import { legacyAlgorithms, type LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { NegotiatedAlgorithms } from 'ssh2';

/** The legacy algorithms that one connection has used: in its key exchanges, and in the signature of its user. */
export class LegacyUse {
  readonly #used = new Set<LegacyAlgorithm>();

  /** The result of a key exchange. */
  exchanged({ kex, serverHostKey, cs, sc }: NegotiatedAlgorithms): void {
    for (const name of [kex, serverHostKey, cs.cipher, sc.cipher, cs.mac, sc.mac]) {
      if (isLegacy(name)) this.#used.add(name);
    }
  }

  /** The client has offered a key to sign with SHA-1. */
  signedWithSha1(): void {
    this.#used.add('ssh-rsa');
  }

  /** All of them, by name. */
  get algorithms(): LegacyAlgorithm[] {
    return [...this.#used].toSorted();
  }

  /** A CodedError `ssh_algorithm_refused`, if the user has no exception, or no longer has one, for one of them. */
  refusalFor(user: Pick<PartnerUser, 'legacyAlgorithms'>): CodedError | undefined {
    const refused = this.algorithms.filter((name) => !mayUse(user, name));
    if (refused.length === 0) return undefined;
    return new CodedError('ssh_algorithm_refused', {
      detail: `Your SSH client has chosen ${refused.join(' and ')}, which is no longer secure: update or configure it`,
    });
  }
}

/** Whether the user has an exception for that algorithm. */
export function mayUse({ legacyAlgorithms: exception }: Pick<PartnerUser, 'legacyAlgorithms'>, name: LegacyAlgorithm) {
  return exception !== undefined && exception.allow.includes(name) && Date.parse(exception.until) > Date.now();
}

function isLegacy(name: string): name is LegacyAlgorithm {
  return legacyAlgorithms.some((legacy) => legacy === name);
}

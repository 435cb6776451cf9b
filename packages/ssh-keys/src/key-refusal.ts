import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Why a private key is refused: `about` is what the caller has to correct. */
export class KeyRefusal extends CodedError {
  /** What follows `The private key`. */
  readonly reason: string;
  readonly about: 'privateKey' | 'passphrase';

  constructor(reason: string, about: KeyRefusal['about'] = 'privateKey') {
    super('key_unusable', { detail: `The private key ${reason}` });
    this.reason = reason;
    this.about = about;
  }
}

/** Refuses a private key, without any of its bytes. */
export function refuse(reason: string, about?: KeyRefusal['about']): never {
  throw new KeyRefusal(reason, about);
}

/** Refuses what is no private key. */
export function refuseUnreadable(): never {
  refuse("cannot be read: it is not in OpenSSH's format, PEM or PuTTY's format, or is damaged");
}

import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Responses of any length that this process sends at the same time. */
export interface OpenStreams {
  /** The number of streams. */
  readonly count: number;
  /** Adds a stream of a user, and returns what removes it. @throws CodedError `too_many_requests` */
  open(user: string): () => void;
}

/** How many streams there may be, and what their clients do. */
export interface StreamLimits {
  readonly inAll: number;
  readonly ofUser: number;
  /** Completes `may ...`. */
  readonly action: string;
}

/** How long a refused client is asked to wait. */
const retrySeconds = 30;

/** No streams. Each holds a connection and memory. */
export function createOpenStreams({ inAll, ofUser, action }: StreamLimits): OpenStreams {
  const users = new Map<symbol, string>();
  const refuse = (whose: string): never => {
    const detail = `${whose} may ${action} through one process: try again in ${retrySeconds} seconds`;
    throw new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
  };
  return {
    get count() {
      return users.size;
    },
    open: (user) => {
      if (users.size >= inAll) refuse(`At most ${inAll} clients`);
      if ([...users.values()].filter((name) => name === user).length >= ofUser)
        refuse(`At most ${ofUser} clients of one user`);
      const stream = Symbol(user);
      users.set(stream, user);
      return () => users.delete(stream);
    },
  };
}

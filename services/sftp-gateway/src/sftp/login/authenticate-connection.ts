import { setTimeout as delay } from 'node:timers/promises';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { attemptedUserName, type UserName } from '@waybill/contracts/values/user-name';
import type { PartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { AuthContext, Connection, KeyboardAuthContext, PublicKeyAuthContext } from 'ssh2';
import { disconnectWith } from '../ssh2/ssh2-internals.ts';
import { changeDuePassword, type DuePasswordPorts } from './change-due-password.ts';
import type { KeyHolder, OfferedKey } from './find-user-by-key.ts';
import { promptFor } from './prompt-for.ts';
import { isAcceptableKey, signsWithSha1, verifySignature } from './verify-public-key.ts';

/** The method of a login attempt. */
export type LoginMethod = 'password' | 'keyboard-interactive' | 'publickey';

/** What the logins of one connection need. */
export interface AuthenticationPorts extends DuePasswordPorts {
  readonly failedTries: number;
  readonly failedTryDelayMs: number;
  readonly secondFactors: PartnerSecondFactors;
  /**
   * Returns the result of `find`, and counts failures over the whole cluster.
   * @throws CodedError `too_many_requests`, if there were too many before
   */
  judge(userName: UserName, find: FindUser): Promise<PartnerUser | undefined>;
  findByPassword(userName: UserName, password: string): Promise<PartnerUser | undefined>;
  /** The user, if this is one of the user's keys, and it may be used like this. */
  findByKey(userName: UserName, key: OfferedKey): Promise<KeyHolder | undefined>;
  /** The client has proved to hold this key of the user. */
  keyUsed(holder: KeyHolder): void;
  /** The credentials are right; `key` is the one that signed, if any. An error that it throws fails the login. */
  accept(user: PartnerUser, method: LoginMethod, key: KeyHolder['key'] | undefined): Promise<void>;
  failed(userName: UserName, method: LoginMethod, tries: number): Promise<void>;
  /** There were too many failures before this attempt, or too many sessions are open: the client is told the reason. */
  turnedAway(userName: UserName, method: LoginMethod, reason: CodedError): Promise<void>;
  broke(error: unknown): void;
}

type FindUser = () => Promise<PartnerUser | undefined>;

/** The same for every user, so that they disclose nothing about a user. */
const methods: LoginMethod[] = ['publickey', 'password', 'keyboard-interactive'];
const methodsAfterKey: LoginMethod[] = ['password', 'keyboard-interactive'];
const methodsForCode: LoginMethod[] = ['keyboard-interactive'];
/** An agent offers its keys one after the other, which is not a failed attempt; but their number is limited. */
const mostKeyRequests = 24;
const longestPassword = 1024;
const longestCode = 64;
/** The client is told the reason. */
const refusals = [
  'too_many_requests',
  'session_limit_reached',
  'ssh_algorithm_refused',
  'password_change_required',
  'second_factor_setup_required',
] as const;

/** The password is right, and a code is due. The throttle counts such an attempt neither as failed nor as passed. */
class CodeDue extends Error {
  readonly user: PartnerUser;

  constructor(user: PartnerUser) {
    super('a code of the second factor is due');
    this.user = user;
  }
}

/** Answers the login requests of a connection until one succeeds or too many have failed. */
export function authenticateConnection(client: Connection, ports: AuthenticationPorts): void {
  const dialogue = new LoginDialogue(client, ports);
  client.on('authentication', (context) => {
    dialogue.answer(context).catch((error: unknown) => {
      ports.broke(error);
      disconnectWith(client, 'Logins cannot be checked right now: try again later');
    });
  });
}

class LoginDialogue {
  readonly #client: Connection;
  readonly #ports: AuthenticationPorts;
  #failedTries = 0;
  #keyRequests = 0;
  /** The user who has proved a key and still owes a password. */
  #halfway: PartnerUser | undefined;
  /** The user who has proved the password and still owes a code. */
  #owesCode: PartnerUser | undefined;
  /** The key that was proved last. */
  #proved: KeyHolder | undefined;

  constructor(client: Connection, ports: AuthenticationPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  async answer(context: AuthContext): Promise<void> {
    const userName = attemptedUserName(context.username);
    switch (context.method) {
      case 'password':
        return this.#conclude(context, userName, 'password', () => this.#byPassword(userName, context.password));
      case 'keyboard-interactive': {
        if (this.#owesCode?.name === userName) return this.#concludeWithCode(context, this.#owesCode);
        // The client may take long to respond; nothing is judged meanwhile.
        const [password] = await promptFor(context, ['Password: ']);
        return this.#conclude(context, userName, context.method, () => this.#byPassword(userName, password));
      }
      case 'publickey':
        return this.#byKey(context, userName);
      default:
        // `none` asks for the methods; it is not an attempt.
        return context.reject(methods);
    }
  }

  /**
   * A request to change the password (RFC 4252, section 8) is passed as an object, and counts as a wrong password: it is
   * changed by keyboard-interactive.
   */
  async #byPassword(userName: UserName, password: unknown): Promise<PartnerUser | undefined> {
    if (typeof password !== 'string' || password.length > longestPassword) return undefined;
    const user = await this.#ports.findByPassword(userName, password);
    if (user === undefined || user.authentication === 'key') return undefined;
    // A key and a password are two factors already.
    if (user.authentication === 'both') return this.#halfway?.id === user.id ? user : undefined;
    if ((await this.#ports.secondFactors.demandOn(user)) === 'code') throw new CodeDue(user);
    return user;
  }

  async #byKey(context: PublicKeyAuthContext, userName: UserName): Promise<void> {
    this.#keyRequests += 1;
    if (this.#keyRequests > mostKeyRequests) {
      return disconnectWith(this.#client, 'Too many keys: say which one to use');
    }
    const known = await findByKey(this.#ports, userName, context);
    if (context.signature === undefined) {
      if (known === undefined) context.reject(methods);
      else context.accept();
      return undefined;
    }
    const proved = verifySignature(context) ? known : undefined;
    if (proved !== undefined) {
      this.#proved = proved;
      this.#ports.keyUsed(proved);
    }
    // Not judged here, because a valid key would reset the count of failed passwords that follow it.
    if (proved?.user.authentication === 'both') {
      this.#halfway = proved.user;
      return context.reject(methodsAfterKey, true);
    }
    return this.#conclude(context, userName, 'publickey', async () => proved?.user);
  }

  async #conclude(context: AuthContext, userName: UserName, method: LoginMethod, find: FindUser): Promise<void> {
    try {
      const found = await this.#ports.judge(userName, find);
      if (found === undefined) return await this.#fail(context, userName, method);
      const user = method === 'publickey' ? found : await changeDuePassword(context, found, this.#ports);
      if (method !== 'publickey') await this.#assertSetUp(user);
      await this.#ports.accept(user, method, this.#keyOf(user, method));
      context.accept();
    } catch (error) {
      if (error instanceof CodeDue) return this.#askForCode(context, error.user);
      disconnectWith(this.#client, await turnAway(this.#ports, userName, method, error));
    }
  }

  /** The method `password` has no way to ask: the client goes on with `keyboard-interactive`. */
  async #askForCode(context: AuthContext, user: PartnerUser): Promise<void> {
    this.#owesCode = user;
    if (context.method === 'keyboard-interactive') return this.#concludeWithCode(context, user);
    return context.reject(methodsForCode, true);
  }

  async #concludeWithCode(context: KeyboardAuthContext, user: PartnerUser): Promise<void> {
    const [code = ''] = await promptFor(context, ['Code of the second factor: ']);
    return this.#conclude(context, user.name, context.method, async () => {
      const isProved = code !== '' && code.length <= longestCode && (await this.#ports.secondFactors.prove(user, code));
      return isProved ? user : undefined;
    });
  }

  /** @throws CodedError `second_factor_setup_required` */
  async #assertSetUp(user: PartnerUser): Promise<void> {
    if (user.authentication === 'both' || (await this.#ports.secondFactors.demandOn(user)) !== 'setup') return;
    throw new CodedError('second_factor_setup_required', {
      detail: 'The platform demands a second factor: set one up over HTTP, or log in with a key',
    });
  }

  /** The key that the login was made with, alone or together with a password. */
  #keyOf({ id, authentication }: PartnerUser, method: LoginMethod): KeyHolder['key'] | undefined {
    const isOfLogin = method === 'publickey' || authentication === 'both';
    return isOfLogin && this.#proved?.user.id === id ? this.#proved.key : undefined;
  }

  async #fail(context: AuthContext, userName: UserName, method: LoginMethod): Promise<void> {
    const { failed, failedTries, failedTryDelayMs } = this.#ports;
    this.#failedTries += 1;
    await Promise.all([failed(userName, method, this.#failedTries), delay(failedTryDelayMs)]);
    if (this.#failedTries >= failedTries) disconnectWith(this.#client, 'Too many failed logins');
    else if (this.#owesCode?.name === userName) context.reject(methodsForCode);
    else context.reject(this.#halfway?.name === userName ? methodsAfterKey : methods);
  }
}

/** Returns the message for the client. Anything but a refusal is rethrown. */
async function turnAway(ports: AuthenticationPorts, userName: UserName, method: LoginMethod, reason: unknown) {
  if (!isCodedError(reason, ...refusals)) throw reason;
  await ports.turnedAway(userName, method, reason);
  return reason.message;
}

async function findByKey(ports: AuthenticationPorts, userName: UserName, context: PublicKeyAuthContext) {
  const { key } = context;
  if (!isAcceptableKey(context)) return undefined;
  return ports.findByKey(userName, { type: key.algo, blob: key.data, withSha1: signsWithSha1(context) });
}

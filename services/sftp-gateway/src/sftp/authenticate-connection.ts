import { setTimeout as delay } from 'node:timers/promises';
import { isCodedError, type CodedError } from '@waybill/contracts/coded-error';
import type { PartnerUser } from '@waybill/directory/partner-user';
import type { AuthContext, Connection, KeyboardAuthContext, PublicKeyAuthContext } from 'ssh2';
import { disconnectWith } from './ssh2-internals.ts';
import { isAcceptableKey, verifySignature } from './verify-public-key.ts';

/** How a login was tried. */
export type LoginMethod = 'password' | 'keyboard-interactive' | 'publickey';

/** What the logins of one connection need. */
export interface AuthenticationPorts {
  readonly failedTries: number;
  readonly failedTryDelayMs: number;
  /**
   * Answers what `find` does, and counts failures over the whole cluster.
   * @throws CodedError `too_many_requests`, when there were too many before
   */
  judge(userName: string, find: FindUser): Promise<PartnerUser | undefined>;
  findByPassword(userName: string, password: string): Promise<PartnerUser | undefined>;
  /** The user when this is one of the user's keys: `type` and blob of RFC 4253, section 6.6. */
  findByKey(userName: string, key: { readonly type: string; readonly blob: Buffer }): Promise<PartnerUser | undefined>;
  /** The login is right. What this throws makes it fail all the same. */
  accept(user: PartnerUser, method: LoginMethod): Promise<void>;
  failed(userName: string, method: LoginMethod, tries: number): Promise<void>;
  /** Too many failures were before this try, or too many sessions are open: the client is told why. */
  turnedAway(userName: string, method: LoginMethod, reason: CodedError): Promise<void>;
  broke(error: unknown): void;
}

type FindUser = () => Promise<PartnerUser | undefined>;

const methods: LoginMethod[] = ['publickey', 'password', 'keyboard-interactive'];
/** An agent offers its keys one after the other, which is no failed try; but not without end. */
const mostOfferedKeys = 20;
const longestPassword = 1024;

/** Answers the login requests of a connection until one succeeds or too many failed. */
export function authenticateConnection(client: Connection, ports: AuthenticationPorts): void {
  let failedTries = 0;
  let offeredKeys = 0;

  const fail = async (context: AuthContext, method: LoginMethod): Promise<void> => {
    failedTries += 1;
    await Promise.all([ports.failed(context.username, method, failedTries), delay(ports.failedTryDelayMs)]);
    if (failedTries >= ports.failedTries) disconnectWith(client, 'Too many failed logins');
    else context.reject(methods);
  };
  const conclude = async (context: AuthContext, method: LoginMethod, find: FindUser): Promise<void> => {
    try {
      const user = await ports.judge(context.username, find);
      if (user === undefined) return await fail(context, method);
      await ports.accept(user, method);
      context.accept();
    } catch (error) {
      disconnectWith(client, await turnAway(ports, context.username, method, error));
    }
  };
  const byKey = async (context: PublicKeyAuthContext): Promise<void> => {
    const known = await findByKey(ports, context);
    if (context.signature !== undefined) {
      return conclude(context, 'publickey', async () => (verifySignature(context) ? known : undefined));
    }
    offeredKeys += 1;
    if (known !== undefined) context.accept();
    else if (offeredKeys > mostOfferedKeys) disconnectWith(client, 'Too many keys: say which one to use');
    else context.reject(methods);
  };
  const answer = async (context: AuthContext): Promise<void> => {
    switch (context.method) {
      case 'password':
        return conclude(context, 'password', () => byPassword(ports, context.username, context.password));
      case 'keyboard-interactive':
        return conclude(context, 'keyboard-interactive', await byDialogue(ports, context));
      case 'publickey':
        return byKey(context);
      default:
        // `none` asks which methods there are; it is no try.
        return context.reject(methods);
    }
  };

  client.on('authentication', (context) => {
    answer(context).catch((error: unknown) => {
      ports.broke(error);
      client.end();
    });
  });
}

/** Answers what to tell the client. Anything but a refusal is thrown on. */
async function turnAway(ports: AuthenticationPorts, userName: string, method: LoginMethod, reason: unknown) {
  if (!isCodedError(reason, 'too_many_requests', 'session_limit_reached')) throw reason;
  await ports.turnedAway(userName, method, reason);
  return reason.message;
}

async function findByKey(ports: AuthenticationPorts, context: PublicKeyAuthContext) {
  const { key, username } = context;
  return isAcceptableKey(context) ? ports.findByKey(username, { type: key.algo, blob: key.data }) : undefined;
}

/** Asks for the password. A client may take its time for that, in which nothing is judged yet. */
async function byDialogue(ports: AuthenticationPorts, context: KeyboardAuthContext): Promise<FindUser> {
  const password = await askPassword(context);
  return () => byPassword(ports, context.username, password);
}

async function byPassword(ports: AuthenticationPorts, userName: string, password: string) {
  return password.length > longestPassword ? undefined : ports.findByPassword(userName, password);
}

/** An aborted dialogue answers with an Error in the place of the answers: the login fails then. */
async function askPassword(context: KeyboardAuthContext): Promise<string> {
  const answered = Promise.withResolvers<unknown>();
  context.prompt([{ prompt: 'Password: ', echo: false }], answered.resolve);
  const answers = await answered.promise;
  const first: unknown = Array.isArray(answers) ? answers[0] : undefined;
  return typeof first === 'string' ? first : '';
}

import { randomUUID } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type SessionTermination, sessionTerminationSchema } from '@waybill/contracts/messages/session-termination';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { ServerAddress } from '../domain/sessions/server-session.ts';
import type { SessionTerminator, TerminationOrder } from '../domain/sessions/session-terminator.ts';
import { registryKeys } from './registry-keys.ts';

/** What connects the gateways of a cluster. */
export interface TerminatorOptions {
  readonly redis: RedisConnection;
  /** Used for subscriptions only. */
  readonly subscriber: RedisConnection;
  readonly server: ServerAddress;
  /** Ends a session of this process; false if there is none with that id. */
  terminateOwn(sessionId: string, order: TerminationOrder): Promise<boolean>;
  failed(error: unknown): void;
}

const answerTimeoutMs = 1_000;

const answerSchema = z.object({ requestId: z.string(), terminated: z.boolean() });

/**
 * Sends requests over Redis, whichever process holds the session (including this one), and responds to those of others.
 */
export async function createRedisSessionTerminator(options: TerminatorOptions): Promise<SessionTerminator> {
  const { redis, subscriber, server, terminateOwn, failed } = options;
  const requests = registryKeys.requests(server.clusterName, server.peerName);
  const answerTo = registryKeys.answers(randomUUID());
  const waiting = new Map<string, (terminated: boolean) => void>();

  const serve = async (message: string): Promise<void> => {
    const request = sessionTerminationSchema.parse(JSON.parse(message));
    const isMine = request.serverName === server.serverName;
    const terminated = isMine && (await terminateOwn(request.sessionId, request.order));
    await redis.publish(request.answerTo, JSON.stringify({ requestId: request.requestId, terminated }));
  };
  const receive = (message: string): void => {
    const { requestId, terminated } = answerSchema.parse(JSON.parse(message));
    waiting.get(requestId)?.(terminated);
  };
  subscriber.on('message', (channel, message) => {
    if (channel === answerTo) Promise.resolve(message).then(receive).catch(failed);
    if (channel === requests) serve(message).catch(failed);
  });
  await subscriber.subscribe(requests, answerTo);

  return {
    terminate: async ({ clusterName, peerName, serverName }, sessionId, order) => {
      const requestId = randomUUID();
      const answered = Promise.withResolvers<boolean>();
      const silence = () => answered.reject(new CodedError('peer_not_answering', { detail: silent(peerName) }));
      const timer = setTimeout(silence, answerTimeoutMs);
      let refusals = 0;
      let listeners = Infinity;
      // Several processes may serve the peer: one of them has the session, or all of them respond that they have not.
      const settle = (): void => {
        if (refusals >= listeners) answered.resolve(false);
      };
      waiting.set(requestId, (terminated) => {
        if (terminated) return answered.resolve(true);
        refusals += 1;
        settle();
      });
      try {
        const request = { requestId, serverName, sessionId, order, answerTo } satisfies SessionTermination;
        listeners = await redis.publish(registryKeys.requests(clusterName, peerName), JSON.stringify(request));
        if (listeners === 0) silence();
        settle();
        return await answered.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(requestId);
      }
    },
  };
}

function silent(peerName: string): string {
  return `Peer '${peerName}' did not answer within ${answerTimeoutMs} ms`;
}

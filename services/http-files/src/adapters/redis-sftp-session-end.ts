import { randomUUID } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type SessionTermination, terminationChannel } from '@waybill/contracts/messages/session-termination';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { EndSftpSession } from '../domain/account/own-sessions.ts';

/**
 * Asks the gateways of a peer, as they ask each other. No answer is awaited: the row of the session is gone when it has ended,
 * and a session that ends by itself meanwhile is no failure.
 */
export function createRedisSftpSessionEnd(redis: RedisConnection): EndSftpSession {
  return async ({ id: sessionId, clusterName, peerName, serverName }, userName) => {
    const { address, port, client } = currentClient();
    const request: SessionTermination = {
      requestId: randomUUID(),
      serverName,
      sessionId,
      order: {
        requestedBy: userName,
        requestedFrom: { address, port, client },
        reason: 'You have ended this session over HTTP',
      },
      answerTo: `waybill:http:no-answer:${randomUUID()}`,
    };
    const listeners = await redis.publish(terminationChannel(clusterName, peerName), JSON.stringify(request));
    if (listeners === 0) throw new CodedError('peer_not_answering');
  };
}

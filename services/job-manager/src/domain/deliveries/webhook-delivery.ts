import type { ActorScope } from '@waybill/access/principal';

/** One attempt to deliver a webhook. */
export interface WebhookDelivery {
  readonly id: number;
  readonly job: number;
  /** Its path, for a step of another workflow that a step runs. */
  readonly step: string;
  readonly attempt: number;
  readonly connection: string;
  readonly webhookId: string;
  readonly begunAt: Date;
  readonly durationMs: number;
  /** Of the response. */
  readonly status: number | null;
  /** Code of the error if it was not delivered. */
  readonly error: string | null;
  /** What the error says, if there was no response. */
  readonly reason: string | null;
  /** The delivery that was replayed. */
  readonly replayOf: number | null;
}

/** What a webhook sends. */
export interface WebhookContent {
  readonly connection: string;
  /** Below the address of the connection. */
  readonly path: string;
  readonly body: string;
}

/** A delivery with its body, while that is kept. One that a worker has not replayed yet has no result. */
export interface DeliveryDetails extends WebhookDelivery {
  readonly isPending: boolean;
  readonly body: string | null;
  /** All replays of the first delivery, this one too if it is one; newest first. */
  readonly replays: readonly DeliveryReplay[];
}

/** A replay of a delivery. */
export type DeliveryReplay = Pick<DeliveryDetails, 'id' | 'begunAt' | 'error' | 'isPending'>;

/** Which deliveries to list; the newest first. */
export interface DeliveryQuery {
  readonly connection?: string | undefined;
  readonly job?: number | undefined;
  readonly outcome?: 'delivered' | 'failed' | undefined;
  /** Lists those with lower numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Only those of jobs of these actors. */
  readonly actors?: ActorScope;
}

/** The delivery log, for users. */
export interface WebhookDeliveries {
  list(query: DeliveryQuery): Promise<{ deliveries: readonly WebhookDelivery[]; next: number | undefined }>;
  /** @throws CodedError `webhook_delivery_unknown`, also for jobs of other actors */
  find(id: number, actors: ActorScope): Promise<DeliveryDetails>;
  /**
   * Asks for a replay, which a worker carries out; returns the new delivery. It is audited.
   * @throws CodedError `webhook_delivery_unknown`, `webhook_body_removed`, `webhook_replay_pending`
   */
  requestReplay(id: number, by: { readonly userName: string; readonly actors: ActorScope }): Promise<DeliveryDetails>;
}

/** The delivery log, for one attempt of a step. */
export interface StepDeliveries {
  /**
   * Calls `send`, and logs what came of it as a delivery, with the content. `send` tells the status of the response as soon as it knows it.
   * @throws what `send` throws
   */
  logDelivery<T>(
    content: WebhookContent,
    send: (onStatus: (status: number) => void) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
}

import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { noteAudited } from '@waybill/outbox/refusals/refusal-book';
import type { Database } from '@waybill/postgres/database';
import type { FileboxEvents } from '../events.ts';
import { contextOf } from '../messages/audit-message.ts';
import type { Download } from '../model/download.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import { isWithdrawal, releaseOnFailure, type TransferRight } from '../model/transfer-right.ts';
import type { CommitOptions, Upload } from '../model/upload.ts';

interface RightParts {
  db: Database;
  managerName: string;
  events: Pick<FileboxEvents, 'withdrawalNotRecorded'>;
}

interface RightOptions {
  path: VirtualPath;
  origin: Origin;
  right?: TransferRight | undefined;
}

/**
 * Begins an upload that ends when its right is withdrawn: the written bytes are kept as `suspend` keeps them, every
 * later call fails with the reason, and the end is audited. Without a right it is the plain upload.
 */
export async function uploadWithRight(
  parts: RightParts,
  options: RightOptions,
  begin: () => Promise<Upload>,
): Promise<Upload> {
  const { right } = options;
  const upload = await releaseOnFailure(right, begin);
  return right === undefined ? upload : new UploadWithRight(parts, { ...options, right, upload });
}

class UploadWithRight implements Upload {
  readonly #parts: RightParts;
  readonly #options: RightOptions;
  readonly #upload: Upload;
  readonly #right: TransferRight;
  /** Set if the right was withdrawn before the upload ended; settles when the end is complete. */
  #ending: Promise<void> | undefined;

  constructor(
    parts: RightParts,
    { upload, right, ...options }: RightOptions & { right: TransferRight; upload: Upload },
  ) {
    this.#parts = parts;
    this.#options = options;
    this.#upload = upload;
    this.#right = right;
    right.signal.addEventListener('abort', this.#withdraw);
    if (right.signal.aborted) this.#withdraw();
  }

  get blobId(): string {
    return this.#upload.blobId;
  }

  size(): number {
    return this.#upload.size();
  }

  write(chunk: Uint8Array, offset: number): Promise<void> {
    return this.#refusal() ?? this.#upload.write(chunk, offset);
  }

  truncate(size: number): Promise<void> {
    return this.#refusal() ?? this.#upload.truncate(size);
  }

  read(offset: number, length: number): Promise<Buffer> {
    return this.#refusal() ?? this.#upload.read(offset, length);
  }

  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    return this.#refusal() ?? this.#upload.copyFrom(source);
  }

  sync(): Promise<void> {
    return this.#refusal() ?? this.#upload.sync();
  }

  moveTo(path: VirtualPath): void {
    this.#upload.moveTo(path);
  }

  setModifiedAt(at: Date): void {
    this.#upload.setModifiedAt(at);
  }

  addMetadata(values: Readonly<Record<string, string>>): void {
    this.#upload.addMetadata(values);
  }

  async commit(options?: CommitOptions): Promise<FileEntry> {
    // The caller learns of the withdrawal when it is recorded.
    await this.#ending;
    await this.#refusal();
    // From here on the statement that commits checks the right.
    this.#stopWatching();
    try {
      return await this.#upload.commit(options);
    } catch (error) {
      if (isWithdrawal(this.#right, error)) await this.#record();
      throw error;
    } finally {
      this.#right[Symbol.dispose]();
    }
  }

  discard(): Promise<void> {
    return this.#end(() => this.#upload.discard());
  }

  suspend(): Promise<void> {
    return this.#end(() => this.#upload.suspend());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.discard();
  }

  readonly #withdraw = (): void => {
    // At once: the calls that fail from now on, with this reason, are not recorded too.
    noteAudited(this.#right.signal.reason);
    this.#ending ??= this.#giveUp();
  };

  async #giveUp(): Promise<void> {
    this.#stopWatching();
    this.#right[Symbol.dispose]();
    // If suspending fails, the sweeper removes the upload; nothing of it is committed.
    await this.#upload.suspend().catch(() => {});
    await this.#record();
  }

  #refusal(): Promise<never> | undefined {
    return this.#ending && refuse(this.#right.signal);
  }

  #stopWatching(): void {
    this.#right.signal.removeEventListener('abort', this.#withdraw);
  }

  async #end(end: () => Promise<void>): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    this.#stopWatching();
    this.#right[Symbol.dispose]();
    return end();
  }

  async #record(): Promise<void> {
    const { path, origin } = this.#options;
    const { db, managerName, events } = this.#parts;
    const reason: unknown = this.#right.signal.reason;
    noteAudited(reason);
    const why = reason instanceof Error ? reason.message : 'the right to it was withdrawn';
    const payload = composeAuditEvent('uploadRefused', {
      user: origin.userName,
      nodeId: origin.peerName,
      managerName,
      entityType: 'File',
      entityName: path,
      entityId: path,
      dfiid: origin.dfic?.dfiid,
      names: { path, reason: why },
      context: { ...contextOf(origin), outcome: isCodedError(reason) ? reason.code : undefined, reason: why },
    });
    try {
      await appendToOutbox(db, [{ topic: 'audit-event', payload }]);
    } catch (error) {
      events.withdrawalNotRecorded(this.blobId, error);
    }
  }
}

async function refuse(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  throw new Error('the right was not withdrawn');
}

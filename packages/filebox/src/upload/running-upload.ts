import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobRemover } from '../blobs/blob-remover.ts';
import type { BlobStores } from '../blobs/blob-store.ts';
import { extendMetadata, type ParsedMetadata } from '../entries/system-metadata.ts';
import type { FileboxEvents } from '../events.ts';
import type { QuotaReservations } from '../limits/quota-reservations.ts';
import { discardedUploadError } from '../model/discarded-upload-error.ts';
import type { Download } from '../model/download.ts';
import type { FileEntry } from '../model/entry.ts';
import { isPassing } from '../model/transfer-right.ts';
import type { CommitOptions, Upload } from '../model/upload.ts';
import type { BegunUpload } from './begun-upload.ts';
import { commitUpload, type CommitParts, type CommittedUpload, type UploadToCommit } from './commit-upload.ts';
import { copyContent } from './copy-content.ts';
import { findCommittedFile } from './find-committed-file.ts';
import { RunningCopies } from './running-copies.ts';
import { UploadContent } from './upload-content.ts';
import { holdUploadLease, type UploadLease } from './upload-lease.ts';
import { UploadState } from './upload-state.ts';

/** What uploads need. */
export interface UploadParts extends CommitParts {
  stores: BlobStores;
  remover: BlobRemover;
  keeper: QuotaReservations;
  events: FileboxEvents;
}

/** An upload in the process that holds it: open until a commit, suspension, discard, failed write or lost lease ends it. */
export class RunningUpload implements Upload {
  readonly blobId: string;
  readonly #parts: UploadParts;
  readonly #state: UploadState;
  readonly #lease: UploadLease;
  readonly #content: UploadContent;
  /** Later calls, and the end, take effect after them. */
  readonly #copies = new RunningCopies();
  #begun: BegunUpload;
  #metadata: ParsedMetadata;
  #modifiedAt: Date | undefined;
  /** Settles when a failed upload has released its resources. */
  #left: Promise<unknown> | undefined;

  constructor(parts: UploadParts, begun: BegunUpload) {
    this.blobId = begun.blobId;
    this.#parts = parts;
    this.#begun = begun;
    this.#metadata = begun.metadata;
    const state = new UploadState((error) => this.#leaveFailed(error));
    const onLost = (error: unknown): unknown => state.fail(error);
    const lease = holdUploadLease({ ...parts, ...begun, onLost, sizeBytes: () => this.size() });
    this.#state = state;
    this.#lease = lease;
    this.#content = new UploadContent({ writer: begun.writer, assure: (size) => lease.assure(size), state });
  }

  size(): number {
    return this.#content.size;
  }

  async write(chunk: Uint8Array, offset: number): Promise<void> {
    this.#state.assertOpen();
    if (this.#copies.settled) await this.#copies.settled;
    await this.#content.write(chunk, offset);
  }

  async truncate(size: number): Promise<void> {
    this.#state.assertOpen();
    if (this.#copies.settled) await this.#copies.settled;
    await this.#content.truncate(size);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    this.#state.assertOpen();
    if (this.#copies.settled) await this.#copies.settled;
    return this.#content.read(offset, length);
  }

  async copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    this.#state.assertOpen();
    await this.#copies.run(() => this.#copy(source));
  }

  async sync(): Promise<void> {
    this.#state.assertOpen();
    if (this.#copies.settled) await this.#copies.settled;
    await this.#content.sync();
  }

  moveTo(path: VirtualPath): void {
    this.#begun = { ...this.#begun, path, overwrite: true };
  }

  setModifiedAt(at: Date): void {
    this.#modifiedAt = at;
  }

  addMetadata(values: Readonly<Record<string, string>>): void {
    this.#metadata = extendMetadata(this.#metadata, values);
  }

  async commit(options: CommitOptions = {}): Promise<FileEntry> {
    this.#state.assertOpen();
    this.#state.enter('committing');
    const startedAt = performance.now();
    const { remover, events, observe } = this.#parts;
    const { file, replacedBlobId } = await this.#commit(options);
    this.#state.enter('committed');
    this.#lease[Symbol.dispose]();
    events.fileStored(file, (performance.now() - startedAt) / 1_000);
    await observe('committed');
    if (replacedBlobId !== undefined) remover.removeSoon(replacedBlobId);
    return file;
  }

  async suspend(): Promise<void> {
    await this.#end(() => this.#begun.keptAfterFailure || (this.#begun.resumable && this.size() > 0));
  }

  async discard(): Promise<void> {
    await this.#end(() => this.#begun.resumed && !this.#content.isTouched);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.discard();
  }

  async #commit(options: CommitOptions): Promise<CommittedUpload> {
    let contentBlobId = this.blobId;
    try {
      await this.#copies.settled;
      await this.#content.idle();
      await this.#lease.assure();
      contentBlobId = this.#content.shared?.blobId ?? this.blobId;
      return (await this.#commitShared(options)) ?? (await this.#commitOwn(options));
    } catch (error) {
      const wasRemoved = await this.#leave(error);
      const file = wasRemoved || isCodedError(error) ? undefined : await this.#recover(error, contentBlobId);
      if (file) return { file, replacedBlobId: undefined };
      this.#parts.events.uploadEnded('failed', this.blobId, error);
      this.#state.enter('failed');
      throw !wasRemoved && isCodedError(error, 'content_missing') ? discardedUploadError({ cause: error }) : error;
    }
  }

  async #commitOwn(options: CommitOptions): Promise<CommittedUpload> {
    const { store, writer } = this.#begun;
    this.#content.own();
    await this.#content.idle();
    const size = this.size();
    await this.#parts.observe('contentWritten');
    await writer.seal();
    const sha256 = (await this.#content.digest()) ?? (await store.digest(this.blobId));
    const committed = await this.#commitContent({ contentBlobId: this.blobId, size, sha256 }, options);
    if (committed) return committed;
    throw new Error('an upload that shares no content cannot lack it');
  }

  /** Undefined if nothing is shared, or the shared file was deleted. */
  async #commitShared(options: CommitOptions): Promise<CommittedUpload | undefined> {
    const { shared } = this.#content;
    if (!shared) return undefined;
    const { blobId: contentBlobId, size, sha256 } = shared;
    const committed = await this.#commitContent({ contentBlobId, size, sha256 }, options);
    if (!committed) return undefined;
    await this.#content.release();
    await this.#begun.writer.close();
    this.#parts.remover.removeSoon(this.blobId);
    return committed;
  }

  #commitContent(content: Pick<UploadToCommit, 'contentBlobId' | 'size' | 'sha256'>, options: CommitOptions) {
    const described = { metadata: this.#metadata, modifiedAt: this.#modifiedAt };
    return commitUpload(this.#parts, { ...this.#begun, ...described, ...content }, options);
  }

  /** The file of a commit that took effect, and whose result was lost. */
  async #recover(failure: unknown, contentBlobId: string): Promise<FileEntry | undefined> {
    const { db, events } = this.#parts;
    // Without a response the client receives a failure: that may be wrong, but is never a false success.
    const committed = await findCommittedFile(db, { ...this.#begun, contentBlobId }).catch(() => undefined);
    if (committed) events.commitRecovered(committed, failure);
    return committed;
  }

  async #end(isKept: () => boolean): Promise<void> {
    if (this.#copies.settled) await this.#copies.settled;
    if (!this.#state.isOpen) {
      await this.#left;
      return;
    }
    const end = isKept() ? 'suspended' : 'discarded';
    this.#state.enter(end);
    // A discarded upload no longer waits for room.
    if (end === 'discarded') this.#lease[Symbol.dispose]();
    if (end === 'suspended') this.#content.own();
    const failure = await this.#content.idle().catch((error: unknown) => ({ error }));
    if (end === 'discarded') await this.#discard();
    else if (failure) await this.#leave(failure.error);
    else await this.#keep(() => this.#begun.writer.sync());
    this.#parts.events.uploadEnded(end, this.blobId);
  }

  /** Closes what was written, to be resumed, after a last step that may fail. */
  async #keep(lastStep = async (): Promise<void> => {}): Promise<void> {
    this.#lease[Symbol.dispose]();
    try {
      await lastStep();
    } finally {
      await this.#begun.writer.close().catch(() => {});
      await this.#lease.release(this.size());
    }
  }

  async #copy(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    await copyContent(source, { store: this.#begun.store, content: this.#content });
    // What is shared is not written, but counts.
    try {
      await this.#lease.assure(this.size());
    } catch (error) {
      throw this.#state.fail(error);
    }
  }

  /** Returns whether the upload existed. The sweeper removes what cannot be removed now. */
  async #discard(): Promise<boolean> {
    this.#lease[Symbol.dispose]();
    await this.#copies.settled;
    const { store, writer } = this.#begun;
    await this.#content.release().catch(() => {});
    await writer.close().catch(() => {});
    const wasOurs = await this.#lease.remove().catch(() => false);
    if (wasOurs) await store.remove(this.blobId).catch(() => {});
    return wasOurs;
  }

  /** Releases the room immediately. */
  #leaveFailed(failure: unknown): void {
    this.#parts.events.uploadEnded('failed', this.blobId, failure);
    this.#left = this.#leave(failure);
  }

  /** After a failure: keeps what can be resumed if another attempt may succeed. Returns whether the upload was removed. */
  async #leave(failure: unknown): Promise<boolean> {
    if (!this.#begun.keptAfterFailure || !isPassing(failure, this.#begun.right)) return this.#discard();
    await this.#keep().catch(() => {});
    return false;
  }
}

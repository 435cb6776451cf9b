import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobRemover } from '../blobs/blob-remover.ts';
import type { BlobStores } from '../blobs/blob-stores.ts';
import { parseMetadata, type ParsedMetadata } from '../entries/system-metadata.ts';
import type { FileboxEvents } from '../events.ts';
import type { QuotaReservations } from '../limits/quota-reservations.ts';
import type { Download } from '../model/download.ts';
import type { FileEntry } from '../model/entry.ts';
import { isPassing } from '../model/transfer-right.ts';
import type { CommitOptions, Upload } from '../model/upload.ts';
import type { BegunUpload } from './begun-upload.ts';
import { commitUpload, type CommitParts, type CommittedUpload, type UploadToCommit } from './commit-upload.ts';
import { copyContent } from './copy-content.ts';
import { findCommittedFile } from './find-committed-file.ts';
import { createShareableContent, type ShareableContent } from './shareable-content.ts';
import { createUploadContent } from './upload-content.ts';
import { holdUploadLease, type UploadLease } from './upload-lease.ts';

/** What uploads work with. */
export interface UploadParts extends CommitParts {
  stores: BlobStores;
  remover: BlobRemover;
  keeper: QuotaReservations;
  events: FileboxEvents;
}

/** An upload as one process holds it: open until commit, suspend, discard, a failed write or a lost lease ends it. */
export class RunningUpload implements Upload {
  readonly blobId: string;
  readonly #parts: UploadParts;
  #begun: BegunUpload;
  readonly #lease: UploadLease;
  readonly #content: ShareableContent;
  #modifiedAt: Date | undefined;
  #metadata: ParsedMetadata;
  #failure: { error: unknown } | undefined;
  #open = true;
  #discarded: Promise<unknown> | undefined;

  constructor(parts: UploadParts, begun: BegunUpload) {
    const { writer, resumable } = begun;
    this.#parts = parts;
    this.#begun = begun;
    this.blobId = begun.blobId;
    this.#metadata = begun.metadata;
    const onFailure = (error: unknown): void => this.#fail(error);
    const sizeBytes = (): number => this.size();
    this.#lease = holdUploadLease({ ...parts, ...begun, resumable, onLost: onFailure, sizeBytes });
    const content = createUploadContent({ writer, assure: (size) => this.#lease.assure(size), onFailure });
    this.#content = createShareableContent(content, onFailure);
  }

  size(): number {
    return this.#content.size();
  }

  async write(chunk: Uint8Array, offset: number): Promise<void> {
    this.#assertOpen();
    await this.#content.write(chunk, offset);
  }

  async truncate(size: number): Promise<void> {
    this.#assertOpen();
    await this.#content.truncate(size);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    this.#assertOpen();
    return this.#content.read(offset, length);
  }

  async copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    this.#assertOpen();
    await copyContent(source, { store: this.#begun.store, content: this.#content });
    // What is shared is not written, but counts.
    await this.#lease.assure(this.size())?.catch((error: unknown) => {
      this.#fail(error);
      throw error;
    });
  }

  async sync(): Promise<void> {
    this.#assertOpen();
    await this.#content.sync();
  }

  moveTo(path: VirtualPath): void {
    this.#begun = { ...this.#begun, path, overwrite: true };
  }

  setModifiedAt(at: Date): void {
    this.#modifiedAt = at;
  }

  setMetadata(values: Readonly<Record<string, string>>): void {
    this.#metadata = parseMetadata(values);
  }

  async commit(options: CommitOptions = {}): Promise<FileEntry> {
    this.#assertOpen();
    this.#open = false;
    const startedAt = performance.now();
    const { remover, events, observe } = this.#parts;
    const { file, replacedBlobId } = await this.#commit(options);
    this.#lease[Symbol.dispose]();
    events.fileStored(file, (performance.now() - startedAt) / 1_000);
    await observe('committed');
    if (replacedBlobId !== undefined) remover.removeSoon(replacedBlobId);
    return file;
  }

  async discard(): Promise<void> {
    await this.#end(this.#begun.resumed && !this.#content.isTouched() ? 'suspended' : 'aborted');
  }

  async suspend(): Promise<void> {
    const { resumable, keptAfterFailure } = this.#begun;
    await this.#end(keptAfterFailure || (resumable && this.size() > 0) ? 'suspended' : 'aborted');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }

  async #commit(options: CommitOptions): Promise<CommittedUpload> {
    const { blobId } = this.#begun;
    let contentBlobId = blobId;
    try {
      await this.#content.idle();
      await this.#lease.assure();
      contentBlobId = this.#content.shared()?.blobId ?? blobId;
      return (await this.#commitShared(options)) ?? (await this.#commitOwn(options));
    } catch (error) {
      const recovered = await this.#recover(error, contentBlobId);
      if (recovered) return { file: recovered, replacedBlobId: undefined };
      throw error;
    }
  }

  async #commitOwn(options: CommitOptions): Promise<CommittedUpload> {
    const { store, writer, blobId } = this.#begun;
    await this.#content.own();
    const size = this.size();
    await this.#parts.observe('contentWritten');
    await writer.seal();
    const sha256 = (await this.#content.digest()) ?? (await store.digest(blobId));
    const committed = await this.#commitContent({ contentBlobId: blobId, size, sha256 }, options);
    if (committed) return committed;
    throw new Error('an upload of bytes of its own cannot lack them');
  }

  /** Undefined when nothing is shared, or the file is gone that it was shared with. */
  async #commitShared(options: CommitOptions): Promise<CommittedUpload | undefined> {
    const shared = this.#content.shared();
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

  /** After a failed commit: removes everything, unless the commit took effect and only its answer was lost. */
  async #recover(error: unknown, contentBlobId: string): Promise<FileEntry | undefined> {
    const { events } = this.#parts;
    const undone = await this.#leave(error);
    const committed = undone || isCodedError(error) ? undefined : await this.#findCommitted(contentBlobId);
    if (committed) events.commitRecovered(committed, error);
    else events.uploadEnded('failed', this.blobId, error);
    return committed;
  }

  async #findCommitted(contentBlobId: string): Promise<FileEntry | undefined> {
    try {
      return await findCommittedFile(this.#parts.db, { ...this.#begun, contentBlobId });
    } catch {
      // The database cannot be asked: the uploader hears of a failure, which may be untrue but is never a false success.
      return undefined;
    }
  }

  async #end(end: 'aborted' | 'suspended'): Promise<void> {
    if (!this.#open) {
      await this.#discarded;
      return;
    }
    this.#open = false;
    const { writer } = this.#begun;
    // A discarded upload does not wait for room any more.
    if (end === 'aborted') this.#lease[Symbol.dispose]();
    const settled = end === 'suspended' ? this.#content.own() : this.#content.idle();
    const intact = await settled.then(
      () => true,
      () => false,
    );
    if (end === 'suspended' && intact) {
      this.#lease[Symbol.dispose]();
      await writer.sync();
      await writer.close();
      await this.#lease.release(this.size());
    } else {
      await this.#discard();
    }
    this.#parts.events.uploadEnded(end, this.blobId);
  }

  /** Gives the room back at once; every later call tells why. */
  #fail(error: unknown): void {
    if (!this.#open) return;
    this.#open = false;
    this.#failure = { error };
    this.#parts.events.uploadEnded('failed', this.blobId, error);
    this.#discarded = this.#leave(error);
  }

  /** After a failure: keeps what a client was promised where another try may succeed. Returns whether an intent was taken back. */
  async #leave(failure: unknown): Promise<boolean> {
    if (!this.#begun.keptAfterFailure || !isPassing(failure, this.#begun.right)) return this.#discard();
    this.#lease[Symbol.dispose]();
    await this.#begun.writer.close().catch(() => {});
    await this.#lease.release(this.size()).catch(() => {});
    return false;
  }

  /** Answers whether there was an intent to take back. What cannot be removed now is the sweeper's. */
  async #discard(): Promise<boolean> {
    this.#lease[Symbol.dispose]();
    const { store, writer } = this.#begun;
    await this.#content.release().catch(() => {});
    await writer.close().catch(() => {});
    const ours = await this.#lease.remove().catch(() => false);
    if (ours) await store.remove(this.blobId).catch(() => {});
    return ours;
  }

  #assertOpen(): void {
    if (this.#failure) throw this.#failure.error;
    if (!this.#open) throw new CodedError('upload_incomplete', { detail: 'The upload has ended' });
  }
}

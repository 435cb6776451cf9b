import { CodedError, isCodedError } from '@waybill/contracts/coded-error';
import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { BlobRemover } from './blob-remover.ts';
import type { BlobStore, BlobWriter } from './blob-store.ts';
import type { BlobStores } from './blob-stores.ts';
import { deliverUpload, findDelivered, type DeliveryParts } from './deliver-upload.ts';
import type { FileEntry } from './entry.ts';
import type { FileboxEvents } from './events.ts';
import type { Origin } from './origin.ts';
import { parseMetadata, type ParsedMetadata } from './system-metadata.ts';
import { createUploadContent, type UploadContent } from './upload-content.ts';
import { holdUploadLease, type UploadLease } from './upload-lease.ts';
import type { CommitOptions, Upload, UploadOptions } from './upload.ts';

/** What uploads work with. */
export interface UploadParts extends DeliveryParts {
  stores: BlobStores;
  remover: BlobRemover;
  events: FileboxEvents;
}

/** One upload that was begun. */
export interface BegunUpload {
  vfsId: string;
  path: VirtualPath;
  blobId: string;
  store: BlobStore;
  holder: string;
  writer: BlobWriter;
  origin: Origin;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  keepPartial: boolean;
  /** It is kept whatever happens, but for a full disk or a refused delivery: see `StagedUploads`. */
  staged: boolean;
  /** How long it is held without a sign of life. */
  leaseSeconds: number;
  temporaryName: boolean;
  /** It goes on with an interrupted upload. */
  takenUp: boolean;
  mediaType: string;
  metadata: ParsedMetadata;
}

/** An upload as one process holds it: open until commit, abort, suspend, a failed write or a lost lease ends it. */
export class RunningUpload implements Upload {
  readonly blobId: string;
  readonly #parts: UploadParts;
  readonly #begun: BegunUpload;
  readonly #lease: UploadLease;
  readonly #content: UploadContent;
  #modifiedAt: Date | undefined;
  #metadata: ParsedMetadata;
  #failure: { error: unknown } | undefined;
  #open = true;
  #discarded: Promise<void> | undefined;

  constructor(parts: UploadParts, begun: BegunUpload) {
    const { blobId, holder, writer, leaseSeconds, keepPartial: resumable } = begun;
    this.#parts = parts;
    this.#begun = begun;
    this.blobId = blobId;
    this.#metadata = begun.metadata;
    const onFailure = (error: unknown): void => this.#fail(error);
    this.#lease = holdUploadLease({ db: parts.db, blobId, holder, resumable, leaseSeconds, onLost: onFailure });
    this.#content = createUploadContent({ writer, assure: () => this.#lease.assure(), onFailure });
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

  async sync(): Promise<void> {
    this.#assertOpen();
    await this.#content.sync();
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
    const { file, replacedBlobId } = await this.#deliver(options);
    this.#lease[Symbol.dispose]();
    events.fileStored(file, (performance.now() - startedAt) / 1_000);
    await observe('committed');
    if (replacedBlobId !== undefined) remover.removeSoon(replacedBlobId);
    return file;
  }

  async abort(): Promise<void> {
    await this.#end(this.#begun.takenUp && !this.#content.isTouched() ? 'suspended' : 'aborted');
  }

  async suspend(): Promise<void> {
    const { keepPartial, staged } = this.#begun;
    await this.#end(staged || (keepPartial && this.size() > 0) ? 'suspended' : 'aborted');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.abort();
    await this.#discarded;
  }

  async #deliver(options: CommitOptions) {
    const { store, writer, blobId, vfsId, path, holder, overwrite, inPlaceOf } = this.#begun;
    const { mediaType, origin, temporaryName } = this.#begun;
    try {
      await this.#content.idle();
      await this.#lease.assure();
      await writer.seal();
      const sha256 = this.#content.digest() ?? (await store.digest(blobId));
      const written = { size: this.size(), sha256, metadata: this.#metadata, modifiedAt: this.#modifiedAt };
      const place = { vfsId, path, blobId, holder, overwrite, inPlaceOf, mediaType, origin, temporaryName };
      return await deliverUpload(this.#parts, { ...place, ...written }, options);
    } catch (error) {
      const recovered = await this.#recover(error);
      if (recovered) return { file: recovered, replacedBlobId: undefined };
      throw error;
    }
  }

  /** After a failed commit: removes everything, unless the commit took effect and only its answer was lost. */
  async #recover(error: unknown): Promise<FileEntry | undefined> {
    const { events } = this.#parts;
    await this.#leave(error);
    const delivered = isCodedError(error) ? undefined : await this.#findDelivered();
    if (delivered) events.commitRecovered(delivered, error);
    else events.uploadEnded('failed', this.blobId, error);
    return delivered;
  }

  async #findDelivered(): Promise<FileEntry | undefined> {
    try {
      return await findDelivered(this.#parts.db, this.blobId, this.#begun.path);
    } catch {
      // The database cannot be asked: the uploader hears of a failure, which may be untrue but is never a false success.
      return undefined;
    }
  }

  async #end(end: 'aborted' | 'suspended'): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    const { writer } = this.#begun;
    const intact = await this.#content.idle().then(
      () => true,
      () => false,
    );
    if (end === 'suspended' && intact) {
      this.#lease[Symbol.dispose]();
      await writer.sync();
      await writer.close();
      await this.#lease.release();
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

  /** After a failure: what another try may not meet again is no reason to lose what a client was promised to be kept. */
  async #leave(failure: unknown): Promise<void> {
    const isPassing = !isCodedError(failure) || isCodedError(failure, 'service_unavailable');
    if (!this.#begun.staged || !isPassing) return this.#discard();
    this.#lease[Symbol.dispose]();
    await this.#begun.writer.close().catch(() => {});
    await this.#lease.release().catch(() => {});
  }

  /** What cannot be removed now is the sweeper's. */
  async #discard(): Promise<void> {
    this.#lease[Symbol.dispose]();
    const { store, writer } = this.#begun;
    await writer.close().catch(() => {});
    const ours = await this.#lease.giveUp().catch(() => false);
    if (ours) await store.remove(this.blobId).catch(() => {});
  }

  #assertOpen(): void {
    if (this.#failure) throw this.#failure.error;
    if (!this.#open) throw new CodedError('upload_incomplete', { detail: 'The upload has ended' });
  }
}

import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf } from '@waybill/contracts/values/virtual-path';
import type { Download } from '@waybill/filebox/model/download';
import type { EntryDescription, EntryIdentity } from './entry-description.ts';
import type { OpenPlace } from './open-place.ts';
import type { WrittenFileOptions, WrittenUpload } from './written-upload.ts';

interface PendingAttributes {
  readonly modifiedAt?: Date;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * A file that a session writes: what all of its handles have in common. Each CLOSE commits what was written until then; the
 * handles that are still open go on from there.
 */
export class WrittenFile {
  /** The session has begun a new version of the file since, and has not written to this one after that. */
  isOutdated = false;
  /** Until what a CLOSE commits is stored. It never rejects; whatever asks for the version waits for it. */
  committing: Promise<void> | undefined;
  readonly #options: WrittenFileOptions<WrittenFile>;
  readonly #running = new Set<Promise<unknown>>();
  #upload: WrittenUpload | undefined;
  #reopening: Promise<WrittenUpload> | undefined;
  #handles = 1;
  #touched: boolean;
  /** What was set since the latest commit and belongs to the next upload. */
  #pending: PendingAttributes = {};
  #changedAt = new Date();
  /** As it was set. */
  #modifiedAt: Date | undefined;
  #committedSize = 0;
  #committedId: string | undefined;
  #successor: WrittenFile | undefined;
  #firstError: { readonly error: unknown } | undefined;

  constructor(upload: WrittenUpload, options: WrittenFileOptions<WrittenFile>) {
    this.#upload = upload;
    this.#options = options;
    this.#touched = options.commitUntouched;
  }

  get place(): OpenPlace {
    return this.#options.place;
  }

  /** Which version it began with. */
  get identity(): EntryIdentity {
    return this.#options.identity;
  }

  /** Names what is written and not committed. */
  get blobId(): string | undefined {
    return this.#upload?.blobId;
  }

  /** The file that the latest commit made. */
  get committedId(): string | undefined {
    return this.#committedId;
  }

  /** The version that its handles belong to by now. */
  get current(): WrittenFile {
    return this.#successor?.current ?? this;
  }

  /** It was committed, and nothing was done to it since. */
  get isIdle(): boolean {
    return !this.#upload && !this.#reopening && this.#running.size === 0 && !this.#firstError;
  }

  /** True while closing it would change nothing: a file that was there before, and was not written to yet. */
  get isUntouched(): boolean {
    return !this.#touched;
  }

  /** As it would be once it is closed now. */
  describe(): EntryDescription {
    const modifiedAt = this.#modifiedAt ?? (this.isUntouched ? this.#options.modifiedAt : undefined) ?? this.#changedAt;
    const size = this.#upload?.size() ?? this.#committedSize;
    return { kind: 'file', name: nameOf(this.place.path), size, modifiedAt, accessedAt: modifiedAt };
  }

  /** One more handle. */
  share(): this {
    this.#handles += 1;
    return this;
  }

  /** Writes at an offset, or at the end. Resolves when the bytes are written; calls may overlap, and their order is kept. */
  write(data: Buffer, offset: number | 'end'): Promise<void> {
    return this.#track(this.#use((upload) => upload.write(data, offset === 'end' ? upload.size() : offset)));
  }

  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    return this.#track(this.#use((upload) => upload.copyFrom(source)));
  }

  /** What the file is so far, every write called before included. Nothing at the end. */
  read(offset: number, length: number): Promise<Buffer> {
    const reading = this.#use((upload) => upload.read(offset, length));
    this.#wait(reading, () => {});
    return reading;
  }

  /** Cuts or fills up. Some clients announce the size it already has: that is no change worth a new version. */
  async truncate(size: number): Promise<void> {
    if (this.committing) await this.committing;
    if (size !== this.describe().size) await this.#track(this.#use((upload) => upload.truncate(size)));
  }

  /** What is written so far survives a crash of the machine. */
  async sync(): Promise<void> {
    if (this.committing) await this.committing;
    await this.#upload?.sync();
  }

  /** What the file is committed with; by itself no reason to commit a file that was there before. */
  setModifiedAt(at: Date): void {
    this.#modifiedAt = at;
    if (this.#upload && !this.committing) this.#upload.setModifiedAt(at);
    else this.#pending = { ...this.#pending, modifiedAt: at };
  }

  /** As `setModifiedAt`. */
  addMetadata(values: Readonly<Record<string, string>>): void {
    if (this.#upload && !this.committing) this.#upload.addMetadata(values);
    else this.#pending = { ...this.#pending, metadata: { ...this.#pending.metadata, ...values } };
  }

  /** The session has renamed the uploads with these blob ids. */
  noteRename(blobIds: readonly string[]): void {
    if (this.#upload && blobIds.includes(this.#upload.blobId)) this.#upload.moveTo(this.place.vfsPath);
  }

  /**
   * Ends a handle: waits for the writes under way, then commits what was written. Commits nothing when the session has removed
   * or replaced the file. @throws the first error of any write, and commits nothing then
   */
  async close(): Promise<void> {
    await this.#settle();
    if (this.#successor) return this.#successor.close();
    const isLast = this.#release();
    if (this.#firstError) {
      await this.#upload?.discard();
      throw this.#firstError.error instanceof Error ? this.#firstError.error : new CodedError('upload_incomplete');
    }
    if (this.place.isGone || !this.#touched) {
      if (isLast) await this.#upload?.discard();
    } else {
      await this.#commit();
    }
  }

  /** The client is gone: what was written can be resumed, an upload without a byte is discarded. */
  async suspend(): Promise<void> {
    await this.#settle();
    if (this.#successor) return this.#successor.suspend();
    if (!this.#release()) return;
    const isKept = !this.#firstError && this.#touched && !this.place.isGone;
    if (isKept && this.describe().size > 0) await this.#upload?.suspend();
    else await this.#upload?.discard();
  }

  /** What was read and cannot be audited counts as a failure. */
  fail(error: unknown): void {
    this.#firstError ??= { error };
  }

  #release(): boolean {
    this.#handles -= 1;
    if (this.#handles > 0) return false;
    this.#options.openFiles.closeWritten(this);
    return true;
  }

  /** What is under way is done, and no other handle is committing the file. */
  async #settle(): Promise<void> {
    await Promise.all(this.#running);
    while (this.committing) await this.committing;
  }

  async #commit(): Promise<void> {
    const upload = this.#upload;
    if (!upload) return;
    const storing = this.#store(upload);
    this.committing = storing.catch(() => {});
    // The first that is done then: what other handles wait with keeps its order.
    void this.committing.then(() => (this.committing = undefined));
    await storing;
    await this.#options.openFiles.noteCommit(this, this.#options.look);
  }

  async #store(upload: WrittenUpload): Promise<void> {
    const changedAt = this.#changedAt;
    this.#committedSize = upload.size();
    const { id, path } = await upload.commit();
    this.#committedId = id;
    this.place.relocate(path);
    this.#upload = undefined;
    // What another handle does in the meantime is for the next version.
    if (this.#changedAt === changedAt) this.#touched = false;
  }

  /** Another version was committed in place of this one: its handles go on from that, and what was written to it is dropped. */
  async joinTo(successor: WrittenFile): Promise<void> {
    const upload = this.#upload;
    this.#upload = undefined;
    this.#successor = successor;
    successor.#handles += this.#handles;
    this.#handles = 0;
    this.#options.openFiles.closeWritten(this);
    await Promise.all(this.#running);
    await upload?.discard();
  }

  #use<T>(work: (upload: WrittenUpload) => Promise<T>): Promise<T> {
    if (this.committing) return this.committing.then(() => this.current.#use(work));
    return this.#upload ? work(this.#upload) : this.#reopenFor(work);
  }

  async #reopenFor<T>(work: (upload: WrittenUpload) => Promise<T>): Promise<T> {
    this.#reopening ??= this.#options.reopen(this.#committedId).finally(() => (this.#reopening = undefined));
    const upload = (this.#upload = await this.#reopening);
    const { modifiedAt, metadata } = this.#pending;
    this.#pending = {};
    if (modifiedAt) upload.setModifiedAt(modifiedAt);
    if (metadata) upload.addMetadata(metadata);
    return work(upload);
  }

  #track(work: Promise<void>): Promise<void> {
    this.#touched = true;
    this.isOutdated = false;
    this.#changedAt = new Date();
    this.#wait(work, (error) => this.fail(error));
    return work;
  }

  /** What is under way is done before the bytes go. */
  #wait(work: Promise<unknown>, onFailure: (error: unknown) => void): void {
    const settled: Promise<void> = work.catch(onFailure).then(() => void this.#running.delete(settled));
    this.#running.add(settled);
  }
}

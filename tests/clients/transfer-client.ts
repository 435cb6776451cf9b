/** Who logs in where; by private key where there is an `identityFile`, else by password. */
export interface Login {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly identityFile?: string;
  /** Fingerprints of the server's host keys, as `ssh-keygen -l` prints them, for clients that ask for one beforehand. */
  readonly hostKeys: readonly string[];
  /** Where a client may keep what it needs. */
  readonly folder: string;
  /** The link will break: where it takes an option to leave nothing unsound behind then, the client is to use it. */
  readonly isFragile?: boolean;
}

/** What a client is told to do. Local paths and remote ones are absolute; each rejects when the client reports a failure. */
export interface ClientActions {
  upload(local: string, remote: string): Promise<void>;
  download(remote: string, local: string): Promise<void>;
  /** Goes on with an upload that was cut off: what the server has of it is not sent again. */
  resumeUpload(local: string, remote: string): Promise<void>;
  /** Goes on with a download that was cut off: what is in the local file is not fetched again. */
  resumeDownload(remote: string, local: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes a folder, and those above it that are not there. */
  makeFolders(path: string): Promise<void>;
  /** Copies a local folder with all that is in it, to a remote folder that is not there yet. */
  mirrorUp(local: string, remote: string): Promise<void>;
  /** The other way round. */
  mirrorDown(remote: string, local: string): Promise<void>;
  /** The names in a folder. */
  list(folder: string): Promise<string[]>;
  removeFile(path: string): Promise<void>;
  /** Removes a folder with all that is in it. */
  removeTree(path: string): Promise<void>;
}

/** A part of `ClientActions` that a client may offer or not. */
export type ActionName = keyof ClientActions;

/** Why a client cannot do something, with the fact that proves it: what a program prints of all that the client can. */
export interface Lack {
  readonly reason: string;
  readonly command: readonly [string, ...string[]];
  /** What would stand in that output if the client could; it must not. */
  readonly absent: RegExp;
  /** What stands there, or it is not the output that is meant. */
  readonly present: RegExp;
}

/** A client logged in, or ready to log in for each action. */
export type ConnectedClient = Partial<ClientActions> & AsyncDisposable;

/** One program (or library) that people transfer files with. */
export interface TransferClient {
  readonly name: string;
  /** The Debian package that brings it. */
  readonly debianPackage: string;
  /** Prints its version, on standard output or error, and may fail doing so. */
  readonly versionCommand: readonly [string, ...string[]];
  /** The version in what that prints. */
  readonly version: RegExp;
  /** A sentence when this machine cannot run it, whatever is installed. */
  readonly obstacle?: () => string | undefined;
  /** What whoever uses it should know. */
  readonly remark?: string;
  readonly lacks: Partial<Record<ActionName, Lack>>;
  connect(login: Login): Promise<ConnectedClient>;
}

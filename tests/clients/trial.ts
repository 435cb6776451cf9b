import type { PartnerServer } from './partner-server.ts';
import type { ActionName, ConnectedClient, Login, ClientActions, TransferClient } from './transfer-client.ts';

/** One client that is to show one capability, in an empty folder of either side. */
export interface Trial {
  readonly server: PartnerServer;
  /** An empty folder of this machine. */
  readonly local: string;
  /** An empty folder of the server. */
  readonly remote: string;
  /** Whether the client can do that at all. */
  can(action: ActionName): boolean;
  /** Logs in, straight and by key unless told otherwise, and lets go of the client when `use` has ended. */
  asClient<Value>(use: (client: ClientActions) => Promise<Value>, login?: Login): Promise<Value>;
}

/** Prepares a trial of a client. */
export async function prepareTrial(server: PartnerServer, client: TransferClient, name: string): Promise<Trial> {
  const remote = `/inbox/${[client.name, name].map((text) => text.replaceAll(/\W+/g, '-')).join('_')}`;
  await server.makeFolder(remote);
  return {
    server,
    local: await server.newFolder(),
    remote,
    can: (action) => client.lacks[action] === undefined,
    asClient: async (use, login = server.login('key')) => {
      await using connected = await client.connect(login);
      return await use(withAllActions(client, connected));
    },
  };
}

/** What is neither offered nor known to be lacking is missing from the driver. */
function withAllActions({ name }: TransferClient, client: ConnectedClient): ClientActions {
  const missing = (action: ActionName) => () => Promise.reject(new Error(`the driver of ${name} has no ${action}`));
  return {
    upload: missing('upload'),
    download: missing('download'),
    resumeUpload: missing('resumeUpload'),
    resumeDownload: missing('resumeDownload'),
    rename: missing('rename'),
    makeFolders: missing('makeFolders'),
    mirrorUp: missing('mirrorUp'),
    mirrorDown: missing('mirrorDown'),
    list: missing('list'),
    removeFile: missing('removeFile'),
    removeTree: missing('removeTree'),
    ...client,
  };
}

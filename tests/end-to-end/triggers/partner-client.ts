import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import type { PlatformProcess } from '../platform-process.ts';
import { beginFile, connectSftp } from '../two-doors/sftp-door.ts';
import { partnerPassword } from './platform-configuration.ts';

/** What a partner does at both doors; everything throws if the platform refuses it. */
export interface PartnerClient extends AsyncDisposable {
  readonly http: HttpClient;
  /** Runs commands of the OpenSSH client. `{<content>}` stands for the path of a local file with that content. */
  sftp(...commands: string[]): Promise<void>;
  /** Writes a byte of a file over SFTP, and disconnects without CLOSE. */
  breakOffSftpPut(path: string): Promise<void>;
  httpPut(path: string, content: string, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** Uploads by the form of `POST /2.0/files/<folder>`. */
  httpForm(folder: string, name: string, content: string): Promise<void>;
  /** Sends half of an upload, and disconnects. */
  breakOffHttpPut(path: string): Promise<void>;
  httpGet(path: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Receives the first bytes of a file, and disconnects. */
  breakOffHttpGet(path: string): Promise<void>;
  setMetadata(path: string, values: Readonly<Record<string, string>>): Promise<void>;
  httpMove(from: string, to: string): Promise<void>;
}

/** Logs the partner in. */
export async function createPartnerClient(platform: PlatformProcess): Promise<PartnerClient> {
  const local = await createTestFolder();
  const http = platform.http();
  const login = { port: platform.sftpPort, user: 'acme', password: partnerPassword };
  accept(await http.post('/2.0/login/basic', { form: { username: 'acme', password: partnerPassword } }));
  let files = 0;

  const localFile = async (content: string): Promise<string> => {
    const path = join(local.path, String((files += 1)));
    await writeFile(path, content);
    return path;
  };
  const openRequest = (method: string, path: string, headers: Readonly<Record<string, string>>): ClientRequest =>
    request(`${platform.url}/2.0/files${path}`, {
      method,
      headers: { cookie: http.cookies.header() ?? '', ...headers },
    });

  return {
    http,
    sftp: async (...commands) => {
      const said: string[] = [];
      for (const command of commands) {
        const content = /\{(?<content>.*)\}/su.exec(command)?.groups?.['content'];
        said.push(content === undefined ? command : command.replace(`{${content}}`, await localFile(content)));
      }
      const { exitCode, stderr } = await runSftp({ ...login, commands: said });
      if (exitCode !== 0) throw new Error(`${commands.join('; ')}: ${stderr}`);
    },
    breakOffSftpPut: async (path) => {
      await using connection = await connectSftp(login);
      await beginFile(connection.sftp, path);
    },
    httpPut: async (path, content, headers = {}) =>
      accept(
        await http.put(`/2.0/files${path}`, { body: content, headers: { 'content-type': 'text/csv', ...headers } }),
      ),
    httpForm: async (folder, name, content) => {
      const multipart = new FormData();
      multipart.append('file', new Blob([content], { type: 'text/csv' }), name);
      accept(await http.post(`/2.0/files${folder}`, { multipart }));
    },
    breakOffHttpPut: async (path) => {
      const upload = openRequest('PUT', path, { 'content-type': 'text/csv', 'content-length': '1000000' });
      const closed = closeOf(upload);
      await new Promise((resolve) => upload.write('x'.repeat(500_000), resolve));
      upload.destroy();
      await closed;
    },
    httpGet: async (path, headers = {}) => void accept(await http.get(`/2.0/files${path}`, { headers })),
    breakOffHttpGet: async (path) => {
      const download = openRequest('GET', path, {});
      const closed = closeOf(download);
      download.end();
      const [response] = (await once(download, 'response')) as [NodeJS.ReadableStream];
      response.on('error', () => {});
      await once(response, 'readable');
      download.destroy();
      await closed;
    },
    setMetadata: async (path, values) => void accept(await http.post(`/2.0/metadata${path}`, { json: values })),
    httpMove: async (from, to) => {
      accept(await http.post('/2.0/move', { json: { from: from.slice(1), to: to.slice(1), overwrite: false } }));
    },
    [Symbol.asyncDispose]: () => local.remove(),
  };
}

function accept(response: HttpResponse): HttpResponse {
  if (response.status >= 300) throw new Error(`${response.status} ${response.text}`);
  return response;
}

/** Resolves also if the server closes the connection. */
function closeOf(sent: ClientRequest): Promise<void> {
  sent.on('error', () => {});
  return new Promise((resolve) => sent.once('close', resolve));
}

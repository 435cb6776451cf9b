import { request } from 'node:https';
import { text } from 'node:stream/consumers';

/** One HTTPS request to 127.0.0.1, on a new connection, without checking the certificate. */
export async function requestTls(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }> {
  const done = Promise.withResolvers<{
    status: number | undefined;
    headers: NodeJS.Dict<string | string[]>;
    text: string;
  }>();
  const target = { host: '127.0.0.1', port, path, headers, agent: false, rejectUnauthorized: false };
  const sent = request(target, (answer) => {
    text(answer).then(
      (body) => done.resolve({ status: answer.statusCode, headers: answer.headers, text: body }),
      done.reject,
    );
  });
  sent.once('error', done.reject);
  sent.end();
  return done.promise;
}

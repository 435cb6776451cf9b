import { readFile } from 'node:fs/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { problemSchema } from '@waybill/contracts/errors/problem';
import type { z } from 'zod';
import { type Invocation, UsageError } from '../command.ts';

/** The options of commands that ask a running platform. */
export const platformOptions = { url: { type: 'string' }, token: { type: 'string' } } as const;

const timeoutMs = 600_000;

/**
 * Sends a JSON request to the platform of `--url` with the access token in the file of `--token`.
 * @throws UsageError without these options, or if the platform cannot be reached; CodedError for its refusals
 */
export async function requestPlatform<S extends z.ZodType>(
  { values: { url, token } }: Pick<Invocation, 'values'>,
  request: { readonly method: string; readonly path: string; readonly body?: object; readonly response: S },
): Promise<z.infer<S>> {
  if (typeof url !== 'string' || typeof token !== 'string')
    throw new UsageError('give --url <platform> and --token <file with an access token>');
  const answer = await send(url, await readToken(token), request);
  const text = await answer.text();
  if (!answer.ok) throw refusalOf(answer.status, text);
  return request.response.parse(JSON.parse(text));
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause });
  }
}

async function send(
  url: string,
  token: string,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: object },
): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new UsageError(`${url} cannot be reached`, { cause });
  }
}

function refusalOf(status: number, text: string): Error {
  try {
    const { code, detail } = problemSchema.parse(JSON.parse(text));
    return new CodedError(code, detail === undefined ? {} : { detail });
  } catch {
    return new UsageError(`the platform answered with status ${status}`);
  }
}

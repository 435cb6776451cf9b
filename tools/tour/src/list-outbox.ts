import { folderListingSchema } from '@waybill/contracts/endpoints/files/elements/folder-listing';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { expectStatus } from './expect-status.ts';

/** A file in `/outbox` as acme sees it. */
export interface OutboxFile {
  name: string;
  fileset: number | undefined;
}

/** Lists `/outbox` with the cookies of acme's login. */
export async function listOutbox(acme: HttpClient): Promise<OutboxFile[]> {
  const answer = expectStatus(await acme.get('/2.0/directories/outbox'), 200);
  return folderListingSchema.parse(answer.json()).files.map(({ filename, fileset }) => ({ name: filename, fileset }));
}

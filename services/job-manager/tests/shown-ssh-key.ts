import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { z } from 'zod';

const shownSchema = z.strictObject({
  name: z.string(),
  actor: z.string().nullable(),
  publicKey: z.string(),
  fingerprint: z.string(),
  keyId: z.string(),
  updatedAt: z.string(),
  usedBy: z.array(z.strictObject({ connection: z.string(), keyExpires: z.string().nullable() })),
});

/** The SSH key of client connections in a response, which has nothing else. */
export const shownKey = (response: HttpResponse) => shownSchema.parse(response.json());

/** The status and the code of a refusal. */
export const codeOf = (response: HttpResponse): [number, unknown] => [
  response.status,
  z.looseObject({ code: z.string().optional() }).parse(response.json()).code,
];

import type { HttpResponse } from '@waybill/test-kit/create-http-client';

/** Throws an error with the response unless its status is the expected one. */
export function expectStatus(response: HttpResponse, status: number): HttpResponse {
  if (response.status === status) return response;
  throw new Error(`the response is ${response.status} instead of ${status}: ${response.text.slice(0, 500)}`);
}

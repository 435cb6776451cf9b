import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { formOf } from './form-of.ts';

/** One valid request of each endpoint for an element. */
export const requests = {
  D2: (client: HttpClient, path: string) =>
    client.put(`/2.0/files${path}`, { multipart: formOf('x', { name: 'n.txt' }) }),
  D3: (client: HttpClient, path: string) =>
    client.post(`/2.0/files${path}`, { multipart: formOf('x', { name: 'n.txt' }) }),
  D4: (client: HttpClient, path: string) => client.get(`/2.0/files${path}`),
  D5: (client: HttpClient, path: string) => client.delete(`/2.0/files${path}`),
  D6: (client: HttpClient, path: string) => client.post(`/2.0/metadata${path}`, { json: { A: '1' } }),
  D7: (client: HttpClient, path: string) => client.get(`/2.0/metadata${path}`),
  D8: (client: HttpClient, path: string) => client.get(`/2.0/countelements${path}`),
  D9: (client: HttpClient, path: string) => client.get(`/2.0/directories${path}`),
};

/** An endpoint by its number in the interface. */
export type EndpointName = keyof typeof requests;

/** All of them. */
export const allEndpoints = Object.keys(requests) as EndpointName[];

/** Status, error type and message of a failure, which has the form of the interface. */
export function failureOf(answer: HttpResponse): [number, string, string] {
  const { errorType, message } = fileFailureSchema.strict().parse(answer.json());
  return [answer.status, errorType, message];
}

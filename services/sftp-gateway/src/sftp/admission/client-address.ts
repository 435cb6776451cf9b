/** Where a client is, as the proxy or, without one, the socket says. */
export interface ClientAddress {
  readonly address: string;
  readonly port: number;
}

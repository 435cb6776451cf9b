/** The address of a client, from the proxy header or, without one, from the socket. */
export interface ClientAddress {
  readonly address: string;
  readonly port: number;
}

import { cidrListSchema, listSchema } from '@waybill/service-kit/config/value-schemas';

/** The settings of a program that opens client connections. */
export const outboundConfigShape = {
  OUTBOUND_ALLOWED_HOSTS: listSchema
    .default(['*'])
    .describe(
      'Hosts that client connections may reach, separated by commas: names, `*.example.org` for all names below it, addresses, or `*`',
    ),
  OUTBOUND_ALLOWED_NETWORKS: cidrListSchema
    .default([])
    .describe(
      'Networks that client connections may reach although they are not public, such as 10.20.0.0/16; by default no private, loopback or link-local address',
    ),
};

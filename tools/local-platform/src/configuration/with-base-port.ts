/** The ports of `npm start`, in the order in which they follow each other from `WAYBILL_BASE_PORT` on. */
const portsInOrder = [
  'WAYBILL_EDGE_PORT',
  'WAYBILL_SFTP_PORT',
  'WAYBILL_SFTP_GATEWAY_PORT',
  'WAYBILL_HTTP_FILES_PORT',
  'WAYBILL_JOB_MANAGER_PORT',
  'WAYBILL_AUDIT_PORT',
  'WAYBILL_POSTGRES_PORT',
  'WAYBILL_REDIS_PORT',
] as const;

/** The greatest base from which all of them are ports. */
export const greatestBasePort = 65_536 - portsInOrder.length;

type Variables = Readonly<Record<string, string | undefined>>;

/** An environment in which `WAYBILL_BASE_PORT`, if set, sets all ports without an individual variable. */
export function withBasePort(env: Variables): Variables {
  const base = Number(env['WAYBILL_BASE_PORT']);
  if (!Number.isInteger(base) || base < 1 || base > greatestBasePort) return env;
  const ports: Variables = Object.fromEntries(
    portsInOrder.map((variable, index) => [variable, env[variable] || String(base + index)]),
  );
  return { ...env, ...ports };
}

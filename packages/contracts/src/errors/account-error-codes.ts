/** The failures that concern the account of a user: logins, passwords and SSH keys. */
export const accountErrorCodes = {
  not_authenticated: {
    title: 'Not authorized (login not performed or token expired)',
    remedy: 'Log in and send the access token as `Authorization: Bearer <token>`.',
  },
  ssh_algorithm_refused: {
    title: 'Your SSH client uses an insecure algorithm',
    remedy: 'Update or configure the client, or ask for an exception.',
  },
  session_limit_reached: { title: 'Too many sessions are open', remedy: 'Close a session, or try again later.' },
  ban_unknown: { title: 'The address is not banned', remedy: 'List the bans.' },
  invalid_credentials: { title: 'Invalid username or password', remedy: 'Check the username and the password.' },
  foreign_page_refused: {
    title: 'A page of another site has sent this request',
    remedy: 'Open the page of this platform, and do it there.',
  },
  missing_credentials: { title: 'No username or password', remedy: 'Send both as form fields.' },
  refresh_token_invalid: { title: 'The refresh token is no longer valid', remedy: 'Log in again.' },
  password_change_required: {
    title: 'The password must be changed',
    remedy: 'Change it with the present password, and log in with the new one.',
  },
  second_factor_required: {
    title: 'A code of the second factor is required',
    remedy: 'Send the code of your authenticator app, or a recovery code, as `code`.',
  },
  second_factor_refused: {
    title: 'The code is not valid',
    remedy: 'Send the present code of your authenticator app: each code works once. Or send a recovery code.',
  },
  second_factor_setup_required: {
    title: 'A second factor must be set up',
    remedy: 'Set one up with your password, and log in again.',
  },
  oidc_login_refused: {
    title: 'The login with the issuer was refused',
    remedy: 'Begin the login again; if it is refused again, ask an administrator which groups may log in.',
  },
  second_factor_exists: {
    title: 'There is a second factor already',
    remedy: 'Remove it first, with one of its codes.',
  },
  second_factor_not_allowed: {
    title: 'You may not set up a second factor',
    remedy: 'Ask the operators to allow it in the account policy.',
  },
  second_factor_absent: { title: 'There is no second factor', remedy: 'Nothing has to be removed.' },
  password_refused: {
    title: 'The new password is not allowed',
    remedy: 'Choose a password that the account policy allows: `detail` says what is wrong with this one.',
  },
  first_password_refused: {
    title: 'The user gets no code for a first password',
    remedy:
      'Only an enabled user without a password gets one: set a password over the API instead, or enable the user.',
  },
  ssh_keys_not_allowed: {
    title: 'You may not add SSH keys',
    remedy: 'Ask the operators to add the key, or to allow it in the account policy.',
  },
  ssh_key_refused: { title: 'The SSH key is not allowed', remedy: 'Correct what `detail` names.' },
  ssh_key_fixed: { title: 'The SSH key belongs to the configuration', remedy: 'Ask the operators to remove it.' },
  own_session_unknown: { title: 'You have no such open session', remedy: 'List your sessions.' },
  ssh_key_unknown: { title: 'There is no such SSH key', remedy: 'List your SSH keys.' },
} as const;

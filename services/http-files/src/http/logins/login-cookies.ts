/** The cookie that holds the user's name. */
export const userCookie = 'sp-http-usr';

/** The cookie that holds the token of the login session. */
export const sessionCookie = 'sp-http-ses';

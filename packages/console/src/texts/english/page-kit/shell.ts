import { number } from '../../numbers.ts';

/** The texts around the pages of both applications, in English. */
export const shell = {
  product: 'Waybill',
  language: 'Language',
  close: 'Close',
  cancel: 'Cancel',
  outdated: 'This was changed meanwhile, or is gone. This dialog can only be closed.',
  loading: 'Loading…',
  unreachable: 'The server cannot be reached. Check the network connection.',
  noAnswer: (seconds: number) => `The server has not answered for ${number(seconds)} s.`,
  unexpected: (status: number) => `The server answered with the status ${status}.`,
  notUpToDate: (time: string, reason: string) =>
    `What this page shows is not up to date: some of it is of ${time}. ${reason} The page tries again by itself.`,
  stillLoggedIn: 'You are still logged in',
  logOutFailed: 'The server did not end your session: whoever uses this browser next has your account. Try again.',
  loginAgain: 'Your session has ended. Log in to continue where you were.',
  userName: 'User name',
  loggedInAs: (userName: string) => `Logged in as ${userName}`,
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
  newPassword: 'New password',
  passwordsDiffer: 'The two new passwords differ.',
  download: 'Download',
  partNotLoaded: 'This part of the page could not be loaded. Load the page again.',
  loadAgain: 'Load the page again',
  presentPassword: 'Current password',
  selectAll: 'Select all',
  permissionNames: {
    list: 'list',
    download: 'download',
    upload: 'upload',
    delete: 'delete',
    rename: 'rename',
    createFolder: 'create folders',
  },
} as const;

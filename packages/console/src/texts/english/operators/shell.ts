import { number, plural } from '../../numbers.ts';

/** The texts around the pages, in English. */
export const shell = {
  pageTitle: 'Console · Waybill',
  unreadable: 'The server answered in a form that this page does not know. Reload the page.',
  reference: (requestId: string) => `request ${requestId}`,
  actions: 'Actions',
  selection: 'Selection',
  stop: 'Stop',
  stopped: (count: number) => `Stopped: ${number(count)} not reached, which stay as they are.`,
  showWhole: (title: string) => `${title}: show the whole`,
  faultyFilters: (count: number) =>
    plural(count, {
      one: 'Nothing is shown, for this filter is unknown:',
      other: 'Nothing is shown, for these filters are unknown:',
    }),
  loginTitle: 'Log in to the console',
  code: 'Code of the second factor',
  codeHint: 'The present code of your authenticator app, or a recovery code. Each works once.',
  repeatPassword: 'New password again',
  logInWith: (issuer: string) => `Log in with ${issuer}`,
  changePassword: 'Change password',
  choosePassword: 'Choose a new password',
  back: 'Back',
  skipToContent: 'Skip to the content',
  pages: 'Pages',
  menu: 'Menu',
  passwordHint: 'A change ends your sessions, also those of other browsers.',
  notAllowedTitle: 'This page is not for you',
  notAllowed: 'Your roles do not allow what it shows. Ask an administrator.',
  leaveTitle: 'Leave without saving?',
  leaveEffect: 'What you have typed is not saved. It is lost when you leave.',
  leave: 'Leave',
  failedTitle: 'This page could not be shown',
  reload: 'Reload',
  noPages: 'Your roles allow nothing that the console shows. Ask an administrator.',
} as const;

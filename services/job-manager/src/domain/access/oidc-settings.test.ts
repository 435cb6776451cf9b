import { expect, it } from 'vitest';
import { z } from 'zod';
import { oidcConfigShape } from './oidc-settings.ts';

const schema = z.object(oidcConfigShape);
const isAllowed = (settings: object) => schema.safeParse(settings).success;

it.each([
  ['https://login.example.org', true],
  ['https://login.example.org/realms/waybill', true],
  ['http://127.0.0.1:8080', true],
  ['http://localhost:8080/realm', true],
  ['http://[::1]:8080', true],
  ['http://login.example.org', false],
  ['http://127.0.0.1.example.org', false],
  ['https://user:password@login.example.org', false],
  ['https://login.example.org?x=1', false],
  ['https://login.example.org/#x', false],
  ['file:///etc/passwd', false],
  ['login.example.org', false],
  ['', false],
])('the issuer %s is allowed: %s', (OIDC_ISSUER, allowed) => {
  expect(isAllowed({ OIDC_ISSUER })).toBe(allowed);
});

it.each([
  ['{"admins":["Administrators"]}', true],
  ['{"cn=admins,ou=groups":["Administrators","Operators"]}', true],
  ['{}', false],
  ['{"admins":[]}', false],
  ['{"admins":"Administrators"}', false],
  ['{"":["Administrators"]}', false],
  ['["Administrators"]', false],
  ['admins=Administrators', false],
])('the roles %s are allowed: %s', (OIDC_ROLES, allowed) => {
  expect(isAllowed({ OIDC_ROLES })).toBe(allowed);
});

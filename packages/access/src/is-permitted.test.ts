import { resources, type Resource } from '@waybill/contracts/values/resources';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { describe, expect, it } from 'vitest';
import { isPermitted } from './principal.ts';

describe('isPermitted', () => {
  it('lets Users read jobs but not submit them, and lets Administrators do both', () => {
    const user = { userName: userNameSchema.parse('viewer'), roles: ['Users'] } as const;
    const admin = { userName: userNameSchema.parse('admin'), roles: ['Administrators'] } as const;
    expect(isPermitted(user, 'SPENGCEMANJOBS', 'read')).toBe(true);
    expect(isPermitted(user, 'WORKFLOW', 'write')).toBe(false);
    expect(isPermitted(admin, 'SPENGCEMANJOBS', 'read')).toBe(true);
    expect(isPermitted(admin, 'WORKFLOW', 'write')).toBe(true);
  });

  it('lets Auditors read the audit log, and nothing else', () => {
    const auditor = { userName: userNameSchema.parse('auditor'), roles: ['Auditors'] } as const;
    const permitted = (Object.keys(resources) as Resource[]).flatMap((resource) =>
      (['read', 'write'] as const).flatMap((access) =>
        isPermitted(auditor, resource, access) ? [`${access} ${resource}`] : [],
      ),
    );
    expect(permitted).toEqual(['read AUDITLOGSVIEW']);
  });

  it('does not let any role write audit records, and permits nothing without a role', () => {
    expect(
      isPermitted(
        { userName: userNameSchema.parse('admin'), roles: ['Administrators', 'Users'] },
        'AUDITLOGSVIEW',
        'write',
      ),
    ).toBe(false);
    expect(isPermitted({ userName: userNameSchema.parse('nobody'), roles: [] }, 'SPENGCEMANJOBS', 'read')).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { parseMemberRole, type MemberRoleInput } from './parse-member-role.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);

test('a member has either a role in the account or roles in domains, whose names are normalised', () => {
  expect(parseMemberRole({ role: 'viewer' })).toEqual({ ok: true, value: { role: 'viewer', grants: null } });
  const grants = [{ role: 'editor', domains: ['Example.COM.', 'example.com', 'bücher.example'] }] as const;
  expect(parseMemberRole({ grants })).toEqual({
    ok: true,
    value: {
      role: null,
      grants: [{ role: 'editor', domains: ['example.com', 'xn--bcher-kva.example'] }],
    },
  });
});

test.each<[string, MemberRoleInput]>([
  ['role', {}],
  ['role', { role: 'owner', grants: [{ role: 'editor', domains: ['example.com'] }] }],
  ['grants', { grants: [] }],
  ['grants', { grants: many(11).map((name) => ({ role: 'viewer', domains: [name] })) }],
  [
    'grants[1].domains',
    {
      grants: [
        { role: 'viewer', domains: many(1) },
        { role: 'viewer', domains: [] },
      ],
    },
  ],
  ['grants[0].domains', { grants: [{ role: 'viewer', domains: ['not a name'] }] }],
  ['grants[0].domains', { grants: [{ role: 'viewer', domains: many(101) }] }],
  ['grants', { grants: [many(60), many(120).slice(60)].map((domains) => ({ role: 'viewer', domains })) }],
])('the refusal of a malformed role names the member %s', (field, input) => {
  expect(parseMemberRole(input)).toMatchObject({ ok: false, refusal: { code: 'invalid_request', field } });
});

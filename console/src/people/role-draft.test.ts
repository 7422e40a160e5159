import { expect, test } from 'vitest';
import { draftOfRole, roleOfDraft, wordsOfRole } from './role-draft.ts';

test('roles in single domains survive the form', () => {
  const grants = [
    { role: 'editor' as const, domains: ['example.com', 'example.net'] },
    { role: 'viewer' as const, domains: ['xn--mnchen-3ya.example'] },
  ];
  expect(roleOfDraft(draftOfRole({ role: null, grants }))).toEqual({ grants });
});

test('a role in the whole account has no domains, whatever was typed', () => {
  expect(roleOfDraft({ choice: 'viewer', edits: 'example.com', views: '' })).toEqual({ role: 'viewer' });
});

test('domains are typed with U-labels and any separators', () => {
  const role = roleOfDraft({ choice: 'grants', edits: '', views: 'münchen.example,\nexample.com ' });
  expect(role).toEqual({ grants: [{ role: 'viewer', domains: ['xn--mnchen-3ya.example', 'example.com'] }] });
});

test('single domains without a domain are no role', () => {
  expect(roleOfDraft({ choice: 'grants', edits: ' ', views: '' })).toBeUndefined();
});

test('the command line takes one role, with its domains', () => {
  expect(wordsOfRole({ role: 'owner' })).toEqual({ role: 'owner', options: '' });
  const editor = { role: 'editor' as const, domains: ['example.com', 'example.net'] };
  expect(wordsOfRole({ grants: [editor] })).toEqual({
    role: 'editor',
    options: ' --domain example.com example.net',
  });
  expect(wordsOfRole({ grants: [editor, { role: 'viewer', domains: ['a.example'] }] })).toBeUndefined();
});

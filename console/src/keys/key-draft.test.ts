import { expect, test } from 'vitest';
import { bodyOfKey, commandOfKey, emptyKey, emptyRight, isIncomplete } from './key-draft.ts';

const nowMs = Date.UTC(2026, 10, 20, 9, 3, 31);
const named = { ...emptyKey, label: ' acme on web1 ' };

test('a template has its host with A-labels, and an end', () => {
  const body = bodyOfKey(
    { ...named, host: 'www.München.example', networks: '192.0.2.0/24, 2001:db8::1' },
    nowMs,
  );
  expect(body).toEqual({
    label: 'acme on web1',
    template: 'certificates',
    host: 'www.xn--mnchen-3ya.example',
    networks: ['192.0.2.0/24', '2001:db8::1'],
    date_expires: '2027-02-18T09:03:00.000Z',
  });
  expect(commandOfKey(body)).toBe(
    "zonewright key create --label 'acme on web1' --template certificates --host www.xn--mnchen-3ya.example --network 192.0.2.0/24 2001:db8::1 --expires 2027-02-18T09:03:00.000Z",
  );
});

test('limits that do not go with the permissions are not sent', () => {
  const lists = { domains: 'example.com', names: '@ www', types: 'txt' };
  const right = (may: readonly string[]) =>
    bodyOfKey({ ...named, kind: 'custom', days: 0, rights: [{ may, ...lists }] }, nowMs).rights;
  expect(right(['records:create'])).toEqual([
    { may: ['records:create'], domains: ['example.com'], names: ['@', 'www'], types: ['TXT'] },
  ]);
  expect(right(['zones:read'])).toEqual([{ may: ['zones:read'], domains: ['example.com'] }]);
  expect(right(['keys:read'])).toEqual([{ may: ['keys:read'] }]);
});

test('the command line has no command for a key with several rights', () => {
  const rights = [
    { ...emptyRight, may: ['records:read'] },
    { ...emptyRight, may: ['keys:read'] },
  ];
  expect(commandOfKey(bodyOfKey({ ...named, kind: 'custom', rights }, nowMs))).toBeUndefined();
});

test('isIncomplete() waits for a label, a host and permissions', () => {
  expect(isIncomplete(emptyKey)).toBe(true);
  expect(isIncomplete(named)).toBe(true);
  expect(isIncomplete({ ...named, kind: 'read' })).toBe(false);
  expect(isIncomplete({ ...named, kind: 'custom' })).toBe(true);
});

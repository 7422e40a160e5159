import { expect, test } from 'vitest';
import { formatWelcome } from './welcome.ts';

test('a new key is shown once on a terminal, and the lines to paste read it from its file', () => {
  const text = formatWelcome({
    adminKey: { kind: 'drawn', key: 'zw_k' },
    keyFile: 'data/admin.key',
    http: { host: '127.0.0.1', port: 8080 },
    dns: { host: '127.0.0.1', port: 5300 },
    isShared: false,
    isInteractive: true,
    hasConsole: true,
  });
  expect(text).toContain('  API key     zw_k (shown only now, kept in data/admin.key)\n');
  expect(text).toContain(
    `  curl -H "Authorization: Bearer $(cat data/admin.key)" 'http://127.0.0.1:8080/v2/domains' -d '{"domain":"example.com","ip":"192.0.2.1"}'\n`,
  );
  expect(text).toContain('  dig @127.0.0.1 -p 5300 example.com A\n');
  expect(text.split('zw_k')).toHaveLength(2);
});

test('a new key is not shown where the output is no terminal', () => {
  const text = formatWelcome({
    adminKey: { kind: 'drawn', key: 'zw_k' },
    keyFile: 'data/admin.key',
    http: { host: '127.0.0.1', port: 8080 },
    dns: undefined,
    isShared: false,
    isInteractive: false,
    hasConsole: true,
  });
  expect(text).toContain('  API key     kept in data/admin.key\n');
  expect(text).not.toContain('zw_k');
});

test('a key that was brought is not shown, its file is quoted for the shell', () => {
  const text = formatWelcome({
    adminKey: { kind: 'taken' },
    keyFile: "/run/the operator's.key",
    http: { host: '::', port: 80 },
    dns: { host: '0.0.0.0', port: 53 },
    isShared: true,
    isInteractive: true,
    hasConsole: true,
  });
  expect(text).toContain(
    `-H "Authorization: Bearer $(cat '/run/the operator'\\''s.key')" 'http://[::1]:80/v2/domains'`,
  );
  expect(text).toContain('dig @127.0.0.1 -p 53 example.com A');
});

test('a process that shares its store says where the key is, and one without DNS shows no dig', () => {
  const text = formatWelcome({
    adminKey: { kind: 'drawn', key: 'zw_k' },
    keyFile: 'data/admin.key',
    http: { host: '127.0.0.1', port: 8080 },
    dns: undefined,
    isShared: true,
    isInteractive: true,
    hasConsole: true,
  });
  expect(text).toContain('zw_k (shown only now, kept in data/admin.key on this machine alone)\n');
  expect(text).not.toMatch(/DNS|dig/);
});

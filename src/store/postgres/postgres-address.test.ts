import { describe, expect, test } from 'vitest';
import { formatPostgresAddress, parsePostgresUrl, sslModeFor } from './postgres-address.ts';

const usual = {
  hosts: [{ host: 'db.example', port: 5432 }],
  user: 'zw',
  password: undefined,
  database: 'zw',
  ssl: { mode: 'automatic', rootCertFile: undefined, certFile: undefined, keyFile: undefined },
  targetSession: 'read-write',
  applicationName: 'zonewright',
  connectTimeoutMs: undefined,
  options: undefined,
};
const tls = usual.ssl;

test.each([
  ['db.example', 'verify-full'],
  ['192.0.2.1', 'verify-full'],
  ['[2001:db8::1]', 'verify-full'],
  ['0.0.0.0', 'verify-full'],
  ['127.0.0.1.example', 'verify-full'],
  ['localhost', 'prefer'],
  ['127.0.0.1', 'prefer'],
  ['127.1.2.3', 'prefer'],
  ['[::1]', 'prefer'],
  ['%2Frun%2Fpg', 'prefer'],
])('without sslmode, %s gets %s', (host, mode) => {
  const parsed = parsePostgresUrl(`postgres://zw@${host}/zw`);
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(sslModeFor(parsed.value, parsed.value.hosts[0])).toBe(mode);
});

describe('a PostgreSQL URL', () => {
  test.each([
    ['postgres://zw@db.example', {}],
    ['postgresql://zw@db.example/', {}],
    ['postgres://zw@db.example:/dns', { database: 'dns' }],
    ['postgres://zw:@db.example', { password: '' }],
    ['postgres://zw:a:b@db.example', { password: 'a:b' }],
    ['postgres://zw:p%40s%2F%25@db.example', { password: 'p@s/%' }],
    ['postgres://a%3Ab@db.example/d%20b', { user: 'a:b', database: 'd b' }],
    [
      'postgres://zw@a:6000,b,[::1]:7000/zw',
      {
        hosts: [
          { host: 'a', port: 6000 },
          { host: 'b', port: 5432 },
          { host: '::1', port: 7000 },
        ],
      },
    ],
    ['postgres://zw@%2Frun%2Fpg/zw', { hosts: [{ host: '/run/pg', port: 5432 }] }],
    ['postgres://zw@db.example?sslmode=disable', { ssl: { ...tls, mode: 'disable' } }],
    [
      'postgres://zw@db.example?sslmode=verify-full&sslrootcert=%2Fca.pem&sslcert=c.pem&sslkey=k.pem',
      { ssl: { mode: 'verify-full', rootCertFile: '/ca.pem', certFile: 'c.pem', keyFile: 'k.pem' } },
    ],
    ['postgres://zw@db.example?target_session_attrs=any', { targetSession: 'any' }],
    ['postgres://zw@db.example?application_name=api-1&', { applicationName: 'api-1' }],
    ['postgres://zw@db.example?connect_timeout=7', { connectTimeoutMs: 7000 }],
    ['postgres://zw@db.example?options=-c%20search_path%3Dx', { options: '-c search_path=x' }],
  ])('%s is parsed', (url, fields) => {
    expect(parsePostgresUrl(url)).toEqual({ ok: true, value: { ...usual, ...fields } });
  });

  test.each([
    ['mysql://zw@db.example', 'postgres://user:password@host:5432/database'],
    ['postgres:zw@db.example', 'postgres://user:password@host:5432/database'],
    ['postgres://zw@db.example/a/b', 'postgres://user:password@host:5432/database'],
    ['postgres://zw:se/cret@db.example/a', 'postgres://user:password@host:5432/database'],
    ['postgres://db.example/zw', 'names no user'],
    ['postgres://:pw@db.example/zw', 'names no user'],
    ['postgres://zw@/zw', 'has an empty host'],
    ['postgres://zw@a,,b/zw', 'has an empty host'],
    ['postgres://zw@::1/zw', 'neither a name nor an address'],
    ['postgres://zw@a:x/zw', 'neither a name nor an address'],
    ['postgres://zw@a:0/zw', 'the port 0'],
    ['postgres://zw@a:65536/zw', 'the port 65536'],
    [`postgres://zw@${Array.from({ length: 17 }, () => 'a').join(',')}/zw`, '17 hosts'],
    ['postgres://zw:%zz@a/zw', 'a % that is not followed'],
    ['postgres://zw:%00@a/zw', 'a % that is not followed'],
    ['postgres://zw@a/zw?sslmode=allow', 'sslmode=allow, which is not one of disable, prefer'],
    ['postgres://zw@a/zw?target_session_attrs=standby', 'target_session_attrs=standby'],
    ['postgres://zw@a/zw?sslcert=c.pem', 'sslcert and sslkey together'],
    ['postgres://zw@a/zw?connect_timeout=0', 'connect_timeout=0'],
    ['postgres://zw@a/zw?connect_timeout=61', 'between 1 and 60'],
    ['postgres://zw@a/zw?sslMode=disable', 'the parameter "sslMode"'],
    ['postgres://zw@a/zw?options', 'one value for options'],
    ['postgres://zw@a/zw?options=a&options=b', 'one value for options'],
  ])('%s is refused with a sentence', (url, words) => {
    const address = parsePostgresUrl(url);
    expect(address.ok ? '' : address.problem).toContain(words);
    expect(address.ok ? '' : address.problem).not.toMatch(/cret|\.$/);
  });

  test.each([
    ['postgres://zw:secret@a,b:6000/dns?sslmode=require', 'postgres://zw@a:5432,b:6000/dns'],
    ['postgres://zw@[::1]/', 'postgres://zw@[::1]:5432/zw'],
    ['postgres://z%20w@%2Frun%2Fpg', 'postgres://z%20w@%2Frun%2Fpg:5432/z%20w'],
  ])('%s is shown without its password', (url, shown) => {
    const address = parsePostgresUrl(url);
    expect(address.ok ? formatPostgresAddress(address.value) : address.problem).toBe(shown);
  });
});

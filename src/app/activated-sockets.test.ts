import { expect, test } from 'vitest';
import { takeActivatedSockets } from './activated-sockets.ts';

const config = { role: 'both', https: { host: '0.0.0.0', port: 443 } } as const;

test.each([
  [{}, { http: undefined, https: undefined, dns: [] }],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '0' },
    { http: undefined, https: undefined, dns: [] },
  ],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'dns:http:dns' },
    { http: 4, https: undefined, dns: [3, 5] },
  ],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' },
    { http: 3, https: undefined, dns: [] },
  ],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'https:dns:http' },
    { http: 5, https: 3, dns: [4] },
  ],
  [
    { LISTEN_PID: '8', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' },
    { http: undefined, https: undefined, dns: [] },
  ],
  [
    { LISTEN_FDS: '1', LISTEN_FDNAMES: 'x' },
    { http: undefined, https: undefined, dns: [] },
  ],
])('%j hands over %j to process 7', (environment, sockets) => {
  expect(takeActivatedSockets(environment, 7, config)).toEqual({ ok: true, value: sockets });
});

test.each([
  [{ LISTEN_FDS: '-1' }, 'LISTEN_FDS is "-1", not a number of sockets up to 256'],
  [{ LISTEN_FDS: '257' }, 'LISTEN_FDS is "257", not a number of sockets up to 256'],
  [
    { LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:zonewright.socket' },
    'a socket named "zonewright.socket" is handed over, but only http, https and dns are known: set FileDescriptorName= in its unit',
  ],
  [
    { LISTEN_FDS: '1' },
    'a socket named "" is handed over, but only http, https and dns are known: set FileDescriptorName= in its unit',
  ],
  [
    { LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:http' },
    '2 sockets named http are handed over, but HTTP takes one',
  ],
  [
    { LISTEN_FDS: '3', LISTEN_FDNAMES: 'https:http:https' },
    '2 sockets named https are handed over, but HTTPS takes one',
  ],
])('%j is refused', (environment, problem) => {
  expect(takeActivatedSockets({ LISTEN_PID: '7', ...environment }, 7, config)).toEqual({
    ok: false,
    problem,
  });
});

test('the variables are gone afterwards, for whomever they were meant', () => {
  for (const pid of ['7', '8']) {
    const environment = { LISTEN_PID: pid, LISTEN_FDS: '1', LISTEN_FDNAMES: 'dns', PATH: '/bin' };
    takeActivatedSockets(environment, 7, config);
    expect(environment).toEqual({ PATH: '/bin' });
  }
});

test('sockets for DNS are refused where none is answered', () => {
  const environment = { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:dns' };
  expect(takeActivatedSockets(environment, 7, { ...config, role: 'api' })).toEqual({
    ok: false,
    problem: 'a socket named dns is handed over, but role api answers no DNS',
  });
});

test('a socket for HTTPS is refused without a certificate', () => {
  const environment = { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'https' };
  expect(takeActivatedSockets(environment, 7, { role: 'both', https: null })).toEqual({
    ok: false,
    problem: 'a socket named https is handed over, but https is not set',
  });
});

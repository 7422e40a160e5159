import { expect, test } from 'vitest';
import { takeActivatedSockets } from './activated-sockets.ts';

test.each([
  [{}, { http: undefined, dns: [] }],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '0' },
    { http: undefined, dns: [] },
  ],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'dns:http:dns' },
    { http: 4, dns: [3, 5] },
  ],
  [
    { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' },
    { http: 3, dns: [] },
  ],
  [
    { LISTEN_PID: '8', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' },
    { http: undefined, dns: [] },
  ],
  [
    { LISTEN_FDS: '1', LISTEN_FDNAMES: 'x' },
    { http: undefined, dns: [] },
  ],
])('%j hands over %j to process 7', (environment, sockets) => {
  expect(takeActivatedSockets(environment, 7, 'both')).toEqual({ ok: true, value: sockets });
});

test.each([
  [{ LISTEN_FDS: '-1' }, 'LISTEN_FDS is "-1", not a number of sockets up to 256'],
  [{ LISTEN_FDS: '257' }, 'LISTEN_FDS is "257", not a number of sockets up to 256'],
  [
    { LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:zonewright.socket' },
    'a socket named "zonewright.socket" is handed over, but only http and dns are known: set FileDescriptorName= in its unit',
  ],
  [
    { LISTEN_FDS: '1' },
    'a socket named "" is handed over, but only http and dns are known: set FileDescriptorName= in its unit',
  ],
  [
    { LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:http' },
    '2 sockets named http are handed over, but HTTP takes one',
  ],
])('%j is refused', (environment, problem) => {
  expect(takeActivatedSockets({ LISTEN_PID: '7', ...environment }, 7, 'both')).toEqual({
    ok: false,
    problem,
  });
});

test('the variables are gone afterwards, for whomever they were meant', () => {
  for (const pid of ['7', '8']) {
    const environment = { LISTEN_PID: pid, LISTEN_FDS: '1', LISTEN_FDNAMES: 'dns', PATH: '/bin' };
    takeActivatedSockets(environment, 7, 'both');
    expect(environment).toEqual({ PATH: '/bin' });
  }
});

test('sockets for DNS are refused where none is answered', () => {
  const environment = { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:dns' };
  expect(takeActivatedSockets(environment, 7, 'api')).toEqual({
    ok: false,
    problem: 'a socket named dns is handed over, but role api answers no DNS',
  });
});

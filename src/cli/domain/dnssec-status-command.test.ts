import { expect, test } from 'vitest';
import type { SigningStatusJson } from '../../contract/signing-status-shape.ts';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const dnssec: SigningStatusJson = {
  state: 'waiting_for_ds',
  next_step: 'Enter this DS record',
  denial: 'nsec',
  keys: [
    {
      id: '0193489f-8a3b-7abc-8def-0123456789ab',
      tag: 27933,
      algorithm: 13,
      role: 'csk',
      state: 'active',
      origin: 'made',
      date_created: '2026-11-20T09:03:31+00:00',
    },
  ],
  ds: {
    wanted: ['27933 13 2 0A1B'],
    seen: [
      { server: 'a.servers.net', address: '192.0.2.1', ds: ['27933 13 2 0A1B'], problem: null },
      { server: 'b.servers.net', address: '192.0.2.2', ds: [], problem: null },
      { server: 'c.servers.net', address: null, ds: null, problem: 'it has no public address' },
    ],
    date_checked: '2026-11-20T09:04:00+00:00',
  },
  rollover: null,
  earliest_expiry: '2026-12-06T09:03:31+00:00',
  progress: null,
};

test('status shows the state, the next step and each server of the parent zone', async () => {
  server.answers = [{ status: 200, body: { dnssec } }];
  expect(await run('domain dnssec status example.com')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      'state: waiting_for_ds',
      'next step: Enter this DS record',
      'denial: nsec',
      'keys: 27933 (algorithm 13)',
      'rollover: -',
      'DS wanted: 27933 13 2 0A1B',
      'signatures last at least until: 2026-12-06T09:03:31+00:00',
      'parent zone asked: 2026-11-20T09:04:00+00:00',
      '',
      'a.servers.net\t192.0.2.1\t27933 13 2 0A1B',
      'b.servers.net\t192.0.2.2\tnone',
      'c.servers.net\t-\tit has no public address',
      '',
    ].join('\n'),
  });
  expect(server.asked[0].request).toBe('GET /dnssec/status');
});

test('status has one line with --plain, and everything with --json', async () => {
  server.answers = [
    { status: 200, body: { dnssec } },
    { status: 200, body: { dnssec } },
  ];
  expect((await run('domain dnssec status example.com --plain')).stdout).toMatch(
    /^waiting_for_ds\tEnter .*\n$/,
  );
  expect(JSON.parse((await run('domain dnssec status example.com --json')).stdout)).toEqual(dnssec);
});

test('status shows both keys and the step of a rollover', async () => {
  const [key] = dnssec.keys;
  const rolling: SigningStatusJson = {
    ...{ ...dnssec, state: 'rolling' },
    keys: [key, { ...key, tag: 4711, algorithm: 15, state: 'publishing', origin: 'imported' }],
    rollover: {
      ...{ id: key.id, kind: 'algorithm', step: 'published' },
      date_created: '2026-11-20T09:03:31+00:00',
      date_step: '2026-11-21T09:03:31+00:00',
      date_next: '2026-11-21T10:03:31+00:00',
      held: true,
    },
  };
  server.answers = [{ status: 200, body: { dnssec: rolling } }];
  const { stdout } = await run('domain dnssec status example.com');
  expect(stdout).toContain('keys: 27933 (algorithm 13), 4711 (algorithm 15, publishing, imported)\n');
  expect(stdout).toContain(
    'rollover: algorithm, step published since 2026-11-21T09:03:31+00:00, until 2026-11-21T10:03:31+00:00, held\n',
  );
});

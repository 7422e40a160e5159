import { expect, test } from 'vitest';
import type { DelegationJson } from '../../contract/delegation-shape.ts';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const delegation: DelegationJson = {
  state: 'partly',
  next_step: 'Tell the registrar',
  parent: 'com',
  expected: {
    nameservers: ['ns1.example.com', 'ns2.example.net'],
    glue: [{ name: 'ns1.example.com', address: '192.0.2.53' }],
    ds: [],
  },
  servers: [
    {
      server: 'a.servers.net',
      address: '192.0.2.1',
      nameservers: ['ns2.example.net'],
      glue: [],
      ds: [],
      problem: null,
    },
    {
      server: 'b.servers.net',
      address: null,
      nameservers: null,
      glue: null,
      ds: null,
      problem: 'it has no public address',
    },
  ],
  problems: [
    {
      code: 'nameserver_missing',
      message: 'The delegation lacks the nameserver ns1.example.com',
      servers: ['a.servers.net'],
    },
  ],
  looked_at: '2026-11-20T09:04:00+00:00',
};

test('delegation shows the next step, the problems and each server, and fails if something is wrong', async () => {
  server.answers = [{ status: 200, body: { delegation } }];
  expect(await run('domain delegation example.com')).toEqual({
    exitCode: 10,
    stderr: 'zonewright: the delegation of example.com is not as it should be\n',
    stdout: [
      'state: partly',
      'next step: Tell the registrar',
      'parent zone: com',
      'nameservers: ns1.example.com, ns2.example.net',
      'glue: ns1.example.com 192.0.2.53',
      'DS: -',
      'servers asked: 2026-11-20T09:04:00+00:00',
      '',
      'nameserver_missing\tThe delegation lacks the nameserver ns1.example.com\ta.servers.net',
      '',
      'a.servers.net\t192.0.2.1\tns2.example.net\tnone\tnone\t-',
      'b.servers.net\t-\t-\t-\t-\tit has no public address',
      '',
    ].join('\n'),
  });
  expect(server.asked[0].request).toBe('GET /delegation');
});

test('delegation succeeds if all is well, and asks again with --refresh', async () => {
  const good: DelegationJson = { ...delegation, state: 'delegated', problems: [] };
  server.answers = [{ status: 200, body: { delegation: good } }];
  const { exitCode, stdout } = await run('domain delegation example.com --refresh --json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, good]);
  expect(server.asked[0].request).toBe('GET /delegation?refresh=true');
});

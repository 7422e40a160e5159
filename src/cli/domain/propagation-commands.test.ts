import { expect, test } from 'vitest';
import { prepareServer, type PreparedServer } from '../command-line.test-support.ts';

const server = await prepareServer();

function run(line: string, isInteractive = false) {
  return server.run(line, { isInteractive });
}

const seen = '2026-11-20T14:00:09+00:00';
const ns1 = { id: 'a', name: 'ns1', serial: 7, date_taken: seen, date_seen: seen, live: true, current: true };
const ns2 = { ...ns1, id: 'b', name: 'ns2', serial: 6, current: false };
const ns3 = { ...ns2, id: 'c', name: 'ns3', serial: null, date_taken: null };
const away = { ...ns2, id: 'd', name: 'away', live: false };

function propagation(...nameservers: (typeof ns1 | typeof ns3)[]): PreparedServer['answers'][number] {
  const live = nameservers.filter((nameserver) => nameserver.live);
  const current = live.length > 0 && live.every((nameserver) => nameserver.current);
  return {
    status: 200,
    body: { propagation: { domain: 'example.com', serial: 7, current, nameservers } },
  };
}

test('propagation prints one line per nameserver', async () => {
  server.answers = [propagation(ns1, ns3, away)];
  expect(await run('domain propagation example.com')).toEqual({
    exitCode: 0,
    stdout:
      `ns1\t7\t${seen}\t${seen}\tyes\tyes\n` +
      `ns3\t-\t-\t${seen}\tyes\tno\n` +
      `away\t6\t${seen}\t${seen}\tno\tno\n`,
    stderr: '',
  });
  server.answers = [propagation(ns1)];
  const { stdout } = await run('domain propagation example.com', true);
  expect(stdout).toMatch(/^NAMESERVER +SERIAL +TAKEN +SEEN +LIVE +CURRENT\nns1 /);
});

test('wait ends when all live nameservers serve it', async () => {
  server.answers = [propagation(ns1, ns2), propagation(ns1, away)];
  expect(await run('domain wait example.com --timeout 10')).toEqual({
    exitCode: 0,
    stdout: 'domain: example.com\nserial: 7\nnameservers: ns1\n',
    stderr: '',
  });
  expect(server.asked.map(({ request }) => request)).toEqual([
    'GET /propagation',
    'GET /propagation?serial=7&wait=5',
  ]);
});

test('an interactive wait prints each state of the late nameservers once', async () => {
  server.answers = [propagation(ns2, ns3), propagation(ns2, ns3), propagation(away), propagation(ns1)];
  const { exitCode, stderr } = await run('domain wait example.com --serial 7', true);
  expect([exitCode, stderr]).toEqual([
    0,
    'waiting: ns2 still serves serial 6, ns3 does not serve the domain yet\n' +
      'waiting: no nameserver is running\n',
  ]);
});

test.each([
  [
    [ns1, ns2, ns3, away],
    'zonewright: ns2 still serves serial 6\nzonewright: ns3 does not serve the domain yet\n' +
      'zonewright: example.com with serial 7 is not served by all nameservers after 0 seconds\n',
  ],
  [[away], 'zonewright: no nameserver is running after 0 seconds\n'],
])('on timeout the late nameservers are named, and the exit code is 8', async (nameservers, stderr) => {
  server.answers = [propagation(...nameservers), propagation(...nameservers)];
  expect(await run('domain wait example.com --timeout 0')).toEqual({ exitCode: 8, stdout: '', stderr });
  const json = await run('domain wait example.com --timeout 0 --json');
  expect([json.exitCode, json.stderr]).toEqual([8, stderr]);
  expect(JSON.parse(json.stdout)).toMatchObject({ serial: 7, current: false, nameservers });
});

test('the help of wait explains how serials are compared', async () => {
  expect((await run('domain wait --help')).stdout.replaceAll(/\s+/g, ' ')).toContain('RFC 1982');
});

test('record create and delete --wait wait for the serial of their own write', async () => {
  const record = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
  server.answers = [{ status: 201, body: { record }, headers: { 'Zone-Serial': '7' } }, propagation(ns1)];
  const created = await run('record create example.com www A 192.0.2.1 --wait --json');
  expect([created.exitCode, JSON.parse(created.stdout)]).toEqual([0, record]);
  server.answers.push({ status: 204, headers: { 'Zone-Serial': '8' } }, propagation(ns1));
  expect(await run('record delete example.com x --wait')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  server.answers.push({ status: 204, headers: { 'Zone-Serial': '9' } });
  await run('record delete example.com x');
  expect(server.asked.map(({ request }) => request)).toEqual([
    'POST /records?warnings=true',
    'GET /propagation?serial=7',
    'DELETE /records/x',
    'GET /propagation?serial=8',
    'DELETE /records/x',
  ]);
});

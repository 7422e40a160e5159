import { expect, test } from 'vitest';
import type { ExplanationJson } from '../../contract/explanation-shape.ts';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const explanation: ExplanationJson = {
  name: 'www.example.com',
  type: 'A',
  serial: 7,
  steps: [
    { code: 'wildcard', name: '*.example.com', message: 'No name www exists', records: ['r1'] },
    { code: 'unsigned', name: 'example.com', message: 'example.com is not signed', records: [] },
  ],
  predicted: { rcode: 'NOERROR', answer: [{ name: 'www.example.com', type: 'A' }] },
  served: {
    rcode: 'NOERROR',
    authoritative: true,
    answer: ['www.example.com. 300 IN A 192.0.2.7'],
    authority: [],
    additional: [],
  },
  agrees: true,
  note: null,
  resolver: null,
};

test('explain shows the answer and each step', async () => {
  server.answers = [{ status: 200, body: { explanation } }];
  expect(await run('explain example.com www')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      'www.example.com A: NOERROR',
      'www.example.com. 300 IN A 192.0.2.7',
      '',
      'wildcard\tNo name www exists\tr1',
      'unsigned\texample.com is not signed\t-',
      '',
    ].join('\n'),
  });
  expect(server.asked[0].request).toBe('GET /explain?name=www&type=A');
});

test('explain --at shows the answer as it was', async () => {
  const note = 'This is how the records were then';
  server.answers = [
    { status: 200, body: { explanation: { ...explanation, served: null, agrees: null, note } } },
  ];
  const { stdout, stderr } = await run('explain example.com www --at 2026-11-20T14:00:00Z');
  expect(stdout).toMatch(/^www\.example\.com A: NOERROR, as far as the records tell\n/);
  expect(stderr).toContain(note);
  expect(server.asked[0].request).toBe('GET /explain?name=www&type=A&at=2026-11-20T14%3A00%3A00Z');
});

test('explain shows what a resolver says, and what is not known', async () => {
  const resolver = {
    address: '9.9.9.9',
    rcode: 'NOERROR',
    authenticated: true,
    answer: ['www.example.com. 212 IN A 192.0.2.1'],
    duration_ms: 12,
    problem: null,
  };
  const body = {
    explanation: { ...explanation, served: null, agrees: null, note: 'No nameserver was asked', resolver },
  };
  server.answers = [{ status: 200, body }];
  const { stdout, stderr } = await run('explain example.com @ MX --resolver 9.9.9.9');
  expect(stdout).toContain('www.example.com A: NOERROR, as far as the records tell\nwww.example.com A\n');
  expect(stdout).toContain('9.9.9.9: NOERROR, validated, after 12 ms\nwww.example.com. 212 IN A 192.0.2.1\n');
  expect(stderr).toBe('No nameserver was asked\n');
  expect(server.asked[0].request).toBe('GET /explain?name=%40&type=MX&resolver=9.9.9.9');
});

test('explain prints JSON as the service sends it', async () => {
  server.answers = [{ status: 200, body: { explanation } }];
  expect(JSON.parse((await run('explain example.com --json')).stdout)).toEqual(explanation);
});

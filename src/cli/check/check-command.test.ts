import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

test('check lists warnings, and exits with 10 if there are errors', async () => {
  const warning = { code: 'c', severity: 'notice', name: 'www', type: 'A', record: 'x', message: 'private' };
  const error = { ...warning, severity: 'error', name: '', type: null, message: 'broken' };
  server.answers = [[], [warning], [error, warning]].map((warnings) => ({ status: 200, body: { warnings } }));
  expect(await run('check example.com')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(await run('check example.com')).toMatchObject({ exitCode: 0, stdout: 'notice\twww\tA\tprivate\n' });
  expect(await run('check example.com')).toEqual({
    exitCode: 10,
    stdout: 'error\t@\t-\tbroken\nnotice\twww\tA\tprivate\n',
    stderr: 'zonewright: example.com has 1 error\n',
  });
});

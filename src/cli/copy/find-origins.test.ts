import { expect, test } from 'vitest';
import { createClient } from '../../client/zonewright-client.ts';
import { prepareServer } from '../command-line.test-support.ts';
import { findSource, formatCopyNote } from './copy-note.ts';
import { findOrigins, MAX_READ_CHANGES } from './find-origins.ts';

const server = await prepareServer();
const client = createClient({ url: server.url, key: 'zw_k' });

const record = (id: string, data = '192.0.2.1', ttl = 60, priority = -1) => ({
  id,
  type: 'A',
  name: 'www',
  data,
  priority,
  ttl,
});

type Row = [
  note: string | null,
  old: ReturnType<typeof record> | null,
  now: ReturnType<typeof record> | null,
];

async function originOf(...rows: Row[]) {
  const changes = rows.map(([note, old, now]) => ({ note, old, new: now }));
  const meta = { total: changes.length, links: { next: '', prev: '' } };
  server.answers = [{ status: 200, body: { changes, meta } }];
  const origins = await findOrigins(client, 'example.com', [record('x')], new Set(['the file a']));
  return origins.get('x');
}

test.each<[string, string | undefined, Row[]]>([
  ['its creation by a copy', 'this source', [['copied from the file a', null, record('x')]]],
  [
    'its creation by a copy with a note',
    'this source',
    [['move (copied from the file a)', null, record('x')]],
  ],
  ['another source', 'another source', [['copied from the file b', null, record('x')]]],
  ['a note of somebody', 'here', [['by hand', null, record('x')]]],
  ['no note', 'here', [[null, null, record('x')]]],
  [
    'a change of its data',
    'here',
    [
      [null, record('x', '192.0.2.9'), record('x')],
      ['copied from the file a', null, record('x', '192.0.2.9')],
    ],
  ],
  [
    'a change of its priority',
    'here',
    [
      [null, record('x', undefined, 60, 10), record('x', undefined, 60, 20)],
      ['copied from the file a', null, record('x', undefined, 60, 10)],
    ],
  ],
  [
    'a change of its TTL',
    'this source',
    [
      [null, record('x', undefined, 5), record('x')],
      ['copied from the file a', null, record('x', undefined, 5)],
    ],
  ],
  ['a history that is too short', 'unknown', [[null, null, record('y')]]],
])('the origin of a record is found by %s', async (_, origin, rows) => {
  expect(await originOf(...rows)).toBe(origin);
});

test('a record of unknown origin does not make the whole history be read', async () => {
  const changes = Array.from({ length: MAX_READ_CHANGES }, () => ({ note: null, old: null, new: null }));
  const meta = { total: changes.length + 1, links: { next: 'more', prev: '' } };
  server.answers = [{ status: 200, body: { changes, meta } }];
  const origins = await findOrigins(client, 'example.com', [record('x')], new Set(['the file a']));
  expect(origins.get('x')).toBe('unknown');
  expect(server.asked).toHaveLength(1);
});

test('a note of a copy names the source, behind the text of the user', () => {
  expect(formatCopyNote(undefined, 'the file a (b)')).toBe('copied from the file a (b)');
  expect(findSource(formatCopyNote('ticket (7)', 'the file a (b)'))).toBe('the file a (b)');
  expect(findSource(formatCopyNote(undefined, 'x'.repeat(900)))).toHaveLength(488);
  expect(() => formatCopyNote('y'.repeat(480), 'the file a')).toThrow(
    '--note can have at most 475 characters',
  );
});

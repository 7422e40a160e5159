import { expect, test } from 'vitest';
import fc from 'fast-check';
import { formatCursor, parseCursor } from './cursor.ts';
import { formatPage, formatPageInPieces, type ListFormat } from './format-page.ts';
import { listMark } from './list-mark.ts';
import { parsePageQuery } from './page-query.ts';

const id = '0193489f-8a3b-7abc-8def-0123456789ab';
const mark = listMark('records', 'example.com', []);

test.each([
  [{}, 100],
  [{ per_page: '1' }, 1],
  [{ per_page: '0' }, 1],
  [{ per_page: '-7' }, 1],
  [{ per_page: '500' }, 500],
  [{ per_page: '501' }, 500],
  [{ per_page: '9'.repeat(400) }, 500],
  [{ per_page: ['7', 'x'] }, 7],
  [{ other: 'x', '': '' }, 100],
])('the page size for %j is %i', (query, limit) => {
  expect(parsePageQuery(query, mark, 'id')).toEqual({
    ok: true,
    value: { direction: 'after', key: null, limit },
  });
});

test.each(['', 'abc', '1.5', '0x10', '1e2', ' 5', 'NaN'])('per_page=%j is refused', (per_page) => {
  expect(parsePageQuery({ per_page }, mark, 'id')).toMatchObject({ ok: false, field: 'per_page' });
});

test('a parsed cursor has its direction and key', () => {
  for (const direction of ['after', 'before'] as const) {
    const cursor = formatCursor(direction, mark, id);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(parseCursor(cursor, mark, 'id')).toEqual({ ok: true, value: { direction, key: id } });
  }
  expect(parseCursor(formatCursor('after', mark, 'a_b-c.example'), mark, 'name')).toMatchObject({
    value: { key: 'a_b-c.example' },
  });
});

test('a cursor of another list or a forged one is refused', () => {
  const foreign = [formatCursor('after', mark, 'example.com'), formatCursor('after', mark, "' OR 1=1")];
  const broken = [
    '!',
    'abc',
    'AAAA',
    `${formatCursor('after', mark, id)}=`,
    `${formatCursor('after', mark, id)}A`,
  ];
  for (const text of [...foreign, ...broken, 'A'.repeat(5000), '\u0000']) {
    expect(parsePageQuery({ cursor: text }, mark, 'id'), text).toMatchObject({ ok: false, field: 'cursor' });
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const cursor = parseCursor(text, mark, 'id');
      if (cursor.ok)
        expect(formatCursor(cursor.value.direction, mark, cursor.value.key ?? undefined)).toBe(text);
    }),
  );
});

test('a cursor with the longest key is accepted by its list and refused by every other', () => {
  const name = 'a'.repeat(253);
  const lists = [
    ['records', null, []],
    ['domains', null, []],
    ['records', name, []],
    ['records', 'example.com', []],
    ['records', null, ['', undefined]],
    ['records', null, [undefined, '']],
    ['records', null, ['a"', '"b']],
    ['records', null, ['a', '""b']],
    ['records', null, ['\ud800é']],
  ] as const;
  const marks = lists.map(([member, domain, filter]) => listMark(member, domain, filter));
  for (const own of marks) {
    const cursor = formatCursor('before', own, `${'a'.repeat(253)} ${id}`);
    expect(cursor.length).toBeLessThanOrEqual(400);
    expect(marks.filter((other) => parseCursor(cursor, other, 'place').ok)).toEqual([own]);
  }
});

test('an empty cursor means the first page', () => {
  expect(parsePageQuery({ cursor: '' }, mark, 'id')).toMatchObject({ ok: true, value: { key: null } });
});

const names: ListFormat<string> = {
  member: 'domains',
  listKey: 'name',
  keyOf: (name) => name,
  formatRow: (name) => JSON.stringify(name),
};

test('a page links to its neighbours, and has empty links at the ends', () => {
  const page = { rows: ['b.example', 'c.example'], hasBefore: true, hasAfter: true, total: 9 };
  expect(formatPage(page, mark, names)).toBe(
    `{"domains":["b.example","c.example"],"meta":{"total":9,"links":{"next":"${formatCursor('after', mark, 'c.example')}","prev":"${formatCursor('before', mark, 'b.example')}"}}}`,
  );
  expect(formatPage({ rows: [], hasBefore: false, hasAfter: false, total: 0 }, mark, names)).toBe(
    '{"domains":[],"meta":{"total":0,"links":{"next":"","prev":""}}}',
  );
});

test('a page in pieces has the same text', () => {
  for (const rows of [[], ['a.example'], ['a.example', 'b.example', 'c.example']]) {
    const page = { rows, hasBefore: true, hasAfter: false, total: rows.length };
    expect([...formatPageInPieces(page, mark, names)].join('')).toBe(formatPage(page, mark, names));
  }
});

test('an empty page links back to the list', () => {
  const empty = JSON.parse(
    formatPage({ rows: [], hasBefore: true, hasAfter: false, total: 3 }, mark, names),
  ) as {
    meta: { links: { prev: string } };
  };
  expect(parseCursor(empty.meta.links.prev, mark, 'name')).toEqual({
    ok: true,
    value: { direction: 'before', key: null },
  });
});

test('a value that is not a number is quoted on one line', () => {
  const query = parsePageQuery({ per_page: 'a\r\nb' }, mark, 'id');
  expect(query).toEqual({
    ok: false,
    problem: 'per_page must be an integer, not "a\\r\\nb"',
    field: 'per_page',
  });
});

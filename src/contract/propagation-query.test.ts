import { expect, test } from 'vitest';
import { parsePropagationQuery } from './propagation-query.ts';

test.each([
  [{}, { serial: null, waitSeconds: 0 }],
  [
    { serial: '0', wait: '0' },
    { serial: 0, waitSeconds: 0 },
  ],
  [{ serial: '4294967295' }, { serial: 4_294_967_295, waitSeconds: 0 }],
  [
    { wait: '60', other: 'x' },
    { serial: null, waitSeconds: 60 },
  ],
  [{ serial: ['7', '8'] }, { serial: 7, waitSeconds: 0 }],
])('the query %j is parsed to %j', (query, value) => {
  expect(parsePropagationQuery(query)).toEqual({ ok: true, value });
});

test.each([
  [{ serial: '' }, 'serial'],
  [{ serial: ' 1' }, 'serial'],
  [{ serial: '0x1' }, 'serial'],
  [{ serial: '1e3' }, 'serial'],
  [{ serial: '4294967296' }, 'serial'],
  [{ serial: '1', wait: '61' }, 'wait'],
  [{ wait: '-1' }, 'wait'],
  [{ wait: '00000000001' }, 'wait'],
])('the query %j is refused because of %s', (query, field) => {
  expect(parsePropagationQuery(query)).toMatchObject({ ok: false, field });
});

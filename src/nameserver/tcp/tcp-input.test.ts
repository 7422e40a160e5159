import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TcpInput } from './tcp-input.ts';

const limits = { ordinaryInputBytes: 8 };

test('keeps what is not used, in order, and gives all its room back', () => {
  const piece = fc.record({ length: fc.nat(40), used: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const room = { freeBytes: 1_000_000 };
      const input = new TcpInput(limits, room);
      let sent = 0;
      let used = 0;
      for (const { length, used: wanted } of pieces) {
        const joined = input.join(Buffer.from(Array.from({ length }, (_, i) => (sent + i) & 255)));
        sent += length;
        expect([...(joined ?? [])]).toEqual(Array.from({ length: sent - used }, (_, i) => (used + i) & 255));
        const now = Math.min(wanted, sent - used);
        expect(input.keep(joined ?? Buffer.alloc(0), now)).toBe(true);
        used += now;
        expect(input.waits).toBe(sent > used);
      }
      input.clear();
      expect(room.freeBytes).toBe(1_000_000);
    }),
  );
});

test('short input always has room, long input only what is free', () => {
  const room = { freeBytes: 30 };
  const [one, other] = [new TcpInput(limits, room), new TcpInput(limits, room)];
  expect(one.keep(Buffer.alloc(20), 0)).toBe(true);
  expect(other.keep(Buffer.alloc(20), 0)).toBe(false);
  expect(other.keep(Buffer.alloc(8), 0)).toBe(true);
  expect(other.join(Buffer.alloc(8))).toBeUndefined();
  one.clear();
  expect(other.join(Buffer.alloc(8))).toHaveLength(16);
});

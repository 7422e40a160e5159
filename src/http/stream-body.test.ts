import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Sink } from './body-sink.ts';
import { sendStream } from './stream-body.ts';

const PIECES = 64;

/** A server with one answer, whose pieces all fit into the kernel's buffer. */
async function serve(pieces: () => Iterable<string>): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200);
    void sendStream(createHttp1Sink(response), pieces());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('other work runs between the pieces of a long answer, even if the client reads fast', async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  const turnsAt: number[] = [];
  function* pieces(): Generator<string> {
    for (let piece = 0; piece < PIECES; piece++) {
      turnsAt.push(turns);
      yield 'x'.repeat(1000);
    }
  }
  const url = await serve(pieces);
  turn();
  const text = await (await fetch(url)).text();
  isOver = true;
  expect(text).toBe('x'.repeat(PIECES * 1000));
  expect(new Set(turnsAt).size).toBe(PIECES);
});

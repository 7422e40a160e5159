import { expect, test } from 'vitest';
import { ApiError, UnreachableError } from './api-error.ts';
import { readJsonLines } from './read-json-lines.ts';

const url = 'http://127.0.0.1:8080';

function bodyOf(pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces)
          controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
        controller.close();
      },
    }),
  ).body!;
}

async function collect(pieces: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const slice of readJsonLines<unknown>(url, bodyOf(pieces))) all.push(...slice);
  return all;
}

test('lines are read wherever the body is cut', async () => {
  const values = [{ name: 'a', data: '"x\\n"' }, { name: 'münchen' }, { name: '' }];
  const body = new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  for (let at = 0; at <= body.length; at++)
    expect(await collect([body.subarray(0, at), body.subarray(at)]), `cut at ${at}`).toEqual(values);
});

test('an empty body has no values', async () => {
  expect(await collect([])).toEqual([]);
});

test('a body that ends inside a line is a lost connection', async () => {
  const error = await collect(['{"id":"1"}\n{"id"']).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ isLost: true });
});

test('a body that is not JSON is not from the service', async () => {
  await expect(collect(['<h1>Bad gateway</h1>\n'])).rejects.toBeInstanceOf(ApiError);
});

test('leaving the loop ends the request', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"1"}\n')),
    cancel: () => void (isCancelled = true),
  });
  for await (const slice of readJsonLines(url, body)) {
    expect(slice).toContainEqual({ id: '1' });
    break;
  }
  expect(isCancelled).toBe(true);
});

import { expect, test } from 'vitest';
import { PasswordWork } from './password-work.ts';

test('a client that sends many passwords fills its own part of the queue, and others take turns with it', async () => {
  const work = new PasswordWork();
  const ended: string[] = [];
  const verify = (client: string) =>
    work.verify('x', undefined, client).then(({ ok }) => {
      if (ok) ended.push(client);
      return ok;
    });
  const flood = Array.from({ length: 10 }, () => verify('flood'));
  const others = [verify('one'), verify('two')];
  const taken = await Promise.all(flood);
  expect(taken).toEqual([...Array<boolean>(5).fill(true), ...Array<boolean>(5).fill(false)]);
  expect(await Promise.all(others)).toEqual([true, true]);
  expect(ended.slice(0, 4).sort()).toEqual(['flood', 'flood', 'one', 'two']);
});

test('passwords beyond the queue are refused before the first one is hashed', async () => {
  const work = new PasswordWork();
  const answers: boolean[] = [];
  const sent = Array.from({ length: 20 }, async (_, client) => {
    const { ok } = await work.verify('x', undefined, String(client));
    answers.push(ok);
  });
  await sent[0];
  expect(answers).toEqual([false, false, false, true]);
});

import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import { makeTestCertificate, type TestCertificate } from '../../test/harness/test-certificate.ts';
import { readTlsPair, TlsFiles } from './tls-files.ts';
import type { TlsPair } from './tls-pair.ts';

const [one, other] = [makeTestCertificate(), makeTestCertificate()];

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The files as certbot and Kubernetes lay them out: in a folder that a link names. */
function publish(folder: string, name: string, { certificate, key }: TestCertificate): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'certificate.pem'), certificate);
  writeFileSync(join(folder, name, 'key.pem'), key, { mode: 0o640 });
  symlinkSync(name, join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'live'));
}

const pathsIn = (folder: string) => ({
  certificate: join(folder, 'live', 'certificate.pem'),
  key: join(folder, 'live', 'key.pem'),
});

async function follow(folder: string): Promise<{ files: TlsFiles; changes: TlsPair[]; lines: string[] }> {
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);
  const log: Log = { ...silentLog, info: note, warn: note };
  const files = await TlsFiles.open(pathsIn(folder), log, 5);
  onTestFinished(() => files.close());
  const changes: TlsPair[] = [];
  files.onChange((pair) => changes.push(pair));
  return { files, changes, lines };
}

/** Waits until the files were looked at several times. */
const looks = () => new Promise((resolve) => setTimeout(resolve, 100));

test('files that are replaced are read again, and only then', async () => {
  const folder = makeFolder();
  publish(folder, 'one', one);
  const { files, changes, lines } = await follow(folder);
  expect(files.current?.certificate).toBe(one.certificate);
  await looks();
  expect([changes, lines]).toEqual([[], []]);
  publish(folder, 'other', other);
  await expect.poll(() => files.current?.certificate).toBe(other.certificate);
  expect(changes).toEqual([expect.objectContaining(other)]);
  expect(lines).toEqual(['the certificate of HTTPS has changed; new connections get it']);
});

test('files that cannot be used are reported, and change nothing until they can', async () => {
  const folder = makeFolder();
  publish(folder, 'one', one);
  const { files, changes } = await follow(folder);
  publish(folder, 'mixed', { ...other, key: one.key });
  await expect.poll(() => files.problem).toMatch(/cannot be used: the key does not belong to the first/);
  expect([files.current?.certificate, changes]).toEqual([one.certificate, []]);
  publish(folder, 'other', other);
  await expect.poll(() => files.problem).toBeUndefined();
  expect(changes).toEqual([expect.objectContaining(other)]);
});

test('files that are missing at the start are used as soon as they are there', async () => {
  const folder = makeFolder();
  const { files, changes } = await follow(folder);
  expect(files.current).toBeUndefined();
  expect(files.problem).toBe(`the certificate file ${pathsIn(folder).certificate} cannot be read (ENOENT)`);
  publish(folder, 'one', one);
  await expect.poll(() => changes).toEqual([expect.objectContaining(one)]);
  expect(files.problem).toBeUndefined();
});

test('a key that everybody can read is used, and the log says so once', async () => {
  const folder = makeFolder();
  publish(folder, 'one', one);
  chmodSync(pathsIn(folder).key, 0o644);
  const { files, lines } = await follow(folder);
  await looks();
  expect(files.current?.key).toBe(one.key);
  expect(lines).toEqual(['everybody on this machine can read the key of HTTPS: change the mode to 640']);
});

test('what is not a small file is not read', async () => {
  const folder = makeFolder();
  const large = join(folder, 'large.pem');
  writeFileSync(large, 'x'.repeat(1024 * 1024 + 1));
  expect(await readTlsPair({ certificate: folder, key: large })).toEqual({
    ok: false,
    problem: `the certificate file ${folder} cannot be read (it is not a file)`,
  });
  expect(await readTlsPair({ certificate: large, key: large })).toEqual({
    ok: false,
    problem: `the certificate file ${large} cannot be read (it is larger than 1048576 bytes)`,
  });
});

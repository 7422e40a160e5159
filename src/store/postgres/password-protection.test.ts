import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestAuthority } from '../../../test/interop/test-certificates.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import {
  startPostgresServer,
  unprivilegedUser,
  type PostgresServer,
} from '../../../test/harness/postgres-server.ts';
import { connectPostgres } from './postgres-connection.ts';
import { LoginRefused } from '../../writes/store-errors.ts';
import { addressOf } from './postgres-scene.test-support.ts';

const PASSWORD = 'correct-horse-battery';
const limits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 1000 };
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

let folder: string;
let server: PostgresServer;

/** Users are named after the method by which the server asks for their password. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-wire-'));
  chmodSync(folder, 0o755);
  const hba = join(folder, 'pg_hba.conf');
  const methods = { postgres: 'trust', clear: 'password', hashed: 'md5', scram: 'scram-sha-256' };
  writeFileSync(
    hba,
    Object.entries(methods)
      .map(([user, how]) => `host all ${user} all ${how}\n`)
      .join(''),
  );
  const tls = hasOpenssl ? await makeCertificates() : {};
  server = await startPostgresServer({ settings: { hba_file: hba, ...tls } });
  const admin = await connectPostgres(addressOf(server.url()), limits);
  for (const user of ['clear', 'hashed', 'scram']) {
    await admin.query(`SET password_encryption = '${user === 'hashed' ? 'md5' : 'scram-sha-256'}'`);
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'`);
  }
  await admin.close();
});

afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

test.each([
  ['clear', 'disable', 'asks for the password in clear'],
  ['hashed', 'disable', 'as a hash that can be used again'],
  ['clear', 'prefer', 'the server offers no TLS'],
  ['scram', 'prefer', 'the server offers no TLS'],
  ['scram', undefined, 'without sslmode, a server elsewhere needs a certificate'],
])('the password of %s is not sent with sslmode %s to a server elsewhere', async (user, mode, reason) => {
  const wire = await tapWire(true);
  const attempt = open(user, wire.port, mode);
  await expect(attempt).rejects.toThrow(reason);
  if (mode !== undefined) await expect(attempt).rejects.toThrow(LoginRefused);
  expect(wire.sent()).not.toContain(PASSWORD);
  expect(wire.sent()).not.toContain('md5');
});

test('SCRAM passes without TLS if the operator chose that, and the password is not on the wire', async () => {
  const wire = await tapWire(true);
  const connection = await open('scram', wire.port, 'disable');
  await connection.close();
  expect(wire.sent()).toContain('SCRAM-SHA-256');
  expect(wire.sent()).not.toContain(PASSWORD);
});

test('a server on this machine may ask for the password without TLS', async () => {
  const wire = await tapWire(true);
  for (const user of ['clear', 'hashed', 'scram']) {
    await (await open(user, wire.port, undefined, '127.0.0.1')).close();
  }
});

test.skipIf(!hasOpenssl)('without sslmode, the certificate of a server elsewhere is checked', async () => {
  const wire = await tapWire(false);
  const authority = join(folder, 'ca.pem').replaceAll('/', '%2F');
  const connection = await open('clear', wire.port, undefined, '0.0.0.0', `sslrootcert=${authority}`);
  await connection.close();
  await expect(open('clear', wire.port, undefined)).rejects.toThrow('without sslmode');
  await (await open('clear', wire.port, 'require')).close();
  const otherName = open('clear', wire.port, undefined, '127.1', `sslrootcert=${authority}`);
  await expect(otherName).rejects.toThrow('without sslmode');
  expect(wire.sent()).not.toContain(PASSWORD);
});

/** 0.0.0.0 leads to this machine but is no loopback address, like any other host. */
function open(user: string, port: number, mode: string | undefined, host = '0.0.0.0', more = '') {
  const parameters = [...(mode === undefined ? [] : [`sslmode=${mode}`]), ...(more === '' ? [] : [more])];
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return connectPostgres(
    addressOf(`postgres://${user}:${PASSWORD}@${host}:${port}/postgres${query}`),
    limits,
  );
}

/**
 * Records what the client sends to the server.
 *
 * @param refusesTls answers the request for TLS itself, as an attacker or a server without TLS does
 */
async function tapWire(refusesTls: boolean): Promise<{ port: number; sent: () => string }> {
  const target = Number(new URL(server.url()).port);
  const port = await freePort();
  let sent = '';
  const tap = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    upstream.pipe(client);
    client.on('data', (octets: Buffer) => {
      sent += octets.toString('latin1');
      if (refusesTls && octets.length === 8) client.write('N');
      else upstream.write(octets);
    });
  });
  await new Promise<void>((resolve) => tap.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void tap.close());
  return { port, sent: () => sent };
}

async function makeCertificates(): Promise<Record<string, string>> {
  const authority = await createTestAuthority(folder);
  const { certFile, keyFile } = await authority.issue('server', 'IP:0.0.0.0,DNS:db.example');
  const owner = unprivilegedUser();
  if (owner !== undefined) chownSync(keyFile, owner.uid, owner.gid);
  chmodSync(keyFile, 0o600);
  return { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile };
}

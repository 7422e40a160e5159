import { createSign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newKeyPair } from '../dnssec/key-pair.test-support.ts';

/* A provider that answers as a test says. The tests of the contract run a real one. */

export const CLIENT_ID = 'zonewright';

const keys = newKeyPair('rsa', { modulusLength: 2048 });

/** A key that the provider does not have. */
export const foreignKey = newKeyPair('rsa', { modulusLength: 2048 }).privateKey;

export interface TestProvider {
  readonly issuer: string;
  /** Changes what is in an ID token, by the nonce that the log-in expects. */
  claims: Readonly<Record<string, unknown>>;
  /** Changes the description. */
  description: Readonly<Record<string, unknown>>;
  algorithm: 'RS256' | 'none' | 'HS256';
  key: typeof foreignKey;
  status: number;
  /** Paths that were asked for. */
  readonly asked: string[];
  close(): void;
}

/** @param nonce that of the log-in under test */
export async function startTestProvider(nonce: string): Promise<TestProvider> {
  let provider: TestProvider | undefined = undefined;
  const server = createServer((request, response) => {
    if (provider !== undefined) answer(provider, nonce)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    description: {},
    algorithm: 'RS256',
    key: keys.privateKey,
    status: 200,
    asked: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

function answer(provider: TestProvider, nonce: string): RequestListener {
  return ({ url = '' }, response) => {
    const { asked, issuer, description, status } = provider;
    asked.push(url);
    const bodies: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...description,
      },
      '/keys': {
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      },
      '/token': { access_token: 'token', token_type: 'Bearer', id_token: newIdToken(provider, nonce) },
    };
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(bodies[url] ?? {}));
  };
}

function newIdToken({ issuer, claims, algorithm, key }: TestProvider, nonce: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const about = {
    iss: issuer,
    aud: CLIENT_ID,
    sub: '7',
    iat: nowSeconds,
    exp: nowSeconds + 300,
    nonce,
    ...claims,
  };
  const parts = [{ alg: algorithm, kid: 'one' }, about].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = parts.join('.');
  if (algorithm === 'none') return `${signed}.`;
  return `${signed}.${createSign('sha256').update(signed).sign(key).toString('base64url')}`;
}

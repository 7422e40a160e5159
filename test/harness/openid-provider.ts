import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { expect } from 'vitest';
import { freePort } from './free-port.ts';

/* A real OpenID Connect provider on the loopback interface, and a person who signs in on its pages. */

export interface Login {
  /** The person's id at the provider. */
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
}

export interface OpenIdServer {
  readonly issuer: string;
  /** People who can sign in, by what they type. */
  readonly logins: Map<string, Login>;
  /** While it is true, all answers are 503. */
  isAway: boolean;
  /** Makes a session of the provider older, as if its person had signed in earlier. */
  ageSession(id: string, seconds: number): Promise<void>;
  close(): Promise<void>;
}

export const CLIENT_ID = 'zonewright';
export const CLIENT_SECRET = 'a secret of the client at the provider';

/** @param redirectUrl the page of the service to which the provider leads back */
export async function startOpenIdServer(redirectUrl: string): Promise<OpenIdServer> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const logins = new Map<string, Login>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUrl] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['a key of the cookies of the provider'] },
    findAccount: (_context: unknown, id: string) => {
      const login = logins.get(id);
      if (login === undefined) return undefined;
      const { subject, email, isVerified } = login;
      const claims = { sub: subject, email, email_verified: isVerified, name: 'Petra Provider' };
      return { accountId: id, claims: () => claims };
    },
  });
  const answer = provider.callback();
  const running = { isAway: false };
  const server = createServer((request, response) => {
    if (running.isAway) response.writeHead(503).end();
    else void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(running, {
    issuer,
    logins,
    ageSession: async (id: string, seconds: number) => {
      const session = await provider.Session.find(id);
      if (session?.loginTs === undefined) throw new Error('the provider has no such session');
      session.loginTs -= seconds;
      await session.persist();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Longer chains of redirects are loops. */
const MAX_STEPS = 20;

/** A browser at the provider's pages. */
export class ProviderVisit {
  private readonly server: OpenIdServer;
  private readonly cookies = new Map<string, string>();

  constructor(server: OpenIdServer) {
    this.server = server;
  }

  /** Signs in and agrees; returns the address to which the provider leads back. */
  async signIn(url: string, login: string): Promise<string> {
    let [page, body]: [string, URLSearchParams | undefined] = [url, undefined];
    for (let step = 0; step < MAX_STEPS; step++) {
      const response = await this.send(page, body);
      const location = response.headers.get('location');
      if (location === null) {
        const form = await response.text();
        const [, prompt] = /name="prompt" value="(\w+)"/.exec(form) ?? [];
        expect(prompt, form).toBeDefined();
        body = new URLSearchParams({ prompt, login, password: 'any' });
        continue;
      }
      body = undefined;
      page = new URL(location, page).href;
      if (!page.startsWith(this.server.issuer)) return page;
    }
    throw new Error(`the provider leads from page to page, the last one is ${page}`);
  }

  /** The person has signed in so much earlier. */
  async age(seconds: number): Promise<void> {
    await this.server.ageSession(this.cookies.get('_session') ?? '', seconds);
  }

  private async send(url: string, body: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, headers: { cookie }, redirect: 'manual' } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      const at = pair.indexOf('=');
      if (pair.length > at + 1) this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
      else this.cookies.delete(pair.slice(0, at));
    }
    return response;
  }
}

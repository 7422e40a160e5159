import { afterAll, expect } from 'vitest';
import { freePort } from './free-port.ts';
import type { HttpReply } from './http-client.ts';
import { CLIENT_ID, CLIENT_SECRET, ProviderVisit, startOpenIdServer, type Login } from './openid-provider.ts';
import { Browser, newOwner } from './people.ts';
import { startForFile } from './service.ts';

/* A service whose users sign in at a real OpenID Connect provider, and browsers that go to and fro. */

export interface Begun {
  readonly url: string;
  readonly cookie: string;
}

/** Both run until the end of the test file. */
export async function openOpenIdScene() {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await startOpenIdServer(`${publicUrl}/sign-in/oidc`);
  afterAll(() => provider.close());
  const service = await startForFile({
    ZONEWRIGHT_HTTP: `127.0.0.1:${port}`,
    ZONEWRIGHT_PUBLIC_URL: publicUrl,
    ZONEWRIGHT_OIDC_ISSUER: provider.issuer,
    ZONEWRIGHT_OIDC_CLIENT_ID: CLIENT_ID,
    ZONEWRIGHT_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    ZONEWRIGHT_OIDC_NAME: 'Test Login',
  });
  let people = 0;

  /** Somebody whom the provider knows. */
  function newLogin(fields: Partial<Login> = {}): string {
    const login = `person${++people}`;
    const email = `${login}@provider.example`;
    provider.logins.set(login, { subject: login, email, isVerified: true, ...fields });
    return login;
  }

  async function begin(browser: Browser, path: string, body: object = {}): Promise<Begun> {
    const reply = await browser.send('POST', path, body);
    expect(reply.status, reply.text).toBe(200);
    const [set] = reply.headers['set-cookie'] ?? [];
    expect(set).toMatch(/^zonewright-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    return { url: (reply.json as unknown as Begun).url, cookie: set.split(';')[0] };
  }

  /** Comes back from the provider, as a browser does: without the cookie of a session. */
  async function comeBack(browser: Browser, address: string, cookie: string | undefined): Promise<HttpReply> {
    expect(address).toMatch(publicUrl);
    const reply = await service.http.get(address.slice(publicUrl.length), {
      key: null,
      headers: { 'sec-fetch-site': 'cross-site', ...(cookie === undefined ? {} : { cookie }) },
    });
    for (const set of reply.headers['set-cookie'] ?? [])
      if (set.startsWith('zonewright=')) browser.cookie = set.split(';')[0];
    return reply;
  }

  /** @param visit the browser at the provider, which may have signed in there before */
  async function goThrough(
    browser: Browser,
    path: string,
    login: string,
    body: object = {},
    visit = new ProviderVisit(provider),
  ) {
    const { url, cookie } = await begin(browser, path, body);
    const address = await visit.signIn(url, login);
    return { url, cookie, address, reply: await comeBack(browser, address, cookie) };
  }

  /** An owner who has linked an identity. */
  async function newLinkedOwner() {
    const { browser, email } = await newOwner(service);
    const login = newLogin();
    const { reply } = await goThrough(browser, '/v2/user/oidc/start', login);
    expect(reply.status, reply.text).toBe(303);
    return { browser, email, login };
  }

  const signIn = (login: string, body: object = {}, browser = new Browser(service), visit?: ProviderVisit) =>
    goThrough(browser, '/v2/session/oidc/start', login, body, visit).then((gone) => ({ ...gone, browser }));

  return { provider, service, newLogin, begin, comeBack, goThrough, newLinkedOwner, signIn };
}

import { expect } from 'vitest';
import type { HttpReply } from './http-client.ts';
import { runStoreCommand, type Service } from './service.ts';

/* People who sign in with a browser, as the contract has it: cookies, and headers that browsers add. */

export const PASSWORD = 'correct horse battery staple';

/** Sends requests as a page of the service itself does. */
export class Browser {
  private readonly service: Service;
  /** The cookie of the session; undefined: nobody has signed in. */
  cookie: string | undefined;
  /** The account that requests name. */
  account: string | undefined;

  constructor(service: Service) {
    this.service = service;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> {
    const reply = await this.service.http.request(method, path, body, {
      key: null,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...(this.account === undefined ? {} : { 'zonewright-account': this.account }),
        ...headers,
      },
    });
    for (const set of reply.headers['set-cookie'] ?? []) {
      const [pair] = set.split(';');
      if (pair.startsWith('zonewright=')) this.cookie = set.includes('Max-Age=0;') ? undefined : pair;
    }
    return reply;
  }
}

/** Makes a link with `zonewright recover-user`, and returns the token in it. */
export async function linkToken(service: Service, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await runStoreCommand(service.data, ['recover-user', ...options]);
  expect(code, stderr).toBe(0);
  const [, token] = /^http:\/\/localhost:\d+\/(?:invite|recover)#(zwi_\S+)\n$/.exec(stdout) ?? [];
  expect(token, stdout).toBeDefined();
  return token;
}

/** The token of a link for an owner of the first account, an operator. */
export function ownerToken({ http }: Pick<Service, 'http'>): Promise<string> {
  const send: Send = (method, path, body) => http.request(method, path, body);
  return invite(send, { role: 'owner', operator: true });
}

let people = 0;

/** A new owner of the first account, an operator, who has signed in. */
export async function newOwner(service: Service): Promise<{ browser: Browser; email: string }> {
  const email = `owner${++people}@example.net`;
  const browser = new Browser(service);
  const accepted = await browser.send('POST', '/v2/invitation/accept', {
    token: await ownerToken(service),
    email,
    name: 'Olga Owner',
    password: PASSWORD,
  });
  expect(accepted.status, accepted.text).toBe(201);
  return { browser, email };
}

/** Sends as `Browser.send` does: a browser, or a client with a key. */
export type Send = (method: string, path: string, body?: unknown) => Promise<HttpReply>;

/** Invites somebody, and returns the token of the link. */
export async function invite(send: Send, body: object): Promise<string> {
  const reply = await send('POST', '/v2/invitations', body);
  expect(reply.status, reply.text).toBe(201);
  const { link } = (reply.json as { invitation: { link: string } }).invitation;
  const [, token] = /^https?:\/\/[^/]+\/invite#(zwi_\S+)$/.exec(link) ?? [];
  expect(token, link).toBeDefined();
  return token;
}

/** A new user who has accepted an invitation and signed in. */
export async function join(service: Service, token: string, email = `user${++people}@example.net`) {
  const browser = new Browser(service);
  const accepted = await browser.send('POST', '/v2/invitation/accept', {
    token,
    email,
    name: 'Some User',
    password: PASSWORD,
  });
  expect(accepted.status, accepted.text).toBe(201);
  return { browser, email, id: (accepted.json as unknown as { user: { id: string } }).user.id };
}

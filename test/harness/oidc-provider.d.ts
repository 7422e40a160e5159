/** The part of oidc-provider (a real OpenID Connect provider without type declarations) that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Session: {
      find(id: string): Promise<{ loginTs?: number; persist(): Promise<unknown> } | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}

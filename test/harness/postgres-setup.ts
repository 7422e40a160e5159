import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server whose user may create databases; see `newDatabase`. */
    readonly postgresUrl: string;
  }
}

/** Provides one server for all tests of a project: the one of DATABASE_URL, else our own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') {
    project.provide('postgresUrl', given);
    return () => Promise.resolve();
  }
  const server = await startPostgresServer();
  project.provide('postgresUrl', server.url());
  return () => server.remove();
}

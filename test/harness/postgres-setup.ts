import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a PostgreSQL server whose user may create databases: see `newDatabase`. */
    readonly postgresUrl: string;
  }
}

/** One server around all tests of a project: the one that DATABASE_URL names, else our own. */
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

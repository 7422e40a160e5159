import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referencePageFiles } from '../src/http/reference-page-files.ts';

const from = new URL('../node_modules/@fastify/swagger-ui/static/', import.meta.url);
const to = new URL('../dist/reference-page/', import.meta.url);

/** Copies the files of the reference page from the development package that has them into the build. */
export function copyReferencePage(): void {
  mkdirSync(fileURLToPath(to), { recursive: true });
  for (const name of Object.keys(referencePageFiles)) copyFileSync(new URL(name, from), new URL(name, to));
  writeFileSync(
    new URL('NOTICE', to),
    'Swagger UI, copyright SmartBear Software Inc., Apache License 2.0 (https://github.com/swagger-api/swagger-ui),\n' +
      'as packaged by @fastify/swagger-ui, copyright The Fastify team, MIT License.\n',
  );
}
